import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { dayIndexKey } from "../../../../shared/store/keys/orderedLists.ts";
import {
  type DayIndex,
  hasConsistentYears,
  loadDayIndexes,
  newDayIndex,
  packDays,
  unpackDays,
} from "../../../../shared/store/orderedList/dayIndex.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { interceptCalls, newList } from "./listUnderTest.ts";

const table = await createTestTable();

test.each([true, false])("a window has the day indexes of its years, consistent or not: %s", async (consistent) => {
  const { list, clock, write } = await newList(table);
  for (const [name, year] of [2024, 2025, 2026].entries()) {
    clock.time = Date.parse(`${year}-03-01T10:00:00.000Z`);
    await write([name]);
  }
  const yearsOf = async (window: { from?: string; to?: string }) =>
    (await loadDayIndexes(table, list.orders.rank, window, { consistent })).map(({ year }) => year);
  expect(await yearsOf({})).toEqual(["2024", "2025", "2026"]);
  expect(await yearsOf({ from: "2024-05-01", to: "2025-05-01" })).toEqual(["2024", "2025"]);
  expect(await yearsOf({ from: "2025-01-01", to: "2025-12-31" })).toEqual(["2025"]);
});

test("day indexes are read again if only one of them shows a transaction of both", async () => {
  const { list, clock, write } = await newList(table, { start: "2025-06-01T10:00:00.000Z" });
  await write([0]);
  clock.advance(365 * 24 * 3_600_000);
  await write([1]);
  const olderYear = async () => (await table.get(dayIndexKey(list.orders.rank, "2025"))) ?? expect.fail();
  const before = await olderYear();
  await write([0], 1);
  const after = await olderYear();
  await table.put(before);
  const reader = testTableOf(table);
  let queries = 0;
  interceptCalls(reader).before = async () => {
    if (queries++ === 1) await table.put(after);
  };
  const dayIndexes = await loadDayIndexes(reader, list.orders.rank);
  expect(queries).toBe(2);
  expect(dayIndexes.map(({ days }) => [...days.values()].map(({ active }) => active))).toEqual([[], [2]]);
});

const of = (year: string, version: number, others?: Record<string, number>): DayIndex => ({
  ...newDayIndex(year),
  version,
  others,
});

test.each<[string, DayIndex[], string, boolean]>([
  ["no year", [], "2025", true],
  ["only the newest year", [of("2026", 3, {})], "2025", true],
  ["a year that a later one has replaced", [of("2025", 3)], "2025", false],
  ["two years of one state", [of("2025", 7), of("2026", 3, { "2025": 7 })], "2025", true],
  ["an older year that has changed since", [of("2025", 8), of("2026", 3, { "2025": 7 })], "2025", false],
  ["a year that is missing", [of("2026", 3, { "2025": 7 })], "2025", false],
  ["a year before those that were read", [of("2026", 3, { "2025": 7 })], "2026", true],
  ["a year that the newest does not know", [of("2024", 1), of("2025", 7), of("2026", 3, { "2025": 7 })], "2024", false],
  ["a newest year that is not the newest any more", [of("2025", 7, {}), of("2026", 3)], "2025", false],
])("%s: the day indexes are consistent or not", (_, dayIndexes, from, fits) => {
  expect(hasConsistentYears(dayIndexes, from)).toBe(fits);
});

test("the active count of a day is stored only if the day has empty slots", () => {
  const days = new Map([
    ["2026-03-15", { allocated: 500, active: 500 }],
    ["2026-03-16", { allocated: 500, active: 0 }],
  ]);
  const packed = packDays(days);
  expect(inflateRawSync(packed).toString()).toBe('{"03-15":[500],"03-16":[500,0]}');
  expect(unpackDays("2026", packed)).toEqual(days);
});
