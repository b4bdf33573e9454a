import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addDigests,
  digestRecord,
  emptyDigest,
  formatDigest,
  packDigest,
  type RecordDigest,
  subtractDigests,
  unpackDigest,
} from "../../../shared/store/recordDigest.ts";

const records = [
  ["6f0f8f57-5d0c-4a53-9f0b-2f5a3a1c9d10", "2026-03-01T10:00:00.000Z"],
  ["b7b0c0a2-52c5-4a37-9b0e-7a3f8b1f6f0d", "2026-03-02T11:30:00.125Z"],
  ["0d9b6a0c-3f4e-4f0e-8c55-0a6c1f7c9be1", "2026-12-31T23:59:59.999Z"],
] as const;

const digestOf = (some: readonly (readonly [id: string, updated: string])[]) =>
  some.reduce<RecordDigest>(
    (sum, [id, updated]) => addDigests(sum, digestRecord(id, { svc_updated_date: updated })),
    emptyDigest,
  );

test("the digest of one record is the SHA-256 of its id, a space and its update time", () => {
  const text = "6f0f8f57-5d0c-4a53-9f0b-2f5a3a1c9d10 2026-03-01T10:00:00.000Z";
  expect(formatDigest(digestOf(records.slice(0, 1)))).toBe(createHash("sha256").update(text).digest("hex"));
});

test("the digest of several records adds eight big-endian numbers modulo 2^32", () => {
  const hashes = records.map(([id, updated]) => createHash("sha256").update(`${id} ${updated}`).digest());
  const numbers = Array.from({ length: 8 }, (_, i) =>
    hashes.reduce((sum, hash) => sum + BigInt(hash.readUInt32BE(4 * i)), 0n),
  );
  // At least one sum must exceed 32 bits.
  expect(numbers.some((number) => number >= 2n ** 32n)).toBe(true);
  const hex = numbers.map((number) => (number % 2n ** 32n).toString(16).padStart(8, "0")).join("");
  expect(formatDigest(digestOf(records))).toBe(hex);
});

test("the digest of no records is 64 zeros", () => {
  expect(formatDigest(emptyDigest)).toBe("0".repeat(64));
});

const digest = fc.array(fc.nat(2 ** 32 - 1), { minLength: 8, maxLength: 8 });

test("subtracting the added records gives the former digest", () => {
  void fc.assert(
    fc.property(digest, digest, (one, other) => {
      expect(subtractDigests(addDigests(one, other), other)).toEqual(one);
      expect(addDigests(subtractDigests(one, other), other)).toEqual(one);
    }),
  );
});

test("a packed digest takes 32 bytes and is read back, even from the middle of a buffer", () => {
  void fc.assert(
    fc.property(digest, digest, (one, other) => {
      const both = Buffer.concat([packDigest(one), packDigest(other)]);
      expect(both).toHaveLength(64);
      expect([unpackDigest(both.subarray(0, 32)), unpackDigest(both.subarray(32))]).toEqual([one, other]);
    }),
  );
});
