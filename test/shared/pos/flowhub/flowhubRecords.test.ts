import { describe, expect, test } from "vitest";
import { customer, order, stockRow } from "../../../../shared/pos/flowhub/answers.ts";
import { customerRecord, customerTypeOf, nameParts } from "../../../../shared/pos/flowhub/customers.ts";
import { inventoryKey, inventoryRecords, roomRecords, roomType } from "../../../../shared/pos/flowhub/inventory.ts";
import { inCents, lineUnit, paymentUnit } from "../../../../shared/pos/flowhub/orderMoney.ts";
import { isMedicated, productIdOf, productRecords } from "../../../../shared/pos/flowhub/products.ts";
import { fateOf, saleRecord, subtotalOf } from "../../../../shared/pos/flowhub/sales.ts";

test.each<[string | null, string | null, string | null, string | null]>([
  ["Ada Lovelace", "Ada", null, "Lovelace"],
  ["Ada Augusta  King Lovelace", "Ada", "Augusta King", "Lovelace"],
  ["Ada", "Ada", null, null],
  [null, null, null, null],
])("the name %s", (name, first_name, middle_name, last_name) => {
  expect(nameParts(name)).toEqual({ first_name, middle_name, last_name });
});

test("a customer", () => {
  const row = customer.parse({
    id: "c",
    type: "medCustomer",
    birthDate: "1980-02-29T00:00:00Z",
    isLoyal: true,
    loyaltyPoints: 12.5,
    streetAddress1: "1 Main",
    updatedAt: "2026-03-10T19:30:00.123456Z",
  });
  expect(customerRecord(row)).toMatchObject({
    pos_customer_id: "c",
    svc_customer_type: "medical",
    pos_customer_type: "medCustomer",
    dob: "1980-02-29",
    loyalty_member: true,
    loyalty_points: "12.5",
    address_1: "1 Main",
    pos_updated_date: "2026-03-10T19:30:00.123Z",
    cell_phone: null,
  });
  expect(["medCustomer", "recCustomer", "vip", null].map(customerTypeOf)).toEqual(["medical", "rec", null, null]);
});

describe("products", () => {
  const rows = (...fields: object[]) => fields.map((more) => stockRow.parse({ productId: "p", ...more }));

  test("the id that does not change with a batch", () => {
    const row = { variantId: "v", productId: "p", parentProductId: "pp" };
    expect(productIdOf(row)).toBe("v");
    expect(productIdOf({ ...row, variantId: null })).toBe("p");
    expect(productIdOf({ ...row, variantId: null, productId: null })).toBe("pp");
  });

  test("of one product the row that was updated last, whatever comes first", () => {
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
  ])("%j", (fields, expected) => {
    expect(productRecords(rows(fields))[0]).toMatchObject(expected);
  });

  const thc = (lowerRange: number | null, upperRange: number | null) => [{ name: "THCa", lowerRange, upperRange }];
  test.each([
    ["Accessory", thc(20, null), false],
    ["Edible", [], true],
    ["Shoes", thc(0, 0), null],
    ["Shoes", thc(null, 0.3), true],
    [null, [{ name: "CBD", lowerRange: 5, upperRange: 5 }], null],
    ["Misc", [], null],
  ])("%s with %j is medicated: %s", (category, cannabinoidInformation, expected) => {
    expect(isMedicated({ category, customCategoryName: null, type: null, cannabinoidInformation })).toBe(expected);
  });
});

