import { describe, expect, test } from "vitest";
import { cannabisOf, productCategory } from "../../../../../shared/pos/framework/conversions/productCategory.ts";
import { everyKind, isCannabis, productKinds } from "../../../../../shared/saleChecks/productKinds.ts";

type Texts = (string | null)[];

describe("the category of a product", () => {
  test.each<[Texts, string | null]>([
    [["Flower"], "flower"],
    [["Pre-Rolls"], "flower"],
    [["Pre-Rolls / Joints"], "flower"],
    [["Infused Joints"], "flower"],
    [["Shake/Trim"], "flower"],
    [["Smalls"], null],
    [["Flower", "Smalls"], "flower"],
    [["BulkBud"], "flower"],
    [["PackedBud", "Infused"], "flower"],
    [["NonEdible"], "marijuana_product"],
    [["Edible"], "edible"],
    [["Edibles", "Gummies"], "edible"],
    [["Edibles", "Beverages"], "edible_liquid"],
    [["Edibles", "Tinctures"], "liquid"],
    [["Tinctures"], "liquid"],
    [["Suppositories"], "solid"],
    [["Concentrate"], "oil/concentrate"],
    [["Concentrates", "Live Rosin"], "oil/concentrate"],
    [["Live Rosin"], "extract"],
    [["Bubble Hash"], "extract"],
    [["Live Sauce"], "extract"],
    [["Vape"], "oil/concentrate"],
    [["Vaporizers"], "oil/concentrate"],
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
    [["Flower", "Other"], "flower"],
    [["Cannabis"], "marijuana_product"],
    [["Shoes"], null],
    [[null, null], null],
    [[null, "", "Flower"], "flower"],
    [["House Brand", "Flower"], "flower"],
  ])("from %j is %s", (texts, expected) => {
    expect(productCategory(...texts)).toBe(expected);
  });

  test.each<[Texts, string | null]>([
    [["Edibles", "Live Rosin Gummies"], "edible"],
    [["Edibles", "Live Rosin"], "edible"],
    [["Edibles > Hash Rosin > Chocolate"], "edible"],
    [["Cannabis > Edibles > Distillate"], "edible"],
    [["Cannabis", "Edibles", "Distillate"], "edible"],
    [["Edibles", "Plant Based"], "edible"],
    [["Tinctures", "RSO"], "liquid"],
    [["Beverages", "Infused Shakes"], "edible_liquid"],
    [["Topicals", "Muscle & Joint"], "topical"],
    [["Topicals", "Massage Oil"], "topical"],
    [["Accessories", "Vape Batteries"], "accessory"],
    [["Accessories", "Flower Grinders"], "accessory"],
    [["Accessories", "Cones"], "accessory"],
  ])("is the main one in %j, whose later texts name ingredients or uses: %s", (texts, expected) => {
    expect(productCategory(...texts)).toBe(expected);
  });

  test.each<Texts[]>([
    [["Live Rosin Gummies"]],
    [["Infused Products", "Rosin Gummies"]],
    [["Extracts", "Gummies"]],
    [["Concentrates", "Infused Pre-Rolls"]],
    [["Pre-Rolls", "Hash Infused"]],
    [["Flower", "Topicals"]],
    [["Edibles", "Lotion"]],
    [["Tinctures & Topicals"]],
    [["Non Edible", "Edible"]],
  ])("from %j is a marijuana product, because its kind is not certain", (texts) => {
    expect(productCategory(...texts)).toBe("marijuana_product");
  });

  test.each<Texts[]>([
    [["Vape > Disposable Device"]],
    [["Vape", "Battery"]],
    [["Vaporizer Batteries"]],
    [["Device"]],
    [["Pre-Roll Cones"]],
    [["Blunt Wraps"]],
    [["Edibles", "Glass"]],
    [["Accessories", "Edibles"]],
    [["Merch", "Patches"]],
  ])("from %j is unknown, because it may be an accessory", (texts) => {
    expect(productCategory(...texts)).toBe(null);
    expect(cannabisOf(texts)).toBe(null);
  });

  test.each<Texts[]>([
    [["Muscle & Joint"]],
    [["Hot Sauce"]],
    [["Apple Crumble"]],
    [["Hash Browns"]],
    [["Protein Shake"]],
    [["Essential Oils"]],
    [["Wax Tweezers"]],
    [["Snacks", "Sauces"]],
    [["T-Shirts", "Smalls"]],
  ])("from %j is unknown, because the word has other meanings", (texts) => {
    expect(productCategory(...texts)).toBe(null);
    expect(cannabisOf(texts)).toBe(null);
  });

  test.each<[Texts, string | null]>([
    [["Non-Cannabis"], null],
    [["Non-Cannabis", "Drinks"], "edible_liquid"],
    [["Non-Cannabis", "Gummies & Lotions"], null],
    [["Hemp-Infused"], null],
    [["Hemp Flower & Edibles"], null],
  ])("from %j does not claim cannabis: %s", (texts, expected) => {
    expect(productCategory(...texts)).toBe(expected);
  });
});

