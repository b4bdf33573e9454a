import { describe, expect, test } from "vitest";
import { categoryOf, netWeight, productRecord } from "../../../../../shared/pos/connectors/treez/products.ts";
import { product } from "../../../../../shared/pos/connectors/treez/responses.ts";

describe("a product", () => {
  const parse = (fields: object) => product.parse({ product_id: "p", ...fields });
  const record = (fields: object) => productRecord(parse(fields));
  const named = (fields: object) => ({ product_configurable_fields: fields });

  test.each<[object, object]>([
    [
      {},
      { name: "Product p", price: null, unit_cost: null, price_tiers: null, images: null, medicated: null, sku: null },
    ],
    [named({ name: "Bud", size: "3.5g" }), { name: "Bud - 3.5g" }],
    [{ e_commerce: { menu_title: "Menu" } }, { name: "Menu" }],
    [
      { category_type: "FLOWER", ...named({ sub_type: "PRE-PACK", brand: "B", uom: "GRAMS", amount: "3.5" }) },
      {
        svc_product_category_name: "flower",
        pos_product_category_name: "FLOWER",
        pos_product_subcategory_name: "PRE-PACK",
        pos_brand_name: "B",
        pos_unit_of_measure: "GRAMS",
        svc_net_weight_grams: 3.5,
        medicated: true,
        pos_strain_name: null,
      },
    ],
    ...["MERCH", "Merch"].map((category_type): [object, object] => [
      { category_type },
      { medicated: false, svc_product_category_name: "accessory" },
    ]),
    [{ category_type: "Non-Inv" }, { medicated: false, svc_product_category_name: "other" }],
    [{ category_type: "flower" }, { medicated: true, svc_product_category_name: "flower" }],
    [{ category_type: "GIFT CARD" }, { medicated: null, svc_product_category_name: null }],
    [{ category_type: "VAPE" }, { medicated: null, svc_product_category_name: "oil/concentrate" }],
    [{ pricing: { price_type: "FLAT", price_sell: "19.995" } }, { price: 2000 }],
    [{ pricing: { price_type: "FLAT", price_sell: 19.99 } }, { price: 1999 }],
    [{ pricing: { price_type: "FLAT", price_sell: null } }, { price: null }],
    [
      {
        pricing: {
          price_type: "TIER",
          price_sell: 20,
          tier_name: "T",
          tier_method: "WEIGHT",
          tier_pricing_detail: [{ start_value: 1, price_per_value: 12 }],
        },
      },
      {
        price: null,
        price_tiers: [
          {
            tier_name: "T",
            tier_price: 1200,
            pos_tier_type: "weight",
            pos_tier_type_condition_value: "1",
            tier_valid_until_date: null,
          },
        ],
      },
    ],
    [
      { pricing: { price_type: "TIER", tier_pricing_detail: [{ start_value: 1, price_per_value: 12 }] } },
      { price_tiers: [{ pos_tier_type: "quantity" }] },
    ],
    [{ product_barcodes: [{ sku: "" }, { sku: "S" }] }, { sku: "S" }],
    [{ product_barcodes: ["T"] }, { sku: "T" }],
    [named({ external_id: "E" }), { sku: "E" }],
    [
      { e_commerce: { all_images: ["a", "b"], primary_image: "c", product_description: "D" } },
      { description: "D", images: [{ url: "a" }, { url: "b" }] },
    ],
    [{ e_commerce: { all_images: [], primary_image: "c" } }, { images: [{ url: "c", description: null }] }],
  ])("with %j is converted", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test.each<[object, number | null]>([
    [{ uom: "GRAMS", amount: 3.5 }, 3.5],
    [{ uom: "OUNCES", amount: 0.5 }, 14.1748],
    [{ uom: "MILLIGRAMS", amount: 100 }, null],
    [{ uom: "MILLIGRAMS", amount: 100, total_flower_weight_g: 0, total_concentrate_weight_g: 0.5 }, 0.5],
    [{ uom: "MILLIGRAMS", amount: 100, total_flower_weight_g: 1, total_concentrate_weight_g: 0.5 }, 1],
    [{ uom: "EACH", amount: 1 }, null],
    [{}, null],
  ])("with %j weighs %s grams", (fields, expected) => {
    expect(netWeight(parse(named(fields)))).toBe(expected);
  });

  test.each<[object, number | null]>([
    [{ total_mg_thc: 300, doses: 30 }, 300],
    [{ total_mg_thc: "5" }, 5],
    [{ total_mg_thc: 0 }, null],
    [{ doses: 10, mg_per_dose: 10 }, null],
    [{ total_mg_cbd: 300 }, null],
    [{ uom: "GRAMS", amount: 1, total_mg_thc: 850 }, 850],
    [{ uom: "GRAMS", amount: 0.1, total_mg_thc: 850 }, null],
  ])("with %j has %s mg of THC", (fields, expected) => {
    expect(record(named(fields)).thc_mg_per_unit).toBe(expected);
  });

  test.each([
    ["FLOWER", null, "flower"],
    ["PREROLL", null, "flower"],
    ["CARTRIDGE", null, "oil/concentrate"],
    ["EXTRACT", null, "extract"],
    ["EDIBLE", "BEVERAGE", "edible"],
    ["PILL", null, "edible"],
    ["BEVERAGE", null, "edible_liquid"],
    ["TINCTURE", null, "liquid"],
    ["TOPICAL", null, "topical"],
    ["PLANT", null, "plant"],
    ["MERCH", null, "accessory"],
    ["MISC", null, "other"],
    ["NON-INV", null, "other"],
    ["SEEDS", null, "seed"],
    ["NEW", "GUMMY", "edible"],
    ["constructor", null, null],
    [null, null, null],
  ])("of category %s, %s has the category %s", (type, subtype, expected) => {
    expect(categoryOf(type, subtype)).toBe(expected);
  });
});
