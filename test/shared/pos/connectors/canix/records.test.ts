import { describe, expect, test } from "vitest";
import {
  customerRecord,
  inventoryRecords,
  isHere,
  productRecord,
} from "../../../../../shared/pos/connectors/canix/records.ts";
import { customer, item, salesOrder, stockPackage } from "../../../../../shared/pos/connectors/canix/responses.ts";
import { saleRecords } from "../../../../../shared/pos/connectors/canix/sales.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";

test.each<[object, object]>([
  [{}, { pos_customer_id: "1", last_name: null, svc_customer_type: null, pos_identification_type: null }],
  [
    {
      company_name: "Greenway",
      contact_name: "Robin",
      facility_license_number: "L",
      license_expiration_date: "2028-05-31",
    },
    { last_name: "Greenway", first_name: "Robin", other_id: "L", other_id_expiration_date: "2028-05-31" },
  ],
  [{ address: { street: "1 Pearl", postal_code: "80302" } }, { address_1: "1 Pearl", zip_code: "80302" }],
  [{ updated_at: "2018-11-06 08:00:00+00:00" }, { pos_updated_date: "2018-11-06T08:00:00.000Z" }],
])("a customer %j is converted", (fields, expected) => {
  expect(customerRecord(customer.parse({ id: 1, ...fields }))).toMatchObject(expected);
});

test.each<[object, object]>([
  [{}, { name: "Item 1", price: null, medicated: null, unit_cost: null }],
  [{ type: { product_category: "Flower" } }, { svc_product_category_name: "flower", medicated: true }],
  [{ brand: { name: "B" }, product_brand: { name: "C" } }, { pos_brand_name: "B" }],
  [{ product_brand: { name: "C" } }, { pos_brand_name: "C" }],
  [{ unit_weight: 3.5, unit_weight_unit: "Grams" }, { svc_net_weight_grams: 3.5 }],
  [
    { type: { product_category: "InfusedEdible" }, unit_weight: 100, unit_weight_unit: "Milligrams" },
    { svc_net_weight_grams: null, svc_product_category_name: "edible", medicated: true },
  ],
  [
    { type: { product_category: "Edibles", name: "CBD Gummies" } },
    { svc_product_category_name: "edible", medicated: null },
  ],
  [{ current_standard_cost: { standard_cost_amount: "1.255" } }, { unit_cost: 125.5 }],
  [{ current_standard_cost: { standard_cost_amount: "1.255", standard_cost_currency: "CAD" } }, { unit_cost: null }],
])("an item %j is converted", (fields, expected) => {
  expect(productRecord(item.parse({ id: 1, ...fields }))).toMatchObject(expected);
});

test.each<[object, object]>([
  [
    { tag: "1A", weight: 2.5, is_active: true, item: { id: 3, name: "Bud" }, location: { id: 4, name: "Safe" } },
    {
      ...{ barcode: "1A", pos_product_id: "3", name: "Bud", total_quantity: 2.5 },
      location_data: [{ pos_location_id: "4", name: "Safe", quantity: 2.5 }],
    },
  ],
  [
    { weight: 2.5, is_active: false, location: { id: 4 } },
    { total_quantity: 0, location_data: [] },
  ],
])("a package %j is converted", (fields, expected) => {
  expect(inventoryRecords(stockPackage.parse({ id: 1, ...fields }))).toMatchObject([expected]);
});

test("a package without a weight is rejected, not set to 0", () => {
  const rejected = { field: "weight", reason: "no_quantity" };
  expect(inventoryRecords(stockPackage.parse({ id: 1, is_active: true }))).toEqual(rejected);
});

test.each([undefined, null, ""])("a package that may be active or not is rejected: %j", (is_active) => {
  const rejected = { field: "is_active", reason: "unknown_status" };
  expect(inventoryRecords(stockPackage.parse({ id: 1, weight: 2.5, is_active }))).toEqual(rejected);
});

