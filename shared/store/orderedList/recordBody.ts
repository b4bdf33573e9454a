import { createHash } from "node:crypto";

/**
 * SHA-256 of a record's content, cut to 128 bits. A different hash means that the record has changed. The dates that
 * the service sets do not affect the hash, because they are null in the content.
 */
export function contentHash(content: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
}

/** Renders the record's JSON text, byte for byte as callers get it, with the dates that the service sets. */
export function renderBody(content: Record<string, unknown>, dates: { created: string; updated: string }): string {
  const record = { ...content };
  if ("svc_created_date" in record) record.svc_created_date = dates.created;
  if ("svc_updated_date" in record) record.svc_updated_date = dates.updated;
  return JSON.stringify(record);
}
