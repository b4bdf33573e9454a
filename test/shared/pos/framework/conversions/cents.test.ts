import fc from "fast-check";
import { expect, test } from "vitest";
import { sum } from "../../../../../shared/money/sums.ts";
import {
  dollarsToCents,
  dollarsToFineCents,
  fine,
  nullIfNegative,
  price,
  wholeCents,
} from "../../../../../shared/pos/framework/conversions/cents.ts";

test.each<[string | null, number | null]>([
  ["19.99", 1999],
  ["0.1", 10],
  ["1.005", 101],
  ["1.004999", 100],
  ["-1.005", -101],
  ["35.855", 3586],
  ["8.165", 817],
  ["1.115", 112],
  ["4.35", 435],
  ["64.1", 6410],
  ["1234567.895", 123456790],
  ["20", 2000],
  [".5", 50],
  ["5.", 500],
  ["+2.50", 250],
  ["1.5e1", 1500],
  ["2E-2", 2],
  ["1e-7", 0],
  ["-0.001", 0],
  ["-0", 0],
  [null, null],
])("%s dollars are %s cents", (dollars, expected) => {
  expect(dollarsToCents(dollars)).toBe(expected);
});

test("every amount of whole cents is preserved, with either sign", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (amount) => {
      const sign = amount < 0 ? "-" : "";
      const digits = String(Math.abs(amount)).padStart(3, "0");
      expect(dollarsToCents(`${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`)).toBe(amount === 0 ? 0 : amount);
    }),
  );
});

test("half a cent is rounded away from zero, whatever comes before it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.nat(99), (whole, part) => {
      const text = `${whole}.${String(part).padStart(2, "0")}5`;
      expect(dollarsToCents(text)).toBe(whole * 100 + part + 1);
      expect(dollarsToCents(`-${text}`)).toBe(-(whole * 100 + part + 1));
    }),
  );
});

test.each<[string | null, number | null]>([
  ["1.23456789", 123.4568],
  ["0.333333", 33.3333],
  ["20", 2000],
  [null, null],
])("%s dollars per unit are %s cents", (dollars, expected) => {
  expect(dollarsToFineCents(dollars)).toBe(expected);
});

test.each<[string | null, number | null]>([
  ["1999", 1999],
  ["19.5", 20],
  ["-19.5", -20],
  [null, null],
])("%s cents are rounded to %s whole cents", (amount, expected) => {
  expect(wholeCents(amount)).toBe(expected);
});

test.each([
  [0.1 + 0.2, 0.3],
  [1 / 3, 0.3333],
  [-0.00004, 0],
  [1e21, 1e21],
])("%s rounded to four decimals is %s", (value, expected) => {
  expect(fine(value)).toBe(expected);
});

test("prices are whole cents of 32 bits, never negative", () => {
  expect([0, 1, 2 ** 31 - 1, 2 ** 31, -1, null].map(price)).toEqual([0, 1, 2 ** 31 - 1, null, null, null]);
  expect([0.5, -0.5, null].map(nullIfNegative)).toEqual([0.5, null, null]);
  expect(sum([1, null, 2])).toBe(3);
});
