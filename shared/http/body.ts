import type { APIGatewayProxyEvent } from "aws-lambda";
import { ServiceError } from "../api/errors.ts";
import type { Operation, Route } from "../api/operation.ts";
import { contentTypes, takesBody } from "../api/operation.ts";
import { headerOf } from "./headers.ts";

/** A request with its matched route. */
export type Routed = APIGatewayProxyEvent & { route: Route };

/** The value of a request's body (undefined without a body), or the reason why it cannot be read. */
export type ReadBody = { value: unknown } | { unreadable: string };

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

/** Reads the body. A format that the operation does not accept is unreadable (docs/spec.md#transport: 422 on `body`). */
export function readBody(operation: Operation, event: Routed): ReadBody {
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
