import { createHash } from "node:crypto";

/** The fields of a record with the dates that the service sets. */
export const serviceDates: readonly string[] = ["svc_created_date", "svc_updated_date"];

/** SHA-256 of a record's content without `serviceDates`, cut to 128 bits. */
export function contentHash(content: Record<string, unknown>): string {
  const dates = serviceDates.filter((name) => name in content);
  const undated = { ...content, ...Object.fromEntries(dates.map((name) => [name, null])) };
  return createHash("sha256").update(JSON.stringify(undated)).digest("base64url").slice(0, 22);
}
