import { expect, test } from "vitest";
import { RecentIds } from "../../../../shared/store/orderedList/recentIds.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 10) + seconds * 1_000);

test("an id is remembered for at least one minute and at most two", () => {
  const ids = new RecentIds();
  ids.add("a", at(0));
  ids.add("b", at(59));
  expect(ids.hasAny(["x", "a"], at(59))).toBe(true);
  expect(ids.hasAny(["x"], at(59))).toBe(false);
  expect(ids.hasAny([], at(59))).toBe(false);
  // The first minute is over: its ids are now in the older part.
  expect(ids.hasAny(["a"], at(60))).toBe(true);
  ids.add("c", at(61));
  expect(ids.hasAny(["b"], at(119))).toBe(true);
  expect(ids.hasAny(["a"], at(120))).toBe(false);
  expect(ids.hasAny(["c"], at(120))).toBe(true);
  expect(ids.hasAny(["c"], at(179))).toBe(true);
  expect(ids.hasAny(["c"], at(180))).toBe(false);
});

test("all ids are forgotten after two minutes without a call", () => {
  const ids = new RecentIds();
  ids.add("a", at(0));
  expect(ids.hasAny(["a"], at(120))).toBe(false);
  ids.add("b", at(120));
  expect(ids.hasAny(["b"], at(239))).toBe(true);
});
