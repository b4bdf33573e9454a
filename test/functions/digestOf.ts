import { createHash } from "node:crypto";

/** The digest of records (docs/spec.md#digests) as callers compute it, without the code under test. */
export function digestOf(
  records: Iterable<{ id: string; svc_created_date?: string; svc_updated_date?: string }>,
): string {
  const sums = new Uint32Array(8);
  for (const { id, svc_created_date, svc_updated_date } of records) {
    const hash = createHash("sha256")
      .update(`${id} ${svc_updated_date ?? svc_created_date}`)
      .digest();
    sums.forEach((sum, i) => {
      sums[i] = sum + hash.readUInt32BE(4 * i);
    });
  }
  return [...sums].map((sum) => sum.toString(16).padStart(8, "0")).join("");
}
