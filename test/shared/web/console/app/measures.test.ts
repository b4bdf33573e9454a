import { expect, test } from "vitest";
import { measureIn, periodOf } from "../../../../../shared/web/console/app/measures.ts";

type Unit = Parameters<typeof measureIn>[1];

test.each<[number, Unit, string]>([
  [3_120_405, "cents", "$31,204.05"],
  [1, "sales", "1 sale"],
  [1_070, "sales", "1,070 sales"],
  [9, "days", "9 days"],
  [1, "licenses", "1 license"],
  [12.5, "percent", "12.5%"],
  [3, "plants" as Unit, "3 plants"],
])("%d %s are shown as %s", (value, unit, words) => {
  expect(measureIn(value, unit)).toBe(words);
});

test("a period of one day is the day", () => {
  expect(periodOf("2026-11-02", "2026-11-02")).toBe("Nov 2, 2026");
  expect(periodOf("2026-11-02", "2026-11-08")).toBe("Nov 2, 2026 to Nov 8, 2026");
});
