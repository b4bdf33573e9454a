import { describe, expect, test } from "vitest";
import { isMedicated, productIdOf, StockProducts } from "../../../../../shared/pos/connectors/flowhub/products.ts";
import { stockRow } from "../../../../../shared/pos/connectors/flowhub/responses.ts";

describe("a product", () => {
  const rows = (...fields: object[]) => fields.map((more) => stockRow.parse({ productId: "p", ...more }));
  const productRecords = (stock: ReturnType<typeof rows>) => {
    const products = new StockProducts(null);
    for (const row of stock) products.take(row);
    return products.list().records;
  };

  test("has the id that does not change with a batch", () => {
    const row = { variantId: "v", productId: "p", parentProductId: "pp" };
    expect(productIdOf(row)).toBe("v");
    expect(productIdOf({ ...row, variantId: null })).toBe("p");
    expect(productIdOf({ ...row, variantId: null, productId: null })).toBe("pp");
  });

  test("has the row that was updated last, whatever the order", () => {
    const [a, b] = rows(
      { variantId: "v", productName: "old", productUpdatedAt: "2026-03-01T00:00:00Z" },
      { variantId: "v", productName: "new", productUpdatedAt: "2026-03-02T00:00:00Z" },
    ) as [never, never];
    for (const order of [
      [a, b],
      [b, a],
    ])
      expect(productRecords(order).map(({ name }) => name)).toEqual(["new"]);
    const [c, d] = rows(
      { variantId: "v", sku: "1", productName: "one" },
      { variantId: "v", sku: "2", productName: "two" },
    ) as [never, never];
    expect(productRecords([c, d])).toEqual(productRecords([d, c]));
  });

  test.each<[object, object]>([
    [
      {},
      {
        pos_product_id: "p",
        name: "Product p",
        sku: null,
        price: null,
        price_tiers: null,
        images: null,
        medicated: null,
      },
    ],
    [{ parentProductName: "Parent" }, { name: "Parent" }],
    [
      { category: "PackedBud", type: "Sativa" },
      { svc_product_category_name: "flower", pos_product_subcategory_name: "Sativa", medicated: true },
    ],
    [
      { category: "Concentrate", customCategoryName: "Live Resin", type: "x" },
      { svc_product_category_name: "oil/concentrate", pos_product_subcategory_name: "Live Resin" },
    ],
    [
      { productWeight: 1, productUnitOfMeasureToGramsMultiplier: 28.35, productUnitOfMeasure: "ounce" },
      { svc_net_weight_grams: 28.35, pos_unit_of_measure: "ounce" },
    ],
    [{ productWeight: 1, productUnitOfMeasure: "ounces" }, { svc_net_weight_grams: 28.3495 }],
    [{ productWeight: 1, productUnitOfMeasure: "each" }, { svc_net_weight_grams: null }],
    ...[
      { productUnitOfMeasure: "milligrams" },
      { productUnitOfMeasureToGramsMultiplier: 0.001 },
      { productUnitOfMeasure: "mg", productUnitOfMeasureToGramsMultiplier: 1 },
    ].flatMap((unit): [object, object][] => [
      [{ category: "Edible", productWeight: 100, ...unit }, { svc_net_weight_grams: null }],
      [{ productWeight: 100, ...unit }, { svc_net_weight_grams: null }],
    ]),
    [{ category: "Concentrate", productWeight: 500, productUnitOfMeasure: "mg" }, { svc_net_weight_grams: 0.5 }],
    [{ preTaxPriceInPennies: 1500, priceInMinorUnits: 1725 }, { price: 1500 }],
    [{ priceInMinorUnits: "1725" }, { price: 1725 }],
    [{ priceInMinorUnits: 0 }, { price: 0 }],
    [{ costInMinorUnits: 512.5 }, { unit_cost: 512.5 }],
    [{ productPictureURL: "u" }, { images: [{ url: "u", description: null }] }],
    [
      {
        priceInMinorUnits: 0,
        weightTierInformation: [{ gramAmount: 3.5, pricePerUnitInMinorUnits: 1000 }, { gramAmount: 7 }],
      },
      {
        price: null,
        price_tiers: [
          {
            tier_name: null,
            tier_price: 1000,
            pos_tier_type: "weight",
            pos_tier_type_condition_value: "3.5",
            tier_valid_until_date: null,
          },
        ],
      },
    ],
  ])("with %j is converted", (fields, expected) => {
    expect(productRecords(rows(fields))[0]).toMatchObject(expected);
  });

  const result = (
    name: string,
    lowerRange: number | null,
    upperRange: number | null,
    unitOfMeasure: string | null,
  ) => ({ name, lowerRange, upperRange, unitOfMeasure });
  const jar = { productWeight: 3.5, productUnitOfMeasure: "grams" };
  test.each<[string, object, object[], number | null]>([
    ["milligrams", { productWeight: 1, productUnitOfMeasure: "each" }, [result("thc", 100, 100, "mg")], 100],
    ["a share of the weight", jar, [result("THC", 20, 20, "%")], 700],
    ["milligrams for each gram", jar, [result("thc", 200, 200, "mg/g")], 700],
    ["a share without a weight", { productUnitOfMeasure: "each" }, [result("thc", 20, 20, "%")], null],
    ["the same in two units", jar, [result("thc", 700, 700, "mg"), result("thc", 20, 20, "%")], 700],
    ["two amounts", jar, [result("thc", 700, 700, "mg"), result("thc", 25, 25, "%")], null],
    ["an amount and a range", jar, [result("thc", 700, 700, "mg"), result("thc", 18, 22, "%")], null],
    ["a range", jar, [result("thc", 18, 22, "%")], null],
    ["one end of a range", jar, [result("thc", 18, null, "%")], null],
    ["its acid", jar, [result("THCa", 20, 20, "%")], null],
    ["a total", jar, [result("Total THC", 20, 20, "%")], null],
    ["CBD", jar, [result("cbd", 20, 20, "%")], null],
    ["no unit", jar, [result("thc", 20, 20, null)], null],
    ["0", jar, [result("thc", 0, 0, "mg")], null],
    ["nothing", jar, [], null],
  ])("whose analysis has %s", (_, fields, cannabinoidInformation, expected) => {
    expect(productRecords(rows({ ...fields, cannabinoidInformation }))[0]?.thc_mg_per_unit).toBe(expected);
  });

  const thc = (lowerRange: number | null, upperRange: number | null) => [result("THCa", lowerRange, upperRange, "%")];
  test.each([
    ["Accessory", thc(20, null), false],
    ["Edible", [], true],
    ["Shoes", thc(0, 0), null],
    ["Shoes", thc(null, 0.3), true],
    [null, [result("CBD", 5, 5, "%")], null],
    ["Misc", [], null],
    ["Non-Medicated Edibles", [], false],
    ["Hemp Tea", thc(0.1, 0.1), null],
    ["CBD Topicals", [], null],
  ])("of category %s with %j is medicated: %s", (category, cannabinoidInformation, expected) => {
    expect(isMedicated({ category, customCategoryName: null, type: null, cannabinoidInformation })).toBe(expected);
  });
});
