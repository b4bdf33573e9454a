import type { APIGatewayProxyEvent } from "aws-lambda";
import { ServiceError } from "./errors.ts";
import { headerOf } from "./headers.ts";
import type { Operation, Route } from "./operation.ts";

/** A request, with the door it came through. */
export type Routed = APIGatewayProxyEvent & { route: Route };

/** A request's body as JSON: its value (undefined when there is no body), or why it cannot be read. */
export type ReadBody = { value: unknown } | { unreadable: string };

/** Whether the requests of a route may have a body; that of others is ignored. */
export const takesBody = ({ method }: Pick<Route, "method">): boolean => method === "POST" || method === "PUT";

/**
 * Bytes that a body has at most, where it holds no document. Whatever a schema accepts is smaller, also with each
 * character written as `\u` and four digits.
 */
const largest = 1024 * 1024;

/**
 * Refuses a body that is larger than any request of its operation, before it costs anything to read.
 *
 * @throws ServiceError "tooLarge"
 */
export function limitBody({ holdsDocument }: Operation, { body, isBase64Encoded, route }: Routed): void {
  // How large a document is, is for its operation to say.
  if (holdsDocument || !body || !takesBody(route)) return;
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > largest) throw new ServiceError("tooLarge");
}

/** Whether a body, if there is one, is sent as JSON; it is taken for that where the caller does not say. */
export const isSentAsJson = (event: APIGatewayProxyEvent): boolean =>
  /^application\/json\s*(;|$)/i.test((headerOf(event, "content-type") ?? "application/json").trim());

/** Reads the body; anything but JSON in UTF-8 is unreadable (contract 1: 422 on `body`). */
export function readBody(event: Routed): ReadBody {
  if (!event.body || !takesBody(event.route)) return { value: undefined };
  if (!isSentAsJson(event)) return { unreadable: "must be sent as application/json" };
  try {
    return {
      value: JSON.parse(event.isBase64Encoded ? Buffer.from(event.body, "base64").toString("utf8") : event.body),
    };
  } catch {
    return { unreadable: "must be JSON" };
  }
}
