import { expect, test } from "vitest";
import { offsetInstant } from "../../../../../shared/pos/connectors/treez/treezPull.ts";

test.each([
  ["2026-01-11T21:56:05.000Z", "America/Los_Angeles", "2026-01-11T13:56:05.000-08:00"],
  ["2026-07-11T21:56:05.123Z", "America/Denver", "2026-07-11T15:56:05.123-06:00"],
  ["2026-07-11T21:56:05.123Z", "Pacific/Guam", "2026-07-12T07:56:05.123+10:00"],
  ["2026-07-11T21:56:05.123Z", "UTC", "2026-07-11T21:56:05.123+00:00"],
])("%s in %s is written as %s", (instant, timezone, expected) => {
  expect(offsetInstant(new Date(instant), timezone)).toBe(expected);
});
