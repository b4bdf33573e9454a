import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Send } from "../../clients/typescript/withRetries.ts";
import type { Description } from "../../shared/api/openapi/openApi.ts";

interface Value {
  required?: boolean;
  schema: object;
}

interface Parameter extends Value {
  in: "path" | "query" | "header";
  name: string;
}

interface Content {
  content?: Record<string, { schema: object }>;
}

interface DescribedOperation {
  security: object[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Reference | DescribedResponse>;
}

interface DescribedResponse extends Content {
  headers?: Record<string, Reference | Value>;
}

interface Reference {
  $ref: string;
}

/**
 * Returns a function that sends a request and checks the request and its response against an OpenAPI description: path,
 * parameters, credential, content types, status, headers and bodies. Ajv does the checks, not the service's own schemas,
 * because a client has only the description.
 *
 * @param baseUrl the address of the stage, without a slash at its end
 * @returns a function that throws an error with all violations of a part
 */
export function sendValidated(description: Description, baseUrl: string, send: Send = fetch): Send {
  const check = schemaCheck(description);
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url.slice(baseUrl.length), "http://stage");
    const { at, operation, pathValues } = findOperation(description, request.method, pathname);
    const parameters = (place: Parameter["in"]) => (operation.parameters ?? []).filter((one) => one.in === place);
    check(`${at}, path`, textsSchema(parameters("path"), true), pathValues);
    check(`${at}, query`, textsSchema(parameters("query"), true), Object.fromEntries(searchParams));
    check(`${at}, headers`, textsSchema(parameters("header")), Object.fromEntries(request.headers));
    const { security, requestBody, responses } = operation;
    const needsCredential = security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
    if (needsCredential && !request.headers.has("Authorization")) fail(`${at}, headers`, "the credential is missing");
    const isBodyAbsent = !request.body && !requestBody?.required;
    if (!isBodyAbsent) await checkBody(check, `${at}, body`, requestBody, request.clone());

    const response = await send(request);
    const answer = `${at}, response ${response.status}`;
    const described = resolve<DescribedResponse>(description, responses[response.status] ?? fail(answer, undescribed));
    const headers = Object.entries(described.headers ?? {}).map(([name, header]) => ({
      ...resolve<Value>(description, header),
      name,
    }));
    check(`${answer}, headers`, textsSchema(headers), Object.fromEntries(response.headers));
    const isEmpty = !described.content && (await response.clone().text()) === "";
    if (!isEmpty) await checkBody(check, `${answer}, body`, described, response.clone());
    return response;
  };
}

const undescribed = "it is not in the description";

function fail(at: string, violation: string): never {
  throw new Error(`${at}: ${violation}`);
}

type Check = (at: string, schema: object, value: unknown) => void;

/** A check that compiles each schema once. It reads texts of parameters as the numbers and Booleans that they stand for. */
function schemaCheck({ components }: Description): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const textAjv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: true });
  for (const each of [ajv, textAjv]) addFormats.default(each);
  const compiled = new Map<string, ValidateFunction>();
  return (at, schema, value) => {
    const key = JSON.stringify(schema);
    const isValid = compiled.get(key) ?? ("ofTexts" in schema ? textAjv : ajv).compile({ ...schema, components });
    compiled.set(key, isValid);
    if (!isValid(value)) fail(at, ajv.errorsText(isValid.errors, { dataVar: "" }));
  };
}

/** The schema of an object with these parameters or headers. Names of headers are compared in lower case. */
function textsSchema(values: (Value & Pick<Parameter, "name">)[], closed = false): object {
  const named = values.map(({ name, ...value }) => [closed ? name : name.toLowerCase(), value] as const);
  return {
    ofTexts: true,
    type: "object",
    properties: Object.fromEntries(named.map(([name, { schema }]) => [name, schema])),
    required: named.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: !closed,
  };
}

async function checkBody(check: Check, at: string, described: Content | undefined, message: Request | Response) {
  const type = message.headers.get("Content-Type") ?? "no content type";
  const { schema } = described?.content?.[type] ?? fail(at, `${type} is not in the description`);
  const text = await message.text();
  check(at, schema, type.includes("form") ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text));
}

function findOperation({ paths }: Description, method: string, pathname: string) {
  for (const [path, operations] of Object.entries(paths ?? {})) {
    const match = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(pathname);
    const operation = (operations as Record<string, unknown>)[method.toLowerCase()] as DescribedOperation | undefined;
    if (match && operation) return { at: `${method} ${path}`, operation, pathValues: { ...match.groups } };
  }
  return fail(`${method} ${pathname}`, undescribed);
}

/** Returns a part of the description, or the component that it refers to. */
function resolve<Part extends object>({ components }: Description, part: Reference | Part): Part {
  if (!("$ref" in part)) return part;
  const [group = "", name = ""] = part.$ref.replace("#/components/", "").split("/");
  return (components as Record<string, Record<string, Part>>)[group]?.[name] ?? fail(part.$ref, undescribed);
}
