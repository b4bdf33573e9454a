import { describe, expect, test } from "vitest";
import { grams, gramsPer, weight } from "../../../../../shared/pos/framework/conversions/grams.ts";
import { isCannabis, productCategory } from "../../../../../shared/pos/framework/conversions/productCategory.ts";
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

describe("the category of a product", () => {
  test.each<[(string | null)[], string | null]>([
    [["Flower"], "flower"],
    [["Pre-Rolls"], "flower"],
    [["BulkBud"], "flower"],
    [["PackedBud", "Infused"], "flower"],
    [["NonEdible"], "marijuana_product"],
    [["Non Edible", "Edible"], "marijuana_product"],
    [["Edible"], "edible"],
    [["Edibles", "Gummies"], "edible"],
    [["Edibles", "Beverages"], "edible_liquid"],
    [["Tinctures"], "liquid"],
    [["Suppositories"], "solid"],
    [["Concentrate"], "oil/concentrate"],
    [["Concentrates", "Live Rosin"], "oil/concentrate"],
    [["Live Rosin"], "extract"],
    [["Vape", "Battery"], "accessory"],
    [["Vape"], "oil/concentrate"],
    [["Vaporizers"], "oil/concentrate"],
    [["Vaporizer", "Battery"], "accessory"],
    [["Clones"], "seedling"],
    [["Seeds"], "seed"],
    [["Immature Plants"], "seedling"],
    [["Plants"], "plant"],
    [["Topicals"], "topical"],
    [["Capsules"], "edible"],
    [["Apparel"], "accessory"],
    [["Glassware"], null],
    [["Glass"], "accessory"],
    [["NON-INV"], "other"],
    [["Delivery Fees"], "other"],
    [["Cannabis"], "marijuana_product"],
    [["Shoes"], null],
    [[null, null], null],
    [[null, "", "Flower"], "flower"],
  ])("from %j is %s", (texts, expected) => {
    expect(productCategory(...texts)).toBe(expected);
  });

  test("says whether it is cannabis, or leaves it open", () => {
    expect(["flower", "accessory", "other", null].map((category) => isCannabis(category as never))).toEqual([
      true,
      false,
      null,
      null,
    ]);
  });
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
