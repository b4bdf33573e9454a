import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import type { InputLocation } from "../api/collectInvalidFields.ts";
import { ServiceError } from "../api/errors.ts";
import type { Operation, Route } from "../api/operation.ts";
import { contentTypes, takesBody } from "../api/operation.ts";
import { headerOf, headersOf } from "./headers.ts";

/** A request with its matched route. */
export type Routed = APIGatewayProxyEvent & { route: Route };

/**
 * What an operation reads of a request, by location, before validation. It is made once for each request, when it arrives; the
 * body is read when it is first needed, because a request can be rejected before.
 */
export interface Received extends Readonly<Record<InputLocation, unknown>> {
  /** The path parameters by name. */
  path: Readonly<Record<string, string | undefined>>;
  /** The query parameters by name: the value, or a list of all values if the parameter is repeated. */
  query: Readonly<Record<string, unknown>>;
  /** The headers that the operation reads, by lower-case name. */
  header: Readonly<Record<string, string | undefined>>;
  /** Whether the body is a form. */
  isForm: boolean;
  /** The value of the body; undefined without a body, and for one that cannot be read. */
  body: unknown;
  /** Why the body cannot be read (docs/spec.md#transport: 422 on `body`); undefined if it can. */
  unreadable: string | undefined;
}

/** What an operation reads of a request. The body must have been limited before it is read. */
export function receive(operation: Operation, event: Routed): Received {
  let body: ReadBody | undefined;
  const read = () => {
    body ??= readBody(operation, event);
    return body;
  };
  return {
    path: event.pathParameters ?? {},
    query: queryOf(event),
    header: headersOf(event, Object.keys(headerSchema(operation, event.route).shape)),
    isForm: formatOf(operation, event) === "form",
    get body() {
      return read().value;
    },
    get unreadable() {
      return read().unreadable;
    },
  };
}

/** The schema for an operation without parameters at a place. */
export const nothing = z.object({});
/**
 * The headers of a `POST` that cannot recognize a repetition. A caller that sends a key relies on it, so the key must not be
 * ignored (docs/spec.md#idempotency).
 */
const withoutRepetition = z.object({
  "idempotency-key": z.never({ error: "is not supported by this operation, so a repetition may act twice" }).optional(),
});

/** The schema of the headers that a route reads. */
export const headerSchema = ({ headers }: Operation, { method }: Route): z.ZodObject =>
  headers ?? (method === "POST" ? withoutRepetition : nothing);

const queryOf = (event: APIGatewayProxyEvent): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event.multiValueQueryStringParameters ?? {}).map(([name, values]) => [
      name,
      values?.length === 1 ? values[0] : values,
    ]),
  );

/**
 * Maximum number of bytes of a body, unless the body holds a document or the operation sets a lower limit. Every body
 * that a schema accepts is smaller, even if each of its characters is escaped as `\u` and four digits.
 */
const defaultMaxBytes = 1024 * 1024;

/**
 * API Gateway and `Buffer` replace bytes that are not UTF-8 with this character. A body that contains it is rejected, because
 * the original bytes are unknown. The escape of JSON is accepted.
 */
const replacementCharacter = "\ufffd";

/**
 * Rejects a body above its operation's limit before the service parses it. Operations that accept documents check the
 * size of the document themselves.
 *
 * @throws ServiceError "tooLarge"
 */
export function limitBody(operation: Operation, { body, isBase64Encoded, route }: Routed): void {
  const { holdsDocument, maxBodyBytes = defaultMaxBytes } = operation;
  if (holdsDocument || !body || !takesBody(route)) return;
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > maxBodyBytes) throw new ServiceError("tooLarge");
}

/**
 * The format of a request's body. Without a `Content-Type` it is JSON.
 *
 * @returns undefined for a format that the operation does not accept
 */
export function formatOf({ form }: Pick<Operation, "form">, event: APIGatewayProxyEvent): "json" | "form" | undefined {
  const [type] = (headerOf(event, "content-type") ?? contentTypes.json).toLowerCase().split(";");
  if (type?.trim() === contentTypes.json) return "json";
  return form && type?.trim() === contentTypes.form ? "form" : undefined;
}

type ReadBody = { value: unknown; unreadable?: never } | { value?: never; unreadable: string };

function readBody(operation: Operation, event: Routed): ReadBody {
  if (!event.body || !takesBody(event.route)) return { value: undefined };
  const text = event.isBase64Encoded ? Buffer.from(event.body, "base64").toString("utf8") : event.body;
  if (text.includes(replacementCharacter)) return { unreadable: "must be valid UTF-8, without the character U+FFFD" };
  switch (formatOf(operation, event)) {
    case "form":
      return { value: parametersIn(text) };
    case "json":
      return jsonIn(text);
    default: {
      const { json, form } = contentTypes;
      return { unreadable: `must be sent as ${operation.form ? `${json} or ${form}` : json}` };
    }
  }
}

/** A parser may ignore a byte order mark (RFC 8259, 8.1); .NET and PowerShell send one. */
function jsonIn(text: string): ReadBody {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch {
    return { unreadable: "must be JSON" };
  }
}

/**
 * The parameters of a form by name: the value, or a list of all values if the parameter is repeated. A parameter
 * without a value counts as omitted (RFC 6749, 3.2).
 */
function parametersIn(text: string): Record<string, unknown> {
  const groups = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  const parameters = [...groups].map(([name, group]) => {
    const values = group.map(([, value]) => value);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return Object.fromEntries(parameters.filter(([, value]) => value !== ""));
}
