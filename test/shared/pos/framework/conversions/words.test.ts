import { expect, test } from "vitest";
import {
  grams,
  gramsPer,
  netGramsPer,
  netWeight,
  weight,
} from "../../../../../shared/pos/framework/conversions/grams.ts";
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

test.each<[number | null, string | null, Parameters<typeof netWeight>[2], number | null]>([
  [3.5, "g", "flower", 3.5],
  [20, "g", "edible", 20],
  [700, "mg", "flower", 0.7],
  [500, "Milligrams", "oil/concentrate", 0.5],
  [500, "MG.", "extract", 0.5],
  [100, "mg", "edible", null],
  [100, "mg", "edible_liquid", null],
  [100, "mg", "liquid", null],
  [100, "mg", "solid", null],
  [100, "mg", "topical", null],
  [100, "mg", "marijuana_product", null],
  [100, "mg", "other", null],
  [100, "mg", null, null],
  [100, null, "edible", null],
  [3.5, null, "flower", null],
  [0, "g", "flower", null],
  [-1, "g", "flower", null],
])("%s %s of %s have a net weight of %s grams", (amount, unit, category, expected) => {
  expect(netWeight(amount, unit, category)).toBe(expected);
});

test("a unit whose weight may be a dose has no net weight", () => {
  expect([netGramsPer("g", null), netGramsPer("mg", "flower"), netGramsPer("mg", null)]).toEqual([1, 0.001, null]);
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
