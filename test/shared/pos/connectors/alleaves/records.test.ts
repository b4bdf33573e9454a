import { describe, expect, test } from "vitest";
import {
  chooseFullerRow,
  customerRecord,
  inventoryRecord,
  isOpen,
  productRecord,
  quantityOf,
} from "../../../../../shared/pos/connectors/alleaves/records.ts";
import {
  customer,
  order,
  productRow,
  rows,
  stockRow,
} from "../../../../../shared/pos/connectors/alleaves/responses.ts";
import { isUndone, saleRecords } from "../../../../../shared/pos/connectors/alleaves/sales.ts";

test.each([[[1]], [{ data: [1] }], [{ customers: [1] }], [{ orders: [1], total: 5 }]])(
  "a list is read from %j",
  (body) => {
    expect(rows.parse(body)).toEqual([1]);
  },
);

test.each([{}, { data: {} }, "rows", null])("%j is not a list", (body) => {
  expect(rows.safeParse(body).success).toBe(false);
});

test.each<[object, object]>([
  [{}, { pos_customer_id: "1", dob: null, loyalty_points: null, svc_customer_type: null, pos_updated_date: null }],
  [{ name_first: "Robin" }, { first_name: "Robin" }],
  [{ name_last: "Doe" }, { last_name: "Doe" }],
  [{ email: "r@example.com" }, { email_address: "r@example.com" }],
  [{ phone: "555-0100" }, { phone: "555-0100" }],
  [{ date_of_birth: "1980-02-03T00:00:00.000Z" }, { dob: "1980-02-03" }],
  [{ loyalty_points: 12.5 }, { loyalty_points: "12.5" }],
  [{ date_created: "2026-01-01T00:00:00Z" }, { pos_updated_date: null }],
])("a customer %j is converted", (fields, expected) => {
  expect(customerRecord(customer.parse({ id_customer: 1, ...fields }))).toMatchObject(expected);
});

const batch = (fields: object = {}) => stockRow.parse({ id_item: 1, id_batch: 9, ...fields });

test.each<[object, object]>([
  [{}, { pos_product_id: "1", name: "Item 1", price: null, unit_cost: null, medicated: null, pos_updated_date: null }],
  [
    { category: "Category > Flower > Prerolls" },
    {
      svc_product_category_name: "flower",
      pos_product_category_name: "Flower",
      pos_product_subcategory_name: "Prerolls",
    },
  ],
  [{ category: "Category > Flower" }, { pos_product_category_name: "Flower", pos_product_subcategory_name: null }],
  [{ category: "Flower > Prerolls" }, { pos_product_category_name: "Flower" }],
  [{ category: "Category" }, { pos_product_category_name: null, svc_product_category_name: null }],
  [{ is_cannabis: false }, { medicated: false }],
  [{ weight_useable: 3.5, weight_useable_uom: "Grams" }, { svc_net_weight_grams: 3.5 }],
  [{ weight_useable: 0, weight_useable_uom: "Grams" }, { svc_net_weight_grams: null }],
  // Milligrams are the dose, unless the main category is sold by weight.
  ...[
    "Edibles",
    "Beverages",
    "Tinctures",
    "Topicals",
    "Capsules",
    "Edibles > Live Rosin",
    "Uncategorized",
    "Accessories",
  ].map((category): [object, object] => [
    { category: `Category > ${category}`, weight_useable: 100, weight_useable_uom: "Milligrams" },
    { svc_net_weight_grams: null },
  ]),
  [{ weight_useable: 100, weight_useable_uom: "mg" }, { svc_net_weight_grams: null }],
  ...["Vapes", "Vaporizers > Cartridges", "Concentrates", "Flower", "Pre rolls"].map((category): [object, object] => [
    { category: `Category > ${category}`, weight_useable: 500, weight_useable_uom: "Milligrams" },
    { svc_net_weight_grams: 0.5 },
  ]),
  [{ category: "Category > Edibles", weight_useable: 10, weight_useable_uom: "Grams" }, { svc_net_weight_grams: 10 }],
  // The first price that is set, but never one that includes the tax.
  [{ price_retail_adult_use: 12.5, price_retail_medical_use: 10, price_retail: 9 }, { price: 1250 }],
  [{ price_retail_adult_use: 0, price_retail_medical_use: "10.00", price_retail: 9 }, { price: 1000 }],
  [{ price_retail_adult_use: 0, price_retail: 9 }, { price: 900 }],
  [{ price_retail: 0, price_otd: 12, price_otd_adult_use: 12 }, { price: null }],
  [{ cost_of_good: 1.255 }, { unit_cost: 125.5 }],
  [{ description: "Sweet\nand sour" }, { description: "Sweet\nand sour" }],
  [{ image_url: "https://a/1.png" }, { images: [{ url: "https://a/1.png", description: null }] }],
  [{ image_url: "" }, { images: null, description: null }],
  [
    { date_updated: "2026-01-02T03:04:05Z", batch_date_updated: "2026-02-02T03:04:05Z" },
    { pos_updated_date: "2026-01-02T03:04:05.000Z" },
  ],
])("the product of a batch %j is converted", (fields, expected) => {
  expect(productRecord(productRow.parse({ id_item: 1, id_batch: 9, ...fields }))).toMatchObject(expected);
});