test("a package with an unreadable activity is rejected", () => {
  const { error } = stockPackage.safeParse({ id: 1, weight: 2.5, is_active: "quarantined" });
  expect(error?.issues).toMatchObject([{ path: ["is_active"], message: "unknown_status" }]);
});

test.each<[object, boolean]>([
  [{ facility_id: 77, item: { facility_id: 78 } }, true],
  [{ facility_id: 78, location: { id: 4 } }, false],
  [{ item: { facility_id: 77 } }, true],
  [{ item: { facility_id: 78 }, location: { id: 4 } }, false],
  [{ location: { id: 4 } }, true],
  [{ location: { id: 5 } }, false],
  [{}, false],
])("a package with %j proves that it is in the facility: %j", (fields, expected) => {
  const row = { id: 1, ...fields };
  for (const one of [row, stockPackage.parse(row)]) expect(isHere(one, "77", new Set(["4"]))).toBe(expected);
});

describe("an order", () => {
  const records = (fields: object) =>
    saleRecords(
      salesOrder.parse({ id: 1, status: "shipped", delivery_date: "2026-03-10T19:30:00Z", ...fields }),
      "America/Denver",
    );

  test.each(["created", "approved", "requested", "pending", "FILLED"])("that is %s is no sale", (status) => {
    expect(records({ status })).toEqual([]);
  });

  test.each(["shipped", "ACCEPTED", "archived"])("that is %s is a sale", (status) => {
    expect(records({ status })).toMatchObject([{ transaction_type: "sale" }]);
  });

  test.each(["rejected", "Returned", "canceled", "cancelled"])("that is %s is voided", (status) => {
    expect(records({ status })).toMatchObject([{ transaction_type: "adjustment" }]);
  });

  test.each(["backordered", "", null])("with the status %j may be a sale, and is rejected", (status) => {
    expect(records({ status })).toEqual({ field: "status", reason: "unknown_status" });
  });

  test("without a date is rejected", () => {
    expect(records({ delivery_date: "soon" })).toEqual({ field: "delivery_date", reason: "no_instant" });
  });

  const contents = [{ weight: 2, unit_price: 20, total_price: 40 }];

  test.each<[object, number]>([
    [{ subtotal: 38, discount: 4, contents }, 3400],
    [{ subtotal: 40, discount: 4, contents: [] }, 3600],
    [{ subtotal: 39.99, discount: 0.02, contents }, 3997],
    // The lines show that the discount is already subtracted.
    [{ subtotal: 36, discount: 4, contents }, 3600],
  ])("has its discount subtracted as documented, unless its lines contradict: %j", (fields, subtotal) => {
    expect(records(fields)).toMatchObject([
      { subtotal, total_discounts: (400 * (fields as { discount: number }).discount) / 4 },
    ]);
  });

  test.each<[string | null, string]>([
    ["CHK-1042", "check"],
    ["Check 1042", "check"],
    ["chk1042", "check"],
    ["WIRE-1", "wire"],
    ["ACH 20260310", "ach"],
    ["cash", "cash"],
    ["CASH-0042", "cash"],
    ["cash #7 / 2026-03-10", "cash"],
    ["Cash App 8841", "unknown"],
    ["CashApp-8841", "unknown"],
    ["Cash-less 1", "unknown"],
    ["CASH not received", "unknown"],
    ["cash on delivery", "unknown"],
    ["Cash, Robin", "unknown"],
    ["≠ cash", "unknown"],
    ["Store credit 12", "unknown"],
    ["CHK-1 / CASH", "multiple"],
    ["Checking account", "ach"],
    ["Achim", "unknown"],
    ["INV-1042", "unknown"],
    ["1042", "unknown"],
    ["", "unknown"],
    [null, "unknown"],
  ])("paid with the reference number %j has the means %s", (reference_number, type) => {
    expect(records({ payments: [{ amount: 2, reference_number }] })).toMatchObject([
      { payments: [{ type, amount_paid: 200 }] },
    ]);
  });

  test("has the name and the share of its discount", () => {
    const sales_order_credit = { type: "percentage", amount: 10, reason: "Black Friday" };
    expect(records({ subtotal: 40, discount: 4, sales_order_credit, contents })).toMatchObject([
      { discounts: [{ flat_amount: 400, pct_amount: 0.1, name: "Black Friday" }] },
    ]);
    expect(
      records({ subtotal: 40, discount: 4, sales_order_credit: { type: "fixed", amount: 4 }, contents }),
    ).toMatchObject([{ discounts: [{ flat_amount: 400, pct_amount: null, name: null }] }]);
  });

  const rates = { local_tax_rate: 0.1, state_tax_rate: 0.2 };
  const taxed = { subtotal: 100, state_tax_rate: 0.2 };
  const discounted = {
    ...{ ...contents[0], weight_unit: { name: "Grams" } },
    discount: { type: "percentage", amount: 10, reason: "R" },
  };

  test.each<[string, object, object]>([
    [
      "that is rejected",
      { status: "Rejected", subtotal: 38, contents },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      "as in the example of the vendor's documents, with a delivery that is in no sum",
      {
        ...{ subtotal: 2124.22, state_tax_rate: 0.27, total_price: 2697.76 },
        ...{ total_paid: 100, remaining_balance: 2597.76, delivery_fee: 2000 },
      },
      { subtotal: 212422, tax_paid: 57354, total_paid: 269776, fees: [], invoice: { open_balance: 259776 } },
    ],
    ["with added rates", { subtotal: 100, ...rates, total_cultivation_tax: 3, total_price: 133 }, { tax_paid: 3300 }],
    ["with a rate on the result of the other", { subtotal: 100, ...rates, total_price: 132 }, { tax_paid: 3200 }],
    ["without tax", { subtotal: 100, total_price: 100 }, { tax_paid: 0, taxes: [] }],
    [
      "with credits that are subtracted from its total",
      { ...taxed, credits: 30, total_price: 90 },
      { tax_paid: 2000, total_paid: 12000, invoice: { total: 9000 } },
    ],
    [
      "with credits that are not subtracted",
      { ...taxed, credits: 30, total_price: 120 },
      { tax_paid: 2000, total_paid: 12000 },
    ],
    [
      "with credits as small as rounding, in the closest interpretation",
      { ...taxed, credits: 0.02, total_price: 119.98 },
      { tax_paid: 2000, total_paid: 12000, invoice: { total: 11998 } },
    ],
    [
      "with a difference that fits no rate",
      { ...taxed, total_price: 140 },
      { tax_paid: null, taxes: [], total_paid: 14000 },
    ],
    ["with a total below its subtotal", { subtotal: 100, total_price: 90 }, { tax_paid: null, taxes: [] }],
    ["of a day", { delivery_date: "2026-03-10" }, { date: "2026-03-10T06:00:00.000Z" }],
    [
      "without a date of delivery",
      { delivery_date: null, updated_at: "2026-03-11T00:00:00Z" },
      { date: "2026-03-11T00:00:00.000Z" },
    ],
    [
      "with two payments",
      { total_paid: 5, payments: [{ amount: 2 }, { amount: 3 }] },
      { payments: [{ amount_paid: 200 }, { amount_paid: 300 }] },
    ],
    [
      "with a payment of unknown amount",
      { total_paid: 5, payments: [{ amount: 2 }, { reference_number: "CHK-1" }] },
      { payments: [{ amount_paid: 200 }, { type: "check", amount_paid: null }] },
    ],
    [
      "whose payments have no amounts",
      { total_paid: 5, payments: [{}] },
      { payments: [{ type: "unknown", amount_paid: 500 }] },
    ],
    ["that may be paid", { total_paid: null }, { payments: [{ type: "unknown", amount_paid: null }] }],
    ["that is not paid", { total_paid: 0 }, { payments: [] }],
    [
      "with a discount of unknown amount",
      { discount: 3, contents: [discounted, { discount: { type: "percentage", amount: 5 } }] },
      { total_discounts: null },
    ],
    ["paid with credits", { total_paid: 0, credits: 5 }, { payments: [{ type: "other", amount_paid: 500 }] }],
    [
      "with a discounted line",
      { contents: [discounted] },
      { line_items: [{ grams: 2, line_item_discounts: [{ flat_amount: 400, pct_amount: 0.1, name: "R" }] }] },
    ],
    [
      "of a customer",
      { customer: { id: 5 } },
      { customer: { pos_customer_id: "5" }, invoice: { pos_customer_id: "5" } },
    ],
    ["without a customer", {}, { customer: null }],
  ])("%s is converted", (_, fields, expected) => {
    expect(records(fields)).toMatchObject([expected]);
  });
});

