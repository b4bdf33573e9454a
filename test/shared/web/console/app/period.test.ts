import { expect, test } from "vitest";
import { lastMonth, problemOfDays } from "../../../../../shared/web/console/app/period.ts";

test.each([
  ["2026-11-27T12:00", "2026-10-01", "2026-10-31"],
  ["2026-01-31T12:00", "2025-12-01", "2025-12-31"],
  ["2024-03-31T12:00", "2024-02-01", "2024-02-29"],
])("at %s, the last month is %s to %s", (now, start_date, end_date) =>
  expect(lastMonth(new Date(now))).toEqual({ start_date, end_date }),
);

test.each<[string, string, RegExp | undefined]>([
  ["2026-11-01", "2026-11-01", undefined],
  ["2025-01-01", "2026-02-04", undefined],
  ["2025-01-01", "2026-02-05", /at most 400/],
  ["2026-11-02", "2026-11-01", /before the first/],
  ["", "2026-11-01", /Choose the first/],
  ["2026-11-01", "soon", /Choose the first/],
])("the days %s to %s have the problem %s", (first, last, problem) => {
  const found = problemOfDays(first, last);
  if (problem) expect(found).toMatch(problem);
  else expect(found).toBeUndefined();
});
