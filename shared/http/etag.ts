import { hash } from "node:crypto";

/** The weak entity tag of a text (RFC 9110, 8.8.3): 128 bits of its SHA-256. */
export const weakTag = (text: string): string => `W/"${hash("sha256", text, "base64url").slice(0, 22)}"`;

/**
 * Whether an `If-None-Match` header contains an entity tag, by weak comparison (RFC 9110, 13.1.2). A malformed header
 * contains no tag.
 *
 * @param header a list of tags, or `*` for any
 */
export function hasMatchingTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const [own] = opaqueTags(tag);
  return header.trim() === "*" || opaqueTags(header).some((opaque) => opaque === own);
}

/** The opaque tags of a list, without their `W/` prefix. */
const opaqueTags = (header: string): string[] => [...header.matchAll(/"([^"]*)"/g)].map(([, opaque = ""]) => opaque);
