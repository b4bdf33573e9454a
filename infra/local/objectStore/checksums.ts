import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { StoreError } from "./storeError.ts";

const digest = (algorithm: string) => (content: Uint8Array) => createHash(algorithm).update(content).digest("base64");

function crc32Of(content: Uint8Array): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  return bytes.toString("base64");
}

/** The checksum function of each header that can carry a checksum. */
const sums: Record<string, (content: Uint8Array) => string> = {
  "content-md5": digest("md5"),
  "x-amz-checksum-crc32": crc32Of,
  "x-amz-checksum-sha1": digest("sha1"),
  "x-amz-checksum-sha256": digest("sha256"),
};

/**
 * Compares a content with every checksum in the request.
 *
 * @param sent headers and link parameters, by lower-case name
 * @throws StoreError if a checksum differs, or this store does not support its algorithm
 */
export function checkSums(content: Uint8Array, sent: Record<string, unknown>): void {
  const named = Object.entries(sent).filter(([name]) => name in sums || name.startsWith("x-amz-checksum-"));
  for (const [name, value] of named) {
    const sum = sums[name];
    if (!sum) throw new StoreError("NotImplemented", "The local stage does not support this kind of checksum.");
    if (sum(content) !== value)
      throw new StoreError("BadDigest", "The checksum of the content differs from the one that was sent.");
  }
  const hash = sent["x-amz-content-sha256"];
  if (hash === undefined || hash === "UNSIGNED-PAYLOAD") return;
  if (String(hash).startsWith("STREAMING-"))
    throw new StoreError("NotImplemented", "The local stage does not support chunked signing.");
  if (createHash("sha256").update(content).digest("hex") !== hash) {
    throw new StoreError("XAmzContentSHA256Mismatch", "The content differs from the signed content.");
  }
}
