import fc from "fast-check";
import { expect, test } from "vitest";
import { NextRecords } from "../../../../shared/pos/framework/nextRecords.ts";

test("the next records after a key are kept, in whatever order they come, and the first of each key", () => {
  const keys = fc.array(
    fc.nat(60).map((number) => String(number).padStart(2, "0")),
    { maxLength: 150, size: "max" },
  );
  const after = fc.option(fc.nat(60).map((number) => String(number).padStart(2, "0")));
  fc.assert(
    fc.property(keys, after, fc.integer({ min: 1, max: 20 }), (keys, after, max) => {
      const kept = new NextRecords<number>(after, max);
      for (const [at, key] of keys.entries()) kept.add(key, at);
      const wanted = [...new Set(keys)].sort().filter((key) => after === null || key > after);
      const { records, hasMore } = kept.take();
      if (!hasMore) expect(records.length).toBe(wanted.length);
      expect(records.length).toBeGreaterThanOrEqual(Math.min(max, wanted.length));
      expect(records).toEqual(wanted.slice(0, records.length).map((key) => keys.indexOf(key)));
    }),
  );
});

test("records with the same key are joined, whatever is dropped meanwhile", () => {
  const keys = fc.array(
    fc.nat(30).map((number) => String(number).padStart(2, "0")),
    { maxLength: 150, size: "max" },
  );
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 10 }), (keys, max) => {
      const kept = new NextRecords<number[]>(null, max, (known, more) => [...known, ...more]);
      for (const [at, key] of keys.entries()) kept.add(key, [at]);
      const whole = Map.groupBy(keys.keys(), (at) => keys[at] as string);
      const wanted = [...whole].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, places]) => places);
      const { records } = kept.take();
      expect(records).toEqual(wanted.slice(0, records.length));
    }),
  );
});

test("surplus records are dropped while others are added", () => {
  let joins = 0;
  const kept = new NextRecords<number>(null, 100, (known) => {
    joins++;
    return known;
  });
  const keys = Array.from({ length: 125 }, (_, at) => String(at).padStart(3, "0"));
  for (const key of keys) kept.add(key, 0);
  // A dropped record is not known any more.
  kept.add("124", 0);
  expect(joins).toBe(0);
  kept.add("099", 0);
  expect(joins).toBe(1);
  expect(kept.take()).toMatchObject({ records: { length: 100 }, hasMore: true });
});
