import { expect, test } from "vitest";
import { grams, gramsPer, weight } from "../../../../../shared/pos/framework/conversions/grams.ts";
import { share } from "../../../../../shared/pos/framework/conversions/share.ts";
import { words } from "../../../../../shared/pos/framework/conversions/words.ts";

test.each<[string | null, string[]]>([
  ["PackedBud", ["packed", "bud"]],
  ["PACKED BUDS", ["packed", "bud"]],
  ["pre-rolls / joints", ["pre", "roll", "joint"]],
  ["RSOSyringe", ["rso", "syringe"]],
  ["510 Cartridges", ["cartridge"]],
  ["Crème Brûlée", ["creme", "brulee"]],
  ["U US Us's", ["u", "us", "us", ""]],
  ["", []],
  [null, []],
])("%s has the words %j", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test.each<[number | null, string | null, number | null]>([
  [3.5, "g", 3.5],
  [3.5, "Grams", 3.5],
  [100, "mg", 0.1],
  [100, "MILLIGRAMS", 0.1],
  [1, "kg", 1000],
  [1, "oz.", 28.3495],
  [0.5, "Ounces", 14.1748],
  [1, "lb", 453.5924],
  [1, "each", null],
  [1, null, null],
  [0, "g", null],
  [-1, "g", null],
  [null, "g", null],
])("%s %s are %s grams", (amount, unit, expected) => {
  expect(grams(amount, unit)).toBe(expected);
});

test("the weight of several units is their number times the weight of one", () => {
  expect(gramsPer("constructor")).toBe(null);
  expect(weight(3, 3.5)).toBe(10.5);
  expect(weight(-2, 3.5)).toBe(-7);
  expect(weight(2, 0)).toBe(null);
  expect(weight(null, 1)).toBe(null);
});

test("a percentage becomes a fraction", () => {
  expect([8.75, 15, 0.1, 33.333333, null].map(share)).toEqual([0.0875, 0.15, 0.001, 0.33333333, null]);
});
