import { describe, expect, test } from "vitest";
import {
  customerRecord,
  inventoryRecords,
  productRecord,
  saleRecords,
} from "../../../../../shared/pos/connectors/flourish/records.ts";
import { destination, item, order, stock } from "../../../../../shared/pos/connectors/flourish/responses.ts";
import { unplannedRejections } from "../../fakes/expectedRecords.ts";
import type { FakeFlourish } from "../../fakes/fakeFlourish.ts";
import { FakePosUnderTest } from "../../fakes/fakePosUnderTest.ts";
import { rooms } from "../../fakes/shop.ts";

test.each<[object, object]>([
  [{ name: "Greenway" }, { last_name: "Greenway", first_name: null }],
  [{ license_number: "L" }, { other_id: "L" }],
  [{ alias: "Green" }, { last_name: "Green" }],
  [{ address_line_1: "1 Pearl" }, { address_1: "1 Pearl" }],
  [{ zip_code: "80302" }, { zip_code: "80302" }],
])("a destination %j is converted", (fields, expected) => {
  expect(customerRecord(destination.parse({ id: "1", ...fields }))).toMatchObject(expected);
});

test.each<[object, object]>([
  [{}, { name: "Item 1", medicated: null, price: null }],
  [{ inventory_type: "Cannabis" }, { medicated: true }],
  [{ price: 21.58 }, { price: 2158 }],
  [{ cost: 1.005 }, { unit_cost: 100.5 }],
  [{ inventory_type: "cannabis" }, { medicated: true }],
  [{ inventory_type: "Supplies" }, { medicated: false }],
  [{ inventory_type: "Raw Materials" }, { medicated: null }],
  [{ inventory_type: "Hemp" }, { medicated: null }],
  [{ brand: "B" }, { pos_brand_name: "B" }],
  [{ brand: { name: "C" } }, { pos_brand_name: "C" }],
  [{ unit_weight: 1, weight_uom: "oz" }, { svc_net_weight_grams: 28.3495 }],
  [{ item_category: "Edibles", unit_weight: 100, weight_uom: "mg" }, { svc_net_weight_grams: null }],
  [{ item_category: "Vape", unit_weight: 500, weight_uom: "mg" }, { svc_net_weight_grams: 0.5 }],
])("an item %j is converted", (fields, expected) => {
  expect(productRecord(item.parse({ id: "1", ...fields }))).toMatchObject(expected);
});

test.each<[object, string, string]>([
  [{ location_id: "l", location_name: "L", area_id: "a" }, "l", "L"],
  [{ area_id: "a", area_name: "A" }, "area-a", "A"],
  [{}, "facility-501", "Boulder"],
])("stock at %j is at the location %s, %s", (fields, pos_location_id, name) => {
  const facility = { id: "501", name: "Boulder", address: null };
  const row = stock.parse({ inventory_id: "1", qty: 2, package_id: "1A", ...fields });
  expect(inventoryRecords(row, facility)).toMatchObject([
    { barcode: "1A", total_quantity: 2, location_data: [{ pos_location_id, name, quantity: 2 }] },
  ]);
});

test.each<[object, object]>([
  [{}, { field: "qty", reason: "no_quantity" }],
  [{ package_status: "Shipped", qty: 3 }, [{ total_quantity: 0, location_data: [] }]],
  [{ package_status: "Archived" }, [{ total_quantity: 0 }]],
  [{ package_status: "Assigned to order", qty: 3 }, [{ total_quantity: 3 }]],
  [{ package_status: "CREATED", qty: 3 }, [{ total_quantity: 3 }]],
  [{ package_status: null, qty: 3 }, [{ total_quantity: 3 }]],
  [
    { package_status: "On hold", qty: 3 },
    { field: "package_status", reason: "unknown_status" },
  ],
  [{ inventory_id: null, package_status: "On hold", qty: 3 }, []],
])("stock with %j is converted or rejected", (fields, expected) => {
  const row = stock.parse({ inventory_id: "1", ...fields });
  expect(inventoryRecords(row, { id: "501", name: "Boulder", address: null })).toMatchObject(expected);
});