test.each<[object, object]>([
  [{ status: "open" }, { status: "closed", date_updated: "2026-01-02T00:00:00Z" }],
  [{ date_updated: "2026-01-02T00:00:00Z" }, { date_updated: "2026-01-01T00:00:00Z", id_batch: 10 }],
  [{ id_batch: 10 }, { id_batch: 9 }],
  [{ id_area: "2" }, { id_area: "1" }],
])("of two batches, %j describes the product, not %j", (one, other) => {
  expect(chooseFullerRow(batch(one), batch(other))).toEqual(batch(one));
  expect(chooseFullerRow(batch(other), batch(one))).toEqual(batch(one));
});

test.each<[string, [object, ...object[]], object]>([
  ["counts reserved units too", [{ on_hand: 5, available: 3 }], { total_quantity: 5, location_data: null }],
  ["without a tag has the number of its label", [{ on_hand: 1, batch: "B0001" }], { barcode: "B0001" }],
  ["has its tag", [{ on_hand: 1, batch: "B0001", metrc_package_label: "1A" }], { barcode: "1A" }],
  ["counts available units if nothing else is reported", [{ available: 3 }], { total_quantity: 3 }],
  [
    "may be in several areas, without the empty ones",
    [
      { on_hand: 0.1, id_area: 3, area: "Safe", metrc_package_label: "1A", batch_date_updated: "2026-01-03T00:00:00Z" },
      { on_hand: 0.2, id_area: 4, area: "Floor", batch_date_updated: "2026-01-02T00:00:00Z" },
      { on_hand: 0, id_area: 5, area: "Van" },
      { on_hand: 1 },
    ],
    {
      total_quantity: 1.3,
      barcode: "1A",
      pos_updated_date: "2026-01-03T00:00:00.000Z",
      location_data: [
        { pos_location_id: "3", name: "Safe", pos_location_type: null, quantity: 0.1 },
        { pos_location_id: "4", name: "Floor", pos_location_type: null, quantity: 0.2 },
      ],
    },
  ],
])("a batch %s", (_, [first, ...others], expected) => {
  const rows = [batch(first), ...others.map(batch)] as const;
  expect(inventoryRecord(rows)).toMatchObject({ pos_inventory_id: "9", pos_product_id: "1", ...expected });
});

test.each<[object, number | null]>([
  [{ on_hand: 0, available: 3 }, 0],
  [{ on_hand: "2.5" }, 2.5],
  [{ on_hand: "some" }, null],
  [{}, null],
])("%j has the quantity %s", (fields, quantity) => {
  expect(quantityOf(batch(fields))).toBe(quantity);
});

