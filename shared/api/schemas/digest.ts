import * as z from "zod";

/** The digest of a set of records (docs/spec.md#digests). */
export const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ id: "Digest", description: "Digest of a set of records, 64 hex digits" });