describe("an order", () => {
  const records = (fields: object) =>
    saleRecords(
      order.parse({ id: "1", order_status: "Shipped", shipped_timestamp: "2026-03-10T19:30:00Z", ...fields }),
    );

  test.each(["Shipped", "SHIPPED", "Completed", "Delivered"])("that is %s is a sale", (order_status) => {
    expect(records({ order_status })).toMatchObject([{ transaction_type: "sale" }]);
  });

  test.each(["Created", "Partially Allocated", "Allocated", "submitted", "Packed", "OUT_FOR_DELIVERY"])(
    "that is %s is no sale",
    (order_status) => {
      expect(records({ order_status })).toEqual([]);
    },
  );

  test.each(["Undeliverable", "Ship", "", null])("with the status %j is rejected", (order_status) => {
    expect(records({ order_status })).toEqual({ field: "order_status", reason: "unknown_status" });
  });

  test.each<[object | null, string | null]>([
    [{ id: "7" }, "7"],
    [{ id: 7 }, "7"],
    [{ id: "0" }, null],
    [{ id: null }, null],
    [null, null],
  ])("with the representative %j has the employee %j", (sales_rep, employee_id) => {
    expect(records({ sales_rep })).toMatchObject([{ employee_id }]);
  });

  const discount = (amount: number, more: object = {}) => ({
    discount_name: "Volume",
    amount,
    level: "order",
    ...more,
  });
  const line = { order_qty: 2, unit_price: 20 };

  test.each<[string, object, object]>([
    [
      "of the order",
      { total_discounts: 4, discounts: [discount(4)] },
      { discounts: [{ flat_amount: 400, pct_amount: null, name: "Volume" }] },
    ],
    [
      "in percent, and a code",
      {
        total_discounts: 6,
        discounts: [discount(4, { method: "percent", discount_value: 10 }), { promo_code: "TWO", amount: 2 }],
      },
      {
        discounts: [
          { flat_amount: 400, pct_amount: 0.1 },
          { flat_amount: 200, pct_amount: null, name: "TWO" },
        ],
      },
    ],
    [
      "of another amount",
      { total_discounts: 4, discounts: [discount(9)] },
      { discounts: [{ flat_amount: 400, name: null }] },
    ],
    [
      "that lines repeat",
      { total_discounts: 4, discounts: [discount(4)], order_lines: [{ ...line, discount_price: 4 }] },
      { discounts: [], line_items: [{ line_item_discounts: [{ flat_amount: 400, name: "Volume" }] }] },
    ],
    [
      "one that lines repeat",
      { total_discounts: 4, discounts: [discount(4), discount(1)], order_lines: [{ ...line, discount_price: 4 }] },
      { line_items: [{ line_item_discounts: [{ name: null }] }] },
    ],
  ])("has the names of discounts %s", (_, fields, expected) => {
    expect(records(fields)).toMatchObject([expected]);
  });

  test("without a date is rejected", () => {
    expect(records({ shipped_timestamp: null })).toEqual({ field: "shipped_timestamp", reason: "no_instant" });
  });

  test.each<[string, object, object]>([
    [
      "that is canceled",
      { order_status: "Cancelled", total_price: 5 },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      "that has not been shipped",
      { shipped_timestamp: null, order_timestamp: "2026-03-11T00:00:00Z" },
      { date: "2026-03-11T00:00:00.000Z" },
    ],
    [
      "with fees, paid in part,",
      { total_price: 50, taxes: 4, delivery_fee: 5, total_charges: 1, total_paid: 20 },
      {
        subtotal: 4000,
        payments: [{ type: "unknown", amount_paid: 2000 }],
        fees: [
          { fee_name: "Delivery", flat_amount: 500 },
          { fee_name: "Charges", flat_amount: 100 },
        ],
        invoice: { id: "1", total: 5000, open_balance: 3000 },
      },
    ],
    [
      "with a discount of a line and one of its own",
      { total_discounts: 6, order_lines: [{ discount_price: 4 }] },
      { total_discounts: 600, discounts: [{ flat_amount: 200 }] },
    ],
    ["by weight", { order_lines: [{ order_qty: 2, item_uom: "lb" }] }, { line_items: [{ grams: 907.1847 }] }],
    ["by dose", { order_lines: [{ order_qty: 100, item_uom: "mg" }] }, { line_items: [{ grams: null }] }],
    ["of a customer", { destination: { id: 7 } }, { customer: { pos_customer_id: "7" } }],
  ])("%s is converted", (_, fields, expected) => {
    expect(records(fields)).toMatchObject([expected]);
  });
});

