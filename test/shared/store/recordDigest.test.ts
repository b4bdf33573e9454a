import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addDigests,
  digestRecord,
  emptyDigest,
  formatDigest,
  packDigest,
  subtractDigests,
  unpackDigest,
} from "../../../shared/store/recordDigest.ts";
import { recordId } from "./orderedList/listUnderTest.ts";
import { expectedDigest } from "./salesDays/faultsOfTotals.ts";

test.each([0, 1, 30])("the digest of %i records is that of the specification", (count) => {
  const records = Array.from({ length: count }, (_, i) => ({
    id: recordId(i),
    svc_created_date: new Date(i).toISOString(),
    ...(i % 2 && { svc_updated_date: new Date(2 * i).toISOString() }),
  }));
  const digest = records.map(({ id, ...dates }) => digestRecord(id, dates)).reduce(addDigests, emptyDigest);
  expect(formatDigest(digest)).toBe(expectedDigest(records));
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
