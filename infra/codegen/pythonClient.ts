import { relative } from "node:path";
import { clientDescription, description } from "./clientDescription.ts";
import { errorClasses, errorInputs } from "./errorClasses.ts";
import { generateFile, root } from "./generatedFile.ts";
import { PythonModels, type Schema } from "./pythonModels.ts";

const folder = "clients/python/cannabis_business_data";

interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  schema: Schema;
  required?: boolean;
  description?: string;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
}

const codegen = relative(root, import.meta.dirname);
const inputs = [
  description,
  ...["pythonClient", "pythonModels", "clientDescription"].map((name) => `${codegen}/${name}.ts`),
  ...errorInputs,
];
const header = `"""Generated from ${description}."""\n\nfrom __future__ import annotations\n\n`;
const crbPath = "/service-providers/{sp_id}/crbs/{crb_id}";

/** Generates the types of the Python client, its errors, and one method for each operation, from `docs/openapi.json`. */
export async function generatePythonClient(): Promise<void> {
  const read = clientDescription<Record<string, Record<string, Operation>>>;
  await generateFile(`${folder}/models.py`, async () => {
    const imports = "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n";
    return { text: header + imports + new PythonModels(read().components.schemas).toText(), inputs };
  });
  await generateFile(`${folder}/errors.py`, async () => {
    const classes = errorClasses.map(
      ({ className, summary }) => `\n\nclass ${className}(ApiError):\n    """${summary}"""\n`,
    );
    const byStatus = errorClasses.map(({ className, status }) => `    ${status}: ${className},\n`).join("");
    const text = `"""Generated from the error codes of the API."""\n\nfrom ._errors import ApiError\n${classes.join("")}
CLASSES: dict[int, type[ApiError]] = {\n${byStatus}}\n`;
    return { text, inputs };
  });
  await generateFile(`${folder}/_operations.py`, async () => {
    const { paths, components } = read();
    const models = new PythonModels(components.schemas, "models.");
    const methods = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => methodOf(models, path, method, operation)),
    );
    const ofCrbs = methods.filter(({ path }) => path === crbPath || path.startsWith(`${crbPath}/`));
    const imports = `import uuid
from collections.abc import Iterator
from typing import Any, Literal

from . import models
from ._transport import Transport

`;
    const text = `${header}${imports}
class Operations(Transport):
    """One method for each operation."""
${methods.map(textOf).join("")}

class CrbClient:
    """
    One method for each operation of a CRB of a service provider. The object has its ids, and functions accept it in place of
    a \`Crb\`.
    """

    def __init__(self, client: Operations, sp_id: str, crb_id: str) -> None:
        self.client, self.sp_id, self.crb_id = client, sp_id, crb_id
${ofCrbs.map(textOfCrb).join("")}`;
    return { text, inputs };
  });
}

interface Method {
  path: string;
  name: string;
  /** Parameters as Python declares them, without `self`: `sp_id: str`. */
  positional: string[];
  named: string[];
  type: string;
  /** The arguments of `_request`. */
  request: string;
  doc: string;
  /** For a list with pages: the type of a record, and the arguments of `_iterate`. */
  list: { record: string; pages: string } | undefined;
}

function methodOf(models: PythonModels, path: string, method: string, operation: Operation): Method {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const inPath = parameters.filter((one) => one.in === "path");
  const inQuery = parameters.filter((one) => one.in === "query");
  const isKeyed = parameters.some((one) => one.name === "Idempotency-Key");
  const body = requestBody?.content?.["application/json"];
  const result = responses["200"]?.content?.["application/json"]?.schema ?? {};
  const positional = [
    ...inPath.map(({ name, schema }) => `${snakeCase(name)}: ${models.typeOf(schema)}`),
    ...(body ? [`body: ${models.typeOf(body.schema)}${requestBody?.required ? "" : " | None = None"}`] : []),
  ];
  const named = [
    ...inQuery.map(({ name, schema }) => `${snakeCase(name)}: ${models.typeOf(schema)} | None = None`),
    ...(isKeyed ? ["idempotency_key: str | None = None"] : []),
  ];
  const values = (of: Parameter[]) => of.map(({ name }) => `"${name}": ${snakeCase(name)}`).join(", ");
  const sent = [
    ...(inPath.length > 0 ? [`{${values(inPath)}}`] : []),
    ...(inQuery.length > 0 ? [`${inPath.length > 0 ? "" : "query="}{${values(inQuery)}}`] : []),
    ...(body ? ["body=body"] : []),
    ...(isKeyed ? ["key=idempotency_key or str(uuid.uuid4())"] : []),
  ];
  const record = inQuery.some((one) => one.name === "offset") ? models.recordOf(result) : undefined;
  return {
    path,
    name: snakeCase(operationId),
    positional,
    named,
    type: models.typeOf(result),
    request: [`"${method.toUpperCase()}"`, `"${path}"`, ...sent].join(", "),
    doc: docstring(operation, inQuery),
    list: record ? { record, pages: `"${path}", {${values(inPath)}}, {${values(inQuery)}}` } : undefined,
  };
}

const signatureOf = (positional: string[], named: string[]): string =>
  ["self", ...positional, ...(named.length > 0 ? ["*", ...named] : [])].join(", ");

/** The method of an operation, and for a list with pages also the method that iterates over its records. */
function textOf({ name, positional, named, type, request, doc, list }: Method): string {
  const signature = signatureOf(positional, named);
  const call = `
    def ${name}(${signature}) -> ${type}:
${doc}        result: ${type} = self._request(${request})
        return result
`;
  if (!list) return call;
  return `${call}
    def ${iteratorOf(name)}(${signature}) -> Iterator[${list.record}]:
        """All records of \`${name}\`, page by page. \`limit\` is the size of a page. A record may come twice."""
        return self._iterate(${list.pages})
`;
}

/** The same methods without the ids of the provider and the CRB. */
function textOfCrb({ name, positional, named, type, list }: Method): string {
  const own = positional.slice(2);
  const nameOf = (parameter: string) => parameter.slice(0, parameter.indexOf(":"));
  const passed = [
    "self.sp_id",
    "self.crb_id",
    ...own.map(nameOf),
    ...named.map((one) => `${nameOf(one)}=${nameOf(one)}`),
  ].join(", ");
  const short = name.replace("_crb", "");
  const methodText = (method: string, called: string, result: string) => `
    def ${method}(${signatureOf(own, named)}) -> ${result}:
        """See \`Client.${called}\`."""
        return self.client.${called}(${passed})
`;
  return (
    methodText(short, name, type) +
    (list ? methodText(iteratorOf(short), iteratorOf(name), `Iterator[${list.record}]`) : "")
  );
}

const iteratorOf = (name: string): string => `iter_${name.replace(/^list_/, "")}`;

function docstring({ summary, description: text, deprecated }: Operation, query: Parameter[]): string {
  const lines = [
    `${deprecated ? "Deprecated. " : ""}${summary ?? ""}.`,
    ...(text ? ["", ...text.split("\n")] : []),
    ...(query.length > 0 ? ["", ...query.map((one) => `${snakeCase(one.name)}: ${one.description ?? ""}`)] : []),
  ];
  return `        r"""\n${lines.map((line) => (line ? `        ${line}` : "")).join("\n")}\n        """\n`;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
