import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countAges, readFreshness } from "../../../../shared/domain/replication/freshness.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();
const hour = 3_600_000;
let next = Date.parse("2026-03-01T10:00:00.000Z");

/** A time in an hour, and in one before it, that no other test has used. */
function unusedTime(): Date {
  next += 3 * hour;
  return new Date(next);
}

test("a planner that finds nothing due still shows that it ran", async () => {
  const now = unusedTime();
  expect(await readFreshness(table(), now)).toEqual({ plannedAt: null, kinds: [] });
  await countAges(table(), [], now);
  expect(await readFreshness(table(), now)).toEqual({ plannedAt: now.toISOString(), kinds: [] });
});

test("the median and the oldest age are those of all ages, rounded up to their classes, whichever planner found them", async () => {
  const seconds = fc.integer({ min: 0, max: 20_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(seconds, { minLength: 1, maxLength: 12 }), fc.nat(12), async (ages, split) => {
      const now = unusedTime();
      const found = ages.map((age) => ({ kind: "sale" as const, seconds: age }));
      await countAges(table(), found.slice(0, split), new Date(now.getTime() - hour));
      await countAges(table(), found.slice(split), now);
      const { plannedAt, kinds } = await readFreshness(table(), now);
      expect(plannedAt).toBe(now.toISOString());
      const inOrder = ages.toSorted((a, b) => a - b);
      const [sales] = kinds;
      const middle = inOrder[Math.ceil(ages.length / 2) - 1] ?? 0;
      for (const [shown, age] of [
        [sales?.median ?? 0, middle],
        [sales?.oldest ?? 0, inOrder.at(-1) ?? 0],
      ] as const) {
        expect(shown * 60).toBeGreaterThanOrEqual(age);
        // The next lower class is at least half of a class.
        expect(shown <= 1 || (shown * 60) / 2.5 < age).toBe(true);
      }
      expect(kinds).toHaveLength(1);
    }),
    { numRuns: 20 },
  );
});

test("an age beyond the last class counts in the last class", async () => {
  const now = unusedTime();
  await countAges(table(), [{ kind: "product", seconds: 10 ** 9 }], now);
  expect((await readFreshness(table(), now)).kinds).toEqual([{ kind: "product", median: 10_080, oldest: 10_080 }]);
});

test("the ages of a slower planner with an earlier time count, too", async () => {
  const now = unusedTime();
  await countAges(table(), [], now);
  await countAges(table(), [{ kind: "sale", seconds: 60 }], new Date(now.getTime() - 1_000));
  expect((await readFreshness(table(), now)).kinds).toEqual([{ kind: "sale", median: 1, oldest: 1 }]);
});