test.each<[object, boolean | null]>([
  [{ status: "open" }, true],
  [{ status: "Open" }, true],
  [{ status: null }, null],
  [{ status: "quarantined" }, null],
  [{ status: "quarantined", deleted: true }, false],
  [{ status: "closed" }, false],
  [{ status: "Deleted" }, false],
  [{ status: "open", deleted: true }, false],
  [{ status: "open", deleted: false }, true],
])("a batch with %j is stock: %s", (fields, expected) => {
  expect(isOpen(batch(fields))).toBe(expected);
});

describe("orders", () => {
  const parsed = (fields: object) =>
    order.parse({ id_order: 1, complete: true, date_created: "2026-03-10T19:30:00Z", total: 46, ...fields });
  const records = (fields: object) => saleRecords(parsed(fields));

  test.each<[object, string, string]>([
    [{ date_created: "soon" }, "date_created", "no_instant"],
    [{ status: "Refunded" }, "status", "unclear_return"],
    [{ status: "partially returned", total: null }, "status", "unclear_return"],
    [{ status: "partially_voided" }, "status", "unclear_void"],
    [{ status: "Partial cancellation", complete: false }, "status", "unclear_void"],
    [{ complete: null }, "complete", "unknown_status"],
    [{ status: "Disputed" }, "status", "unknown_status"],
    [{ status: "Disputed", total: -46 }, "status", "unknown_status"],
    [{ status: "pending" }, "status", "unknown_status"],
    [{ status: "Disputed", complete: false }, "status", "unknown_status"],
  ])("with %j are rejected: %s %s", (fields, field, reason) => {
    expect(records(fields)).toEqual({ field, reason });
  });

  test.each(["void", "cancel"])("with an unclear flag %s are rejected", (flag) => {
    const { error } = order.safeParse({ id_order: 1, [flag]: "perhaps" });
    expect(error?.issues).toMatchObject([{ path: [flag], message: "unknown_status" }]);
  });

  test.each<[object, boolean]>([
    [{}, false],
    [{ status: "complete" }, false],
    [{ complete: false }, true],
    [{ status: "Cancelled" }, true],
    [{ status: "canceled" }, true],
    [{ status: "voided" }, true],
    [{ cancel: true }, true],
    // It was sold, so its void is stored in any case.
    [{ void: true }, false],
    [{ void: true, cancel: true }, true],
    [{ void: true, complete: null }, true],
  ])("with %j cancel a sale: %s", (fields, expected) => {
    expect(isUndone(parsed(fields))).toBe(expected);
  });

  const items = (...pairs: [quantity: number | null, price: number | null][]) => ({
    items: pairs.map(([quantity, price], at) => ({
      ...{ id_item: at, id_inventory_item: 9, item: "Gelato" },
      ...{ quantity, price },
    })),
  });
  const row = (more: object = {}) => ({ id_item: 1, id_inventory_item: 9, item: "Gelato", price: 20, ...more });
  const priceOf = (price_per_unit: number) => ({ price_per_unit });
  const priced = (...prices: (number | null)[]) => ({
    line_items: prices.map((price_per_unit) => ({ price_per_unit })),
  });

  test.each<[string, object, object]>([
    [
      "with undocumented fields of tax, discount and payment has only a total",
      { subtotal: 40, tax: 6, discount: 1, payments: [{ amount: 46 }] },
      {
        ...{ transaction_type: "sale", date: "2026-03-10T19:30:00.000Z", employee_id: null },
        ...{
          subtotal: null,
          total_discounts: null,
          tax_paid: null,
          total_paid: 4600,
          discounts: [],
          taxes: [],
          fees: [],
        },
        payments: [{ type: "unknown", amount_paid: 4600 }],
      },
    ],
    ["that is not paid has no payment", { paid_in_full: false }, { total_paid: 4600, payments: [] }],
    ["without a total", { total: null }, { total_paid: null, payments: [] }],
    ["with a total of 0", { total: 0 }, { total_paid: 0, payments: [] }],
    ["that is open again sets its sale to 0", { complete: false, status: "Pending" }, { total_paid: 0 }],
    ["completed in capital letters", { status: "COMPLETED" }, { transaction_type: "sale", total_paid: 4600 }],
    ["refunded, below 0, is a return", { total: -46, status: "refunded" }, { transaction_type: "return" }],
    [
      "that is refunded and not complete sets its sale to 0",
      { complete: false, status: "refunded" },
      { total_paid: 0 },
    ],
    ["below 0 is a return", { total: -46, ...items([-1, 46]) }, { transaction_type: "return", total_paid: -4600 }],
    ["of a customer", { id_customer: 5, patient_number: "P" }, { customer: { pos_customer_id: "5", type: null } }],
    ["without a customer", { id_customer: 0 }, { customer: { pos_customer_id: null } }],
    ["without a customer, with an id below 0", { id_customer: -1 }, { customer: { pos_customer_id: null } }],
    ["that was canceled", { status: "cancelled" }, { transaction_type: "adjustment", total_paid: 0, line_items: [] }],
    [
      "with a row of one unit",
      items([1, 20.005]),
      {
        line_items: [
          { pos_product_id: "9", product_name: "Gelato", num_units: 1, price_per_unit: 2000.5, grams: null },
        ],
      },
    ],
    ["whose prices per unit add up to its total", { total: 60, ...items([2, 20], [1, 20]) }, priced(2000, 2000)],
    // Half of the units may be free.
    ["whose prices per row add up to its total", { total: 40, ...items([2, 20], [1, 20]) }, priced(null, 2000)],
    ["whose rows do not add up to its total", items([2, 20], [1, 20]), priced(null, 2000)],
    ["with a row without a price", { total: 20, ...items([2, null], [1, 20]) }, priced(null, 2000)],
    ["with a row without a quantity, which is one unit", items([null, 20]), { line_items: [{ num_units: 1 }] }],
    [
      "with equal rows adds them up",
      { items: [row({ id_item: 1 }), row({ id_item: 2, id_batch: 8 }), row({ id_item: 3 })] },
      { line_items: [{ pos_product_id: "9", num_units: 3, price_per_unit: 2000 }] },
    ],
    [
      "with rows of different products, names and prices keeps them apart",
      { items: [row(), row({ id_inventory_item: 8 }), row({ item: "Runtz" }), row({ price_override: 15 })] },
      { line_items: [{ price_per_unit: 2000 }, { pos_product_id: "8" }, { product_name: "Runtz" }, priceOf(1500)] },
    ],
    ["with overridden prices, also of 0", { items: [row({ price_override: 0 })] }, { line_items: [priceOf(0)] }],
    ["whose rows name no product", { items: [{ id_item: 5, price: 20 }] }, { line_items: [{ pos_product_id: null }] }],
    ["for adult use", { use_type: "Adult" }, { customer: { type: "rec" } }],
    ["for medical use", { use_type: "medical" }, { customer: { type: "medical" } }],
    ["for an unknown use", { use_type: "caregiver" }, { customer: { type: null } }],
    ["that was delivered", { status: "delivered" }, { transaction_type: "sale" }],
    ["marked as void", { void: true, status: "completed" }, { transaction_type: "adjustment", total_paid: 0 }],
    ["marked as canceled", { cancel: "true", status: null }, { transaction_type: "adjustment", total_paid: 0 }],
    ["marked as void, of unknown status", { void: true, status: "Disputed" }, { transaction_type: "adjustment" }],
    ["marked as void below 0", { void: true, total: -46 }, { transaction_type: "adjustment", total_paid: 0 }],
  ])("one %s is converted", (_, fields, expected) => {
    expect(records(fields)).toMatchObject([expected]);
  });
});
