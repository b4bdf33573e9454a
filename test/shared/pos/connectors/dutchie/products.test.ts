import { describe, expect, test } from "vitest";
import { priceOf, productRecord } from "../../../../../shared/pos/connectors/dutchie/products.ts";
import { product } from "../../../../../shared/pos/connectors/dutchie/responses.ts";

describe("a product", () => {
  const record = (fields: object, kind: "rec" | "medical" = "rec") =>
    productRecord(product.parse({ productId: 7, ...fields }), kind);

  test.each<[object, object]>([
    [{}, { name: "Product 7", price: null, price_tiers: null, images: null }],
    [{ internalName: "In" }, { name: "In" }],
    [{ productName: "Out", internalName: "In" }, { name: "Out" }],
    [
      { masterCategory: "Flower", category: "Pre-Rolls" },
      {
        svc_product_category_name: "flower",
        pos_product_category_name: "Flower",
        pos_product_subcategory_name: "Pre-Rolls",
      },
    ],
    [
      { masterCategory: "Edible", category: "Edible", ecomSubcategory: "Gummies" },
      { pos_product_subcategory_name: "Gummies" },
    ],
    [{ category: "Edible" }, { pos_product_category_name: "Edible", pos_product_subcategory_name: null }],
    [{ regulatoryCategory: "Usable cannabis" }, { svc_product_category_name: "marijuana_product" }],
    [{ netWeight: 0.125, netWeightUnit: "oz" }, { svc_net_weight_grams: 3.5437 }],
    [{ netWeight: 0, netWeightUnit: "g", productGrams: 3.5 }, { svc_net_weight_grams: 3.5 }],
    [{ netWeight: 5, netWeightUnit: "each" }, { svc_net_weight_grams: null }],
    [{ netWeight: 100 }, { svc_net_weight_grams: null }],
    [{ masterCategory: "Edible", netWeight: 100, netWeightUnit: "mg" }, { svc_net_weight_grams: null }],
    [
      { masterCategory: "Edible", netWeight: 100, netWeightUnit: "mg", productGrams: 0.1 },
      { svc_net_weight_grams: null },
    ],
    [{ masterCategory: "Edible", netWeight: 0, netWeightUnit: "mg", productGrams: 20 }, { svc_net_weight_grams: 20 }],
    [{ masterCategory: "Vaporizers", netWeight: 500, netWeightUnit: "mg" }, { svc_net_weight_grams: 0.5 }],
    [{ thcContent: 100, thcContentUnit: "mg" }, { thc_mg_per_unit: 100 }],
    [{ thcContent: "22.5", thcContentUnit: "%", netWeight: 3.5, netWeightUnit: "g" }, { thc_mg_per_unit: 787.5 }],
    [{ thcContent: 800, thcContentUnit: "mg/g", productGrams: 0.5 }, { thc_mg_per_unit: 400 }],
    [{ thcContent: 22.5, thcContentUnit: "%" }, { thc_mg_per_unit: null }],
    [{ thcContent: 0, thcContentUnit: "mg" }, { thc_mg_per_unit: null }],
    [{ thcContent: 100 }, { thc_mg_per_unit: null }],
    [{ cbdContent: 100, cbdContentUnit: "mg" }, { thc_mg_per_unit: null }],
    [{ price: 19.99 }, { price: 1999 }],
    [{ price: "1.005" }, { price: 101 }],
    [{ price: 0 }, { price: 0 }],
    [{ price: -1 }, { price: null }],
    [{ unitCost: 1.23456 }, { unit_cost: 123.456 }],
    [{ isCannabis: "true" }, { medicated: true }],
    [{ defaultUnit: "", unitType: "Quantity" }, { pos_unit_of_measure: "Quantity" }],
    [{ imageUrl: "a" }, { images: [{ url: "a", description: null }] }],
    [{ imageUrl: "a", imageUrls: ["b", null, ""] }, { images: [{ url: "b", description: null }] }],
  ])("with %j is converted", (fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test("can have price tiers", () => {
    const pricingTierData = [
      { startWeight: 1, endWeight: 3.5, price: 12 },
      { startWeight: 3.5, endWeight: null, price: 10.5 },
      { startWeight: 28, endWeight: null, price: null },
    ];
    const tier = { tier_name: "House", pos_tier_type: "weight", tier_valid_until_date: null };
    expect(record({ price: 0, pricingTierName: "House", pricingTierData })).toMatchObject({
      price: null,
      price_tiers: [
        { ...tier, tier_price: 1200, pos_tier_type_condition_value: "1-3.5" },
        { ...tier, tier_price: 1050, pos_tier_type_condition_value: ">=3.5" },
      ],
    });
  });

  test.each([
    ["1", "2", "3", "1", "3"],
    [null, "2", "3", "2", "3"],
    [null, null, "3", "3", "3"],
    ["1", "2", null, "1", "2"],
    ["1", null, null, "1", "1"],
  ])(
    "with the prices %s for adults, %s for all and %s for patients has the right one for each",
    (recPrice, price, medPrice, forRec, forMed) => {
      const row = product.parse({ productId: 7, recPrice, price, medPrice });
      expect([priceOf(row, "rec"), priceOf(row, "medical")]).toEqual([forRec, forMed]);
    },
  );
});
