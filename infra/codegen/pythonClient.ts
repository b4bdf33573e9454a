import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generateFile, root } from "./generatedFile.ts";
import { PythonModels, type Schema } from "./pythonModels.ts";

const description = "docs/openapi.json";
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

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const inputs = [
  description,
  relative(root, import.meta.filename),
  relative(root, import.meta.filename).replace("pythonClient", "pythonModels"),
];
const header = `"""Generated from ${description}."""\n\nfrom __future__ import annotations\n\n`;

/** Generates the types of the Python client, and one method for each operation, from `docs/openapi.json`. */
export async function generatePythonClient(): Promise<void> {
  const read = () => JSON.parse(readFileSync(join(root, description), "utf8")) as Description;
  await generateFile(`${folder}/models.py`, async () => {
    const imports = "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n";
    return { text: header + imports + new PythonModels(read().components.schemas).toText(), inputs };
  });
  await generateFile(`${folder}/_operations.py`, async () => {
    const { paths, components } = read();
    const models = new PythonModels(components.schemas, "models.");
    const methods = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => methodsOf(models, path, method, operation)),
    );
    const imports = `import uuid
from collections.abc import Iterator
from typing import Any, Literal

from . import models
from ._transport import Transport

`;
    const text = `${header}${imports}\nclass Operations(Transport):\n    """One method for each operation."""\n${methods.join("")}`;
    return { text, inputs };
  });
}

/** The method of an operation, and for a list with pages also the method that iterates over its records. */
function methodsOf(models: PythonModels, path: string, method: string, operation: Operation): string {
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
  const signature = ["self", ...positional, ...(named.length > 0 ? ["*", ...named] : [])].join(", ");
  const values = (of: Parameter[]) => of.map(({ name }) => `"${name}": ${snakeCase(name)}`).join(", ");
  const sent = [
    ...(inPath.length > 0 ? [`{${values(inPath)}}`] : []),
    ...(inQuery.length > 0 ? [`${inPath.length > 0 ? "" : "query="}{${values(inQuery)}}`] : []),
    ...(body ? ["body=body"] : []),
    ...(isKeyed ? ["key=idempotency_key or str(uuid.uuid4())"] : []),
  ];
  const at = [`"${method.toUpperCase()}"`, `"${path}"`, ...sent].join(", ");
  const type = models.typeOf(result);
  const name = snakeCase(operationId);
  const call = `
    def ${name}(${signature}) -> ${type}:
${docstring(operation, inQuery)}        result: ${type} = self._request(${at})
        return result
`;
  const record = inQuery.some((one) => one.name === "offset") ? models.recordOf(result) : undefined;
  if (!record) return call;
  return `${call}
    def iter_${name.replace(/^list_/, "")}(${signature}) -> Iterator[${record}]:
        """All records of \`${name}\`, page by page. \`limit\` is the size of a page. A record may come twice."""
        return self._iterate("${path}", {${values(inPath)}}, {${values(inQuery)}})
`;
}

function docstring({ summary, description: text, deprecated }: Operation, query: Parameter[]): string {
  const lines = [
    `${deprecated ? "Deprecated. " : ""}${summary ?? ""}.`,
    ...(text ? ["", ...text.split("\n")] : []),
    ...(query.length > 0 ? ["", ...query.map((one) => `${snakeCase(one.name)}: ${one.description ?? ""}`)] : []),
  ];
  return `        r"""\n${lines.map((line) => (line ? `        ${line}` : "")).join("\n")}\n        """\n`;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
