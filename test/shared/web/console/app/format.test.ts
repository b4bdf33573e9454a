import { expect, test } from "vitest";
import {
  addDays,
  isoDay,
  lastMonth,
  measureIn,
  periodOf,
  titleOf,
  waitSince,
  withDays,
} from "../../../../../shared/web/console/app/format.ts";

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
  expect(periodOf("2025-11-02", "2025-11-02")).toBe("Nov 2, 2025");
  expect(periodOf("2025-11-02", "2025-11-08")).toBe("Nov 2, 2025 to Nov 8, 2025");
});

test("dates in sentences are those of the page", () => {
  expect(withDays("No sale from 2025-11-02 to 2025-11-03.")).toBe("No sale from Nov 2, 2025 to Nov 3, 2025.");
});

test.each([
  ["2026-11-29T12:00:00Z", "less than a day"],
  ["2026-11-28T12:00:00Z", "1 day"],
  ["2026-11-26T13:00:00Z", "2 days"],
  ["2026-11-30T12:00:00Z", "less than a day"],
])("a document of %s waits %s", (date, words) => {
  expect(waitSince(date, Date.parse("2026-11-29T12:00:00Z"))).toBe(words);
});

test.each([
  ["2026-11-27T12:00", "2026-10-01", "2026-10-31"],
  ["2026-01-31T12:00", "2025-12-01", "2025-12-31"],
  ["2024-03-31T12:00", "2024-02-01", "2024-02-29"],
])("at %s, the last month is %s to %s", (now, first, last) => expect(lastMonth(new Date(now))).toEqual([first, last]));

test("a day is that of a time zone", () => {
  const time = new Date("2026-11-28T03:30:00Z");
  expect(isoDay(time, "America/Denver")).toBe("2026-11-27");
  expect(isoDay(time, "UTC")).toBe("2026-11-28");
});

test("days are added across the end of a year", () => {
  expect(addDays("2025-12-31", 1)).toBe("2026-01-01");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
});

test("the title of an insight about sales names the receipt and the rules", () => {
  const rule = { id: "CO.adult.sale_equivalent", name: "All cannabis in one sale" };
  const sale = { id: "1", pos_sale_id: "671672", rules: [rule] };
  const insight = (code: string, measured: number, sales: object[]) =>
    ({ code, measured, end_date: "2025-11-20", sentence: "A sale on 2025-11-20.", inputs: { sales } }) as never;
  expect(titleOf(insight("flagged_sale", 1, [sale]))).toBe(
    "Sale 671672 breaks a rule: all cannabis in one sale, Nov 20, 2025",
  );
  expect(titleOf(insight("flagged_sale", 1, [{ ...sale, pos_sale_id: null }]))).toMatch(/^Sale 1 breaks a rule:/);
  expect(titleOf(insight("flagged_sale", 2, [sale, sale]))).toMatch(/^2 sales break rules: all cannabis in one sale,/);
  // An insight names a part of many sales, and only their rules.
  expect(titleOf(insight("flagged_sale", 57, [sale, sale]))).toMatch(
    /^57 sales break rules, 2 of them: all cannabis in one sale,/,
  );
  expect(titleOf(insight("flagged_sale", 1, []))).toBe("A sale on Nov 20, 2025.");
  expect(titleOf(insight("large_cash_payment", 1, [sale]))).toBe("A sale on Nov 20, 2025.");
});