describe("the connector", () => {
  const fake = new FakePosUnderTest("canix", "2026-03-10T19:30:00.000Z");

  test("requests changes of its facility, by day with a margin of one, in the order of ids", async () => {
    const pulled = await fake.pull("sale");
    await pulled.pull(fake.later(60));
    const query = fake.pos.server.requestsFor("/api/v1/sales_orders").at(-1)?.query;
    expect(query?.get("where")).toBe("facility_id=77 AND updated_at >= '2026-03-09'");
    expect(query?.get("order_by")).toBe("id asc");
  });

  const packages = (change: (rows: object[]) => unknown[]) => fake.pos.server.rewriteAt(/packages$/, change);

  test("accepts packages as the facility's by their location, if nothing else says so", async () => {
    packages((rows) => rows.map((row) => ({ ...row, item: null })));
    const pulled = await fake.pull("inventory");
    expect(pulled.complete).toBe(true);
    expect(pulled.records.size).toBe(fake.pos.shop.packages.length);
  });

  test("drops and counts packages of other facilities, and then the list is not complete", async () => {
    packages((rows) => rows.map((row, at) => (at === 0 ? { ...row, item: { facility_id: 78 } } : row)));
    const pulled = await fake.pull("inventory");
    expect(pulled.complete).toBe(false);
    expect(pulled.records.size).toBe(fake.pos.shop.packages.length - 1);
    expect(pulled.foreign).toBe(1);
    expect(pulled.rejected).toEqual([]);
  });

  test("rejects a package without a facility, and then the list is not complete", async () => {
    packages((rows) => rows.map((row, at) => (at === 0 ? { ...row, item: null, location: null } : row)));
    const pulled = await fake.pull("inventory");
    expect(pulled.complete).toBe(false);
    expect(pulled.rejected).toMatchObject([{ field: "facility_id", reason: "unknown_facility" }]);
  });

  test.each([{ facility_id: 78 }, { facility_id: null, facility: { id: 78 } }])(
    "drops and counts an order of another facility: %j",
    async (facility) => {
      const all = await fake.pull("sale");
      const [foreignId = ""] = all.ids;
      fake.pos.server.rewriteAt<{ id: number }[]>(/sales_orders$/, (rows) =>
        rows.map((row) => (String(row.id) === foreignId ? { ...row, ...facility } : row)),
      );
      const pulled = await fake.pull("sale");
      expect(pulled.ids).toEqual(all.ids.filter((id) => id !== foreignId));
      expect(pulled.foreign).toBe(all.foreign + 1);
    },
  );

  test("takes a location of the other facility as no proof", async () => {
    packages((rows) => rows.map((row, at) => ({ ...row, item: null, ...(at === 0 && { location: { id: 999_999 } }) })));
    const pulled = await fake.pull("inventory");
    expect(pulled.rejected).toMatchObject([{ field: "facility_id", reason: "unknown_facility" }]);
  });
});