describe("inventory", () => {
  const rows = (...fields: object[]) =>
    fields.map((more) => stockRow.parse({ productId: "p", regulatoryId: "tag", ...more }));

  test("rows that differ in the room only are one package", () => {
    const found = inventoryRecords(
      rows(
        { roomId: "a", roomName: "Floor", quantity: 0.1, forSale: true, productUpdatedAt: "2026-03-01T00:00:00Z" },
        { roomId: "b", roomName: "Vault", quantity: 0.2, forSale: false, productUpdatedAt: "2026-03-02T00:00:00Z" },
        { roomId: "c", quantity: 0 },
        { regulatoryId: "other", roomId: "a", quantity: 4, forSale: true },
      ),
    );
    expect(found).toMatchObject([
      {
        pos_inventory_id: "p:tag",
        pos_product_id: "p",
        barcode: "tag",
        total_quantity: 0.3,
        pos_updated_date: "2026-03-02T00:00:00.000Z",
        location_data: [
          { pos_location_id: "a", name: "Floor", pos_location_type: "for sale", quantity: 0.1 },
          { pos_location_id: "b", name: "Vault", pos_location_type: "not for sale", quantity: 0.2 },
        ],
      },
      { pos_inventory_id: "p:other", total_quantity: 4 },
    ]);
  });

  test("a list without rooms", () => {
    expect(inventoryRecords(rows({ quantity: 4 }))).toMatchObject([{ total_quantity: 4, location_data: null }]);
    expect(roomRecords(rows({ quantity: 4 }))).toEqual([]);
  });

  test("keys", () => {
    expect(inventoryKey({ productId: "p", regulatoryId: null, sku: "s" })).toBe("p:s");
    expect(inventoryKey({ productId: "p", regulatoryId: null, sku: null })).toBe("p:");
    expect(inventoryKey({ productId: null, regulatoryId: "t", sku: "s" })).toBe(null);
  });

  test.each([
    [[true, true], "for sale"],
    [[false], "not for sale"],
    [[true, false], null],
    [[true, null], null],
    [[null], null],
  ])("rooms where %j is for sale are %s", (forSale, expected) => {
    expect(roomType(forSale)).toBe(expected);
  });
});

