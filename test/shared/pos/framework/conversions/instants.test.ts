import { expect, test } from "vitest";
import {
  plainDay,
  statesOffset,
  statesZone,
  utcInstant,
  wallClock,
} from "../../../../../shared/pos/framework/conversions/instants.ts";

test.each<[string | null, string | null]>([
  ["2026-03-10T19:30:00Z", "2026-03-10T19:30:00.000Z"],
  ["2026-03-10T19:30:00", "2026-03-10T19:30:00.000Z"],
  ["2026-03-10T19:30", "2026-03-10T19:30:00.000Z"],
  ["2026-03-10 19:30:00.5", "2026-03-10T19:30:00.500Z"],
  ["2026-03-10T19:30:00.1234567Z", "2026-03-10T19:30:00.123Z"],
  ["2026-03-10T19:30:00.123456789", "2026-03-10T19:30:00.123Z"],
  ["2026-03-10T12:30:00.000-0700", "2026-03-10T19:30:00.000Z"],
  ["2026-03-10T12:30:00-07:00", "2026-03-10T19:30:00.000Z"],
  ["2026-03-11T01:00:00+05:30", "2026-03-10T19:30:00.000Z"],
  ["2026-02-30T00:00:00Z", null],
  ["2026-13-01T00:00:00Z", null],
  ["2026-03-10T24:30:00Z", null],
  ["0001-01-01T00:00:00", null],
  ["1900-01-01T00:00:00", null],
  ["1999-12-31T23:59:59Z", null],
  ["yesterday", null],
  ["2026-03-10", null],
  ["09/12/2023 14:05:06", "2023-09-12T14:05:06.000Z"],
  ["09/12/2023 14:05", "2023-09-12T14:05:00.000Z"],
  ["09/12/2023", null],
  ["9/12/2023 2:05:06 PM", null],
  ["13/12/2023 14:05:06", null],
  ["01/01/1900 00:00:00", null],
  ["N/A", null],
  ["", null],
  [null, null],
])("the text %s is the instant %s", (text, expected) => {
  expect(utcInstant(text)).toBe(expected);
});

test.each<[string | null, string | null]>([
  ["2026-03-10T12:30:00-07:00", "2026-03-10 12:30:00.000"],
  ["2026-03-10T12:30:00.25Z", "2026-03-10 12:30:00.250"],
  ["0001-01-01T00:00:00", null],
  [null, null],
])("the text %s shows the local time %s", (text, expected) => {
  expect(wallClock(text)).toBe(expected);
});

test("an offset is distinguished from `Z` and from a text without a zone", () => {
  const texts = [
    "2026-03-10T12:30:00-07:00",
    "2026-03-10T12:30:00+0000",
    "2026-03-10T12:30:00Z",
    "2026-03-10T12:30:00",
  ];
  expect(texts.map(statesOffset)).toEqual([true, true, false, false]);
});

test("a text with a zone is recognized", () => {
  const texts = ["2026-03-10T12:30:00Z", "2026-03-10 12:30:00 -07:00", "2026-03-10T12:30:00", "2026-03-10", null];
  expect(texts.map(statesZone)).toEqual([true, true, false, false, false]);
});

test.each<[string | null, string | null]>([
  ["1980-02-29T00:00:00", "1980-02-29"],
  ["1980-02-29T23:00:00-07:00", "1980-02-29"],
  ["1980-02-29", "1980-02-29"],
  ["2027-03-31 00:00:00.000", "2027-03-31"],
  ["1981-02-29", null],
  ["1899-12-31", null],
  ["0001-01-01T00:00:00", null],
  ["02/29/1980", "1980-02-29"],
  ["09/12/1985 14:05:06", "1985-09-12"],
  ["13/12/1985", null],
  ["01/01/1900 00:00:00", null],
  ["1900-12-31", null],
  ["N/A", null],
  [null, null],
])("the day of %s is %s", (text, expected) => {
  expect(plainDay(text)).toBe(expected);
});
