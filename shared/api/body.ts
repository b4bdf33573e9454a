import type { APIGatewayProxyEvent } from "aws-lambda";
import { headerOf } from "./headers.ts";

/** A request's body as JSON: its value (undefined when there is no body), or why it cannot be read. */
export type ReadBody = { value: unknown } | { unreadable: string; text: string };

/** Reads the body; anything but JSON in UTF-8 is unreadable (contract 1: 422 on `body`). */
export function readBody(event: APIGatewayProxyEvent): ReadBody {
  if (!event.body) return { value: undefined };
  const text = event.isBase64Encoded ? Buffer.from(event.body, "base64").toString("utf8") : event.body;
  const contentType = headerOf(event, "content-type") ?? "application/json";
  if (!/^application\/json\s*(;|$)/i.test(contentType.trim())) {
    return { unreadable: "must be sent as application/json", text };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { unreadable: "must be JSON", text };
  }
}