test.each<Texts[]>([
  [["Non-Flower"]],
  [["Not for cannabis"]],
  [["No Edibles"]],
  [["Not a Concentrate"]],
  [["Flower (no seeds)"]],
  [["Joints without Tobacco"]],
])("%j says nothing, because a word is denied", (texts) => {
  expect(productCategory(...texts)).toBe(null);
  expect(cannabisOf(texts)).toBe(null);
});

describe("whether a product is cannabis", () => {
  test.each<Texts[]>([
    [["Flower"]],
    [["Edibles", "Live Rosin Gummies"]],
    [["Cannabis"]],
    [["Infused"]],
    [["InfusedNonEdible"]],
    [["Pre-Rolls", "Non-Infused"]],
    [["Non-Infused Flower"]],
  ])("%j certainly is", (texts) => {
    expect(cannabisOf(texts)).toBe(true);
  });

  test.each<Texts[]>([
    [["Non-Cannabis"]],
    [["NON_CANNABIS"]],
    [["noncannabis"]],
    [["Non - Cannabis Products"]],
    [["Not Marijuana"]],
    [["No THC"]],
    [["Drinks", "Cannabis Free"]],
    [["Non-MJ"]],
    [["Non-Medicated Edibles"]],
    [["0% THC Drinks"]],
    [["0mg THC Beverages"]],
    [["Drinks", "THC: 0.0 mg"]],
    [["Unmedicated Cookies"]],
    [["Edibles", "Non-Infused"]],
    [["Non-Cannabis-Infused Drinks"]],
    [["Non-Cannabis", "Hemp Tea"]],
    [["Accessories"]],
    [["Cannabis", "Accessories"]],
  ])("%j certainly is not", (texts) => {
    expect(cannabisOf(texts)).toBe(false);
  });

  test.each<Texts[]>([
    [["Hemp Tea"]],
    [["CBD Topicals"]],
    [["Flower", "CBD"]],
    [["Cannabis", "Hemp"]],
    [["Delta 8 Gummies"]],
    [["D8 Gummies"]],
    [["D-9 Gummies"]],
    [["∆8 Vapes"]],
    [["HHC Vapes"]],
    [["THC-P Vapes"]],
    [["Gummies (<0.3% THC)"]],
    [["Flower, less than .3 % THC"]],
    [["Nicotine Vapes"]],
    [["Infused & Non-Infused Edibles"]],
    [["Cannabis", "Non-Cannabis"]],
    [["Cannabis > Other"]],
    [["Miscellaneous"]],
    [["Gift Shop"]],
    [[null]],
    [[]],
  ])("%j leaves open", (texts) => {
    expect(cannabisOf(texts)).toBe(null);
  });

  test.each<[Texts, boolean | null]>([
    [["Gift Shop"], true],
    [["Edibles"], true],
    [["Hemp Tea"], null],
    [["Accessories"], false],
    [["Non-Cannabis"], null],
  ])("%j is, if its analysis found THC: %s", (texts, expected) => {
    expect(cannabisOf(texts, true)).toBe(expected);
  });
});

test.each<[Texts, boolean, readonly string[]]>([
  [["Edibles", "Live Rosin Gummies"], true, ["edible"]],
  [["Topicals", "Muscle & Joint"], true, ["topical"]],
  [["Concentrates", "Live Rosin"], true, ["concentrate"]],
  [["Live Rosin Gummies"], true, everyKind],
  [["Concentrates", "Infused Pre-Rolls"], true, everyKind],
  [["Vape > Disposable Device"], false, everyKind],
  [["Non-Medicated Edibles"], false, everyKind],
  [["Hemp Tea"], false, everyKind],
  [["Non-Cannabis"], false, []],
  [["Accessories", "Vape Batteries"], false, []],
])("a line from %j is certainly cannabis in sale checks: %s, of the kinds %j", (texts, isCertain, kinds) => {
  const product_name = "Rosin";
  const line = { product_name, product_type: productCategory(...texts), cannabis_product: cannabisOf(texts) };
  expect(isCannabis(line as never)).toBe(isCertain);
  expect(productKinds(line as never)).toEqual(kinds);
});
