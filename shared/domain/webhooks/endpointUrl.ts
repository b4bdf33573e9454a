import type { Fields } from "../../api/errors.ts";
import { findUrlIssue, maxUrlLength, type Resolve } from "../../platform/http/urlIssue.ts";

/** The normal form of the URL standard, which is stored and used for deliveries. @param sent a URL that `urlIssues` accepts */
export const normalUrl = (sent: string): string => new URL(sent).href;

/** Makes the checks of a body's `url` that the schema of the body does not make. */
export async function urlIssues(body: unknown, resolve?: Resolve): Promise<Fields> {
  const sent = typeof body === "object" && body !== null && "url" in body ? body.url : undefined;
  if (typeof sent !== "string" || sent === "" || sent.length > maxUrlLength) return {};
  const message = await findUrlIssue(sent, resolve);
  return message === undefined ? {} : { "body.url": { message } };
}
