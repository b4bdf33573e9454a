import { expect, test } from "vitest";
import { type DayIndex, hasConsistentYears, newDayIndex } from "../../../../shared/store/orderedList/dayIndex.ts";

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
