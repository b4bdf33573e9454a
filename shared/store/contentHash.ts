import { createHash } from "node:crypto";

/**
 * SHA-256 of a record's content, cut to 128 bits. A different hash means that the record has changed. The dates that
 * the service sets do not affect the hash, because they are null in the content.
 */
export function contentHash(content: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
}