describe("the amounts of an order", () => {
  const read = (fields: object) => {
    const order_lines = [
      { order_qty: 4, unit_price: 10, discount_price: 4 },
      { order_qty: 1, unit_price: 20 },
    ];
    return saleRecords(
      order.parse({
        ...{ id: "1", order_status: "Shipped", shipped_timestamp: "2026-03-10T19:30:00Z", order_lines },
        ...{ sub_total_price: 56, taxes: 5.6, delivery_fee: 5, total_charges: 1, total_price: 67.6, total_paid: 67.6 },
        ...fields,
      }),
    );
  };
  const withDiscount = (total_discounts: number, total_price: number) => ({ total_discounts, total_price });
  const withReturn = { order_lines: [{ order_qty: 4, unit_price: 10, discount_price: 4, qty_returned: 2 }] };
  const one = { ...withReturn, sub_total_price: 36, taxes: 3.6, delivery_fee: 0, total_charges: 0, total_price: 39.6 };

  test.each<[string, { total_price?: number; [other: string]: unknown }, object]>([
    ["both fees", {}, { subtotal: 5600, fees: [{ flat_amount: 500 }, { flat_amount: 100 }] }],
    ["only the delivery", { total_price: 66.6 }, { subtotal: 5600, fees: [{ fee_name: "Delivery" }] }],
    ["only the charges", { total_price: 62.6 }, { subtotal: 5600, fees: [{ fee_name: "Charges" }] }],
    ["no fee", { total_price: 61.6 }, { subtotal: 5600, fees: [] }],
    ["a discount before", withDiscount(10, 67.6), { subtotal: 5600, total_discounts: 1000, fees: [{}, {}] }],
    ["a discount", withDiscount(10, 61.6), { subtotal: 5000, total_discounts: 1000, fees: [{}, {}] }],
    [
      "a discount and those of lines",
      withDiscount(3, 64.6),
      { subtotal: 5300, total_discounts: 700, discounts: [{ flat_amount: 300 }], fees: [{}, {}] },
    ],
    ["the discounts of lines", withDiscount(4, 67.6), { subtotal: 5600, total_discounts: 400, discounts: [] }],
    [
      "a discount, of an order without fees",
      { ...withDiscount(10, 55.6), delivery_fee: 0, total_charges: 0 },
      { subtotal: 5000, fees: [] },
    ],
  ])("include those fees and discounts with which the total adds up: %s", (_, fields, expected) => {
    const { total_price = 67.6 } = fields;
    expect(read(fields)).toMatchObject([{ ...expected, total_paid: Math.round(total_price * 100) }]);
  });

  const kept = {
    subtotal: 1800,
    tax_paid: 180,
    total_paid: 1980,
    total_discounts: 200,
    line_items: [{ num_units: 2 }],
  };

  test.each<[string, object, object]>([
    ["no total includes the return", { ...one, total_returns: 19.8, total_paid: 39.6, total_refund: 19.8 }, kept],
    ["the tax was not refunded", { ...one, total_returns: 18 }, { ...kept, tax_paid: 360, total_paid: 2160 }],
    [
      "all totals include the return",
      { ...one, sub_total_price: 18, taxes: 1.8, total_price: 19.8, total_returns: 19.8 },
      kept,
    ],
    ["only the total includes the return", { ...one, total_price: 19.8, total_returns: 19.8 }, kept],
    [
      "everything was returned",
      { ...one, order_lines: [{ ...withReturn.order_lines[0], qty_returned: 4 }], total_returns: 39.6 },
      { subtotal: 0, tax_paid: 0, total_paid: 0, line_items: [{ num_units: 0, line_item_discounts: [] }] },
    ],
    [
      "only the lines have the return",
      { ...one, taxes: 0, total_price: 36 },
      { ...kept, tax_paid: 0, total_paid: 1800 },
    ],
  ])("exclude returned units: %s", (_, fields, expected) => {
    expect(read(fields)).toMatchObject([expected]);
  });

  test("have refunds subtracted from payments", () => {
    const fields = { ...one, total_returns: 19.8, total_paid: 39.6, total_refund: 19.8 };
    expect(read(fields)).toMatchObject([{ payments: [{ amount_paid: 1980 }], invoice: { total: 1980 } }]);
  });

  test.each<[string, object]>([
    ["no line has returned units", { total_returns: 10 }],
    ["more was returned than ordered", { ...one, order_lines: [{ order_qty: 1, unit_price: 10, qty_returned: 2 }] }],
    ["the subtotal matches neither amount", { ...one, sub_total_price: 30, total_returns: 19.8 }],
    ["the total matches neither amount", { ...one, total_price: 30, total_returns: 19.8 }],
    ["it is unknown whether the tax was refunded", { ...one, total_returns: 0 }],
  ])("lead to a rejection if %s", (_, fields) => {
    expect(read(fields)).toEqual({ field: "total_returns", reason: "unclear_return" });
  });
});

