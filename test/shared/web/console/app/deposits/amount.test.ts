import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCents } from "../../../../../../shared/web/console/app/deposits/amount.ts";

test.each<[string, number]>([
  ["3,115.00", 311_500],
  ["3115", 311_500],
  [" 1029.92 ", 102_992],
  ["0.29", 29],
  [".5", 50],
  ["12.", 1_200],
  ["12.3400", 1_234],
  ["$1,234,567.89", 123_456_789],
  ["(410.00)", -41_000],
  ["$(410.00)", -41_000],
  ["($410.00)", -41_000],
  ["-410", -41_000],
  ["−410", -41_000],
  ["410.00-", -41_000],
  ["-$410.00", -41_000],
  ["$-410.00", -41_000],
  ["+410", 41_000],
  ["100000000.00", 10_000_000_000],
  ["0.00", 0],
  ["(0)", 0],
])("%s is %i cents", (text, cents) => expect(parseCents(text)).toBe(cents));

test.each([
  ..."|.|-|$|()|(-5)|--5|-5-|1e3|Infinity|NaN|0x10|12.345|1.234,56|1,23|12,34.00|,100|1,,000|1 000|5%|€5|$$5|$($5)".split(
    "|",
  ),
  "((5))",
  "=1+1",
  "100000000.01",
  "9".repeat(400),
  "٣",
  "5 CR",
])("%s is no amount", (text) => expect(parseCents(text)).toBeUndefined());

test("each amount in cents comes back exactly", () => {
  const written = (cents: number) =>
    `${Math.floor(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
  fc.assert(fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), (cents) => parseCents(written(cents)) === cents));
});
