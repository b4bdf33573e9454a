import { createHash } from "node:crypto";

/**
 * What decides whether a record has changed: SHA-256 of its content, cut to 128 bits. The dates that the service sets
 * are null in it.
 */
export function contentHash(content: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
}

/** The record's JSON text, the very bytes that callers get, with the service's dates in place. */
export function renderBody(content: Record<string, unknown>, dates: { created: string; updated: string }): string {
  const record = { ...content };
  if ("svc_created_date" in record) record.svc_created_date = dates.created;
  if ("svc_updated_date" in record) record.svc_updated_date = dates.updated;
  return JSON.stringify(record);
}