describe("the connector", () => {
  const fake = new FakePosUnderTest("flourish", "2026-03-10T19:30:00.000Z");

  test("accepts the key in either form, and returns the facilities", async () => {
    const { api_key = "" } = fake.pos.connection.credentials;
    const encoded = Buffer.from(String(api_key)).toString("base64");
    expect(await fake.verify({ credentials: { api_key: encoded } })).toMatchObject([
      { id: "501", name: "Boulder", address: "412 Pearl Street, Boulder, CO 80302" },
      { id: "502", name: "Denver", address: "Denver, CO" },
    ]);
    expect(fake.pos.server.requests.at(-1)?.headers.facilityid).toBe("501");
  });

  test.each([
    ["areas", rooms.map(({ uuid }) => `area-${uuid}`)],
    ["none", ["facility-501"]],
  ] as const)("reads locations if stock names %s", async (places, expected) => {
    (fake.pos.server as FakeFlourish).places = places;
    expect((await fake.pull("location")).ids).toEqual(expected);
  });

  /** Changes a row of stock in each response. */
  const changeStock = (id: string, change: object) =>
    fake.pos.server.rewriteAt<{ data: { inventory_id: string }[] }>("/v1/inventory", ({ data, ...page }) => ({
      ...page,
      data: data.map((row) => (row.inventory_id === id ? { ...row, ...change } : row)),
    }));

  test("skips shipped stock without an id, and the list is complete", async () => {
    changeStock(String(fake.pos.shop.packages[0]?.number), { inventory_id: null });
    const pulled = await fake.pull("inventory");
    expect(pulled.complete).toBe(true);
    expect(unplannedRejections(pulled.rejected)).toEqual([]);
    expect(pulled.records.size).toBe(fake.pos.shop.packages.length - 1);
  });

  test("sets consumed stock to 0 if it is stored, and otherwise does not read it", async () => {
    const pulled = await fake.pull("inventory");
    const before = pulled.records.size;
    const id = pulled.ids[0] ?? "";
    changeStock(id, { package_status: "Consumed" });
    await pulled.pull(fake.later(60));
    expect(pulled.records.get(id)).toMatchObject({ total_quantity: 0, location_data: [] });
    expect((await fake.pull("inventory")).records.size).toBe(before - 1);
  });

  test("reads facilities until a page is empty or repeated, whatever the reported total", async () => {
    const pages = [[{ id: "501" }, { id: "502" }], [{ id: "503" }]];
    for (const last of [[], pages[1]]) {
      fake.pos.server.rewriteAt("/v1/facilities", (_, { query }) => {
        const offset = Number(query.get("offset"));
        return { meta: { total: 2 }, data: offset === 0 ? pages[0] : offset === 2 ? pages[1] : last };
      });
      const stores = await fake.verify();
      expect(stores.map(({ id }) => id)).toEqual(["501", "502", "503"]);
    }
  });

  test("accepts the facility of an order as `origin_facility_id`, or no facility", async () => {
    const facilities = [{ origin_facility_id: "501" }, { origin_facility_id: "502" }, {}, { origin_facility: null }];
    fake.pos.server.rewriteAt<{ data: object[] }>("/v1/outbound-orders", ({ data, ...page }) => ({
      ...page,
      data: data.map((row, at) => ({ ...row, origin_facility: undefined, ...facilities[at % facilities.length] })),
    }));
    const total = fake.pos.shop.sales.length;
    const pulled = await fake.pull("sale");
    expect(pulled.foreign).toBeGreaterThan(0);
    expect(pulled.foreign).toBeLessThan(total / 2);
  });

  test.each<[unknown, object]>([
    [500, { failure: "unreachable", code: "500" }],
    ["503", { failure: "unreachable", code: "503" }],
    [429, { failure: "limited", code: "429" }],
    [401, { failure: "credentialsRefused" }],
    [403, { failure: "credentialsRefused" }],
    [404, { failure: "notUnderstood", code: "404" }],
    [0, { failure: "notUnderstood", code: "0" }],
    ["error", { failure: "notUnderstood", code: "envelope" }],
    [false, { failure: "notUnderstood", code: "envelope" }],
    [200.5, { failure: "notUnderstood", code: "envelope" }],
  ])("treats a status of %j in the body like the HTTP status", async (status, failure) => {
    fake.pos.server.rewrite = (body) => ({ ...(body as object), status });
    await expect(fake.verify()).rejects.toMatchObject(failure);
  });

  test.each([200, "200", 201, null, undefined])("treats a status of %j in the body as a success", async (status) => {
    fake.pos.server.rewrite = (body) => ({ ...(body as object), status });
    expect(await fake.verify()).toHaveLength(2);
  });
});
