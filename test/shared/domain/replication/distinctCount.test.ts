import { expect, test } from "vitest";
import { DistinctCount, maxExact } from "../../../../shared/domain/replication/distinctCount.ts";

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `sale ${from + i}`);

function countOf(all: readonly string[]): DistinctCount {
  const count = new DistinctCount();
  for (const id of all) count.add(id);
  return count;
}

test("up to 255 ids are counted exactly, however often and in whichever order they come", () => {
  const some = ids(0, maxExact - 1);
  const count = countOf([...some, ...some.toReversed()]);
  expect([count.count, count.isExact]).toEqual([maxExact - 1, true]);
  expect(count.add("sale 7")).toBe(false);
});

test.each([1_000, 20_000, 200_000])("%d ids are estimated within four standard errors", (size) => {
  const count = countOf(ids(0, size));
  expect(count.isExact).toBe(false);
  expect(Math.abs(count.count - size) / size).toBeLessThan(0.25);
  expect(count.bytes).toHaveLength(6 * maxExact);
});

test("ids that are counted in parts, stored and repeated give the same bytes as one count", () => {
  const whole = countOf(ids(0, 5_000));
  const part = new DistinctCount(countOf(ids(0, 3_000)).bytes);
  for (const id of ids(2_000, 4_000)) part.add(id);
  part.merge(countOf(ids(3_500, 5_000)));
  expect(part.bytes).toEqual(whole.bytes);
});

test("nothing is 0", () => {
  expect(new DistinctCount().count).toBe(0);
});
