import { expect, test } from "vitest";
import { parseDay } from "../../../../../../shared/web/console/app/deposits/day.ts";

const now = Date.parse("2026-11-27T15:00Z");

test.each<[string, string]>([
  ["2026-11-26", "2026-11-26"],
  ["11/26/2026", "2026-11-26"],
  ["1/2/2026", "2026-01-02"],
  ["11-26-2026", "2026-11-26"],
  ["11/26/26", "2026-11-26"],
  ["2026/11/26", "2026-11-26"],
  ["20261126", "2026-11-26"],
  [" 11/26/2026 14:05:00 ", "2026-11-26"],
  ["2026-11-26T14:05:00.000Z", "2026-11-26"],
  ["02/29/2024", "2024-02-29"],
  ["11/28/2026", "2026-11-28"],
  ["2000-01-01", "2000-01-01"],
])("%s is the day %s", (text, day) => expect(parseDay(text, now)).toEqual({ day }));

test.each<[string, RegExp]>([
  ["", /no date/],
  ["yesterday", /no date/],
  ["26.11.2026", /no date/],
  ["46352", /no date/],
  ["2026-11", /no date/],
  ["11/31/2026", /has no day 31/],
  ["02/29/2026", /has no day 29/],
  ["02/30/2024", /has no day 30/],
  ["11/00/2026", /has no day 00/],
  ["26/11/2026", /no month 26/],
  ["00/11/2026", /no month 00/],
  ["12/31/1999", /before the year 2000/],
  ["0026-11-26", /before the year 2000/],
  ["11/29/2026", /future/],
  ["9999-12-31", /future/],
])("%s has a problem", (text, problem) =>
  expect(parseDay(text, now)).toEqual({ problem: expect.stringMatching(problem) }),
);
