import { createHash } from "node:crypto";

/** A digest over a set of records, independent of their order: eight numbers of 32 bits (docs/spec.md#digests). */
export type RecordDigest = readonly number[];

export const emptyDigest: RecordDigest = [0, 0, 0, 0, 0, 0, 0, 0];

const bytesPerNumber = 4;
export const digestBytes = bytesPerNumber * emptyDigest.length;

/** The dates of a record, as in its JSON text. Only a location has no `svc_updated_date`. */
export interface RecordDates {
  svc_created_date?: string;
  svc_updated_date?: string;
}

/** The digest of one record. That of a location is computed from its `svc_created_date`. */
export function digestRecord(id: string, { svc_created_date, svc_updated_date }: RecordDates): RecordDigest {
  const date = svc_updated_date ?? svc_created_date;
  return unpackDigest(createHash("sha256").update(`${id} ${date}`).digest());
}

/** Adds one digest to another, number by number modulo 2^32. */
export const addDigests = (one: RecordDigest, other: RecordDigest): RecordDigest =>
  one.map((number, i) => (number + (other[i] ?? 0)) >>> 0);

/** Subtracts the second digest from the first, number by number modulo 2^32. */
export const subtractDigests = (one: RecordDigest, other: RecordDigest): RecordDigest =>
  one.map((number, i) => (number - (other[i] ?? 0)) >>> 0);

/** Packs a digest for storage, 32 bytes. */
export function packDigest(digest: RecordDigest): Uint8Array {
  const bytes = Buffer.alloc(digestBytes);
  for (const [i, number] of digest.entries()) bytes.writeUInt32BE(number, i * bytesPerNumber);
  return bytes;
}

export function unpackDigest(packed: Uint8Array): RecordDigest {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  return emptyDigest.map((_, i) => bytes.readUInt32BE(i * bytesPerNumber));
}

/** The digest as the API returns it: 64 lower-case hex digits. */
export const formatDigest = (digest: RecordDigest): string => Buffer.from(packDigest(digest)).toString("hex");

export const parseDigest = (text: string): RecordDigest => unpackDigest(Buffer.from(text, "hex"));