describe("sales", () => {
  const parse = (fields: object) =>
    order.parse({ id: "o", orderStatus: "sold", completedOn: "2026-03-10T19:30:00Z", ...fields });
  const totals = { SubTotal: 3600, TotalDiscounts: 400, TotalTaxes: 540, TotalFees: 0, FinalTotal: 4140 };

  test.each<[object, string]>([
    [{}, "sale"],
    [{ orderStatus: "SOLD" }, "sale"],
    [{ orderStatus: "sold", completedOn: null }, "none"],
    [{ orderStatus: "pending" }, "none"],
    [{ orderStatus: "Cancelled" }, "cancelled"],
    [{ orderStatus: "canceled" }, "cancelled"],
    [{ voided: true }, "void"],
    [{ voided: "true", orderStatus: "pending" }, "void"],
    [{ orderStatus: null }, "none"],
  ])("%j is %s", (fields, expected) => {
    expect(fateOf(parse(fields))).toBe(expected);
  });

  test.each<[object, object]>([
    [{ totals }, { subtotal: 3600, total_discounts: 400, tax_paid: 540, total_paid: 4140, transaction_type: "sale" }],
    [{ totals: { finalTotal: 100, subTotal: 100 } }, { subtotal: 100, total_paid: 100, tax_paid: null }],
    [
      { totals, voided: true },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      { totals, orderStatus: "cancelled" },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      { totals, originalSaleId: "x" },
      { transaction_type: "return", subtotal: -3600, total_discounts: -400, total_paid: -4140 },
    ],
    [
      { totals: { ...totals, TotalFees: 100 } },
      { fees: [{ fee_name: null, flat_amount: 100, included_in_subtotal: false }] },
    ],
    [{ budtenderId: "e" }, { employee_id: "e" }],
    [{ budtenderId: "" }, { employee_id: null }],
    [{ customerId: "c", customerType: "recCustomer" }, { customer: { pos_customer_id: "c", type: "rec" } }],
    [{ customerId: "" }, { customer: { pos_customer_id: null, type: null } }],
    [
      { orderStatus: "cancelled", completedOn: null, createdAt: "2026-03-01T00:00:00Z" },
      { date: "2026-03-01T00:00:00.000Z" },
    ],
    [
      { payments: [{ paymentType: "debit", debitProvider: "CanPay", amount: 5 }, { amount: 0 }] },
      { payments: [{ type: "debit", amount_paid: 5 }] },
    ],
  ])("%j", (fields, expected) => {
    expect(saleRecord(parse(fields))).toMatchObject(expected);
  });

  test("without any date there is no sale", () => {
    expect(saleRecord(parse({ completedOn: null, createdAt: null }))).toBe(null);
  });

  test("lines", () => {
    const itemsInCart = [
      {
        variantId: "v",
        productId: "p",
        productName: "Bud",
        category: "BulkBud",
        quantity: 3.5,
        unitOfWeight: "grams",
        unitPrice: 1000,
        totalPrice: 3500,
        itemDiscounts: [{ name: "Daily", penniesOff: 0, dollarsOff: 3.5, percentOff: 10 }],
        tax: [{ name: "Excise", percentage: 8.75, thisTaxInPennies: 276 }],
      },
      { productId: "a", title1: "Lighter", category: "Accessory", quantity: 1, unitOfWeight: "each" },
      { productId: "x", voided: true, totalPrice: 100 },
    ];
    expect(saleRecord(parse({ itemsInCart, totals: { SubTotal: 3500 } }))?.line_items).toEqual([
      {
        pos_product_id: "v",
        product_name: "Bud",
        num_units: 3.5,
        price_per_unit: 1000,
        grams: 3.5,
        product_type: "flower",
        cannabis_product: true,
        line_item_discounts: [{ name: "Daily", flat_amount: 350, pct_amount: 0.1 }],
        line_item_taxes: [{ name: "Excise", flat_amount: 276, pct_amount: 0.0875 }],
        line_item_fees: [],
      },
      {
        pos_product_id: "a",
        product_name: "Lighter",
        num_units: 1,
        price_per_unit: null,
        grams: null,
        product_type: "accessory",
        cannabis_product: false,
        line_item_discounts: [],
        line_item_taxes: [],
        line_item_fees: [],
      },
    ]);
  });

  test.each<[string, number[], object, string]>([
    ["as the subtotal", [3600], totals, "cents"],
    ["before discounts", [4000], totals, "cents"],
    ["within 2 per cent", [3660], totals, "cents"],
    ["within 2 cents", [3], { SubTotal: 1 }, "cents"],
    ["in dollars", [36], totals, "dollars"],
    ["in dollars, before discounts", [20.5, 19.5], totals, "dollars"],
    ["like nothing", [777], totals, "cents"],
    ["of a refund", [-36], { ...totals, SubTotal: -3600 }, "dollars"],
    ["of nothing", [], totals, "cents"],
  ])("lines that add up %s", (_, amounts, totals, expected) => {
    const itemsInCart = amounts.map((totalPrice) => ({ totalPrice }));
    expect(lineUnit(parse({ itemsInCart, totals }))).toBe(expected);
  });

  test("payments are in the unit in which they add up to the total", () => {
    expect(paymentUnit(parse({ totals, payments: [{ amount: 41.4 }] }))).toBe("dollars");
    expect(paymentUnit(parse({ totals, payments: [{ amount: 4140 }] }))).toBe("cents");
    expect([inCents("41.4", "dollars"), inCents("4140", "cents"), inCents(null, "cents")]).toEqual([4140, 4140, null]);
  });

  test.each([
    [{ final: 4140, subtotal: 3600, discounts: 400, fees: 0, taxes: 540 }, 3600],
    [{ final: 4140, subtotal: 4000, discounts: 400, fees: 0, taxes: 540 }, 3600],
    [{ final: 4240, subtotal: 4000, discounts: -400, fees: 100, taxes: 540 }, 3600],
    [{ final: 9999, subtotal: 4000, discounts: 400, fees: 0, taxes: 540 }, 4000],
    [{ final: -4140, subtotal: -4000, discounts: 400, fees: 0, taxes: -540 }, -3600],
    [{ final: null, subtotal: 4000, discounts: 400, fees: 0, taxes: 540 }, 4000],
    [{ final: 4140, subtotal: null, discounts: 400, fees: 0, taxes: 540 }, null],
  ])("the subtotal of %j is %s", (amounts, expected) => {
    expect(subtotalOf(amounts)).toBe(expected);
  });
});
