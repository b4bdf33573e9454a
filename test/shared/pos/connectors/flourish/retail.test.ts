import { describe, expect, test } from "vitest";
import { customer, retailOrder } from "../../../../../shared/pos/connectors/flourish/responses.ts";
import { personRecord, retailSaleRecords } from "../../../../../shared/pos/connectors/flourish/retail.ts";

test.each<[object, object]>([
  [
    { patient_id: "P1", medical_card_expiration: "2027-06-30", customer_type: "PATIENT" },
    {
      ...{ medical_id: "P1", medical_id_expiration_date: "2027-06-30", pos_identification_type: "medical" },
      ...{ svc_customer_type: "medical", pos_customer_type: "PATIENT" },
    },
  ],
  [
    { medical_card_expiration: "" },
    { medical_id: null, medical_id_expiration_date: null, pos_identification_type: null },
  ],
  [{ customer_type: "Non-Patient" }, { svc_customer_type: null, pos_customer_type: "Non-Patient" }],
  [{ state_id: "S1", state_id_expiration_timestamp: "2028-01-31T23:00:00-05:00" }, { other_id: "S1" }],
  [{ state_id_expiration_timestamp: "2028-01-31T23:00:00-05:00" }, { other_id_expiration_date: "2028-01-31" }],
  [{ dob: "0000-00-00" }, { dob: null }],
  [{ merged_customer_id: 7 }, { merged_into_pos_customer_id: "7" }],
  [
    { address: [{ address_line_1: "old" }, { address_line_1: "home", is_primary: "true", active: false }] },
    { address_1: "home" },
  ],
  [{ address: [{ address_line_1: "closed", active: false }, { address_line_1: "open" }] }, { address_1: "open" }],
  [{ address: [{ address_line_1: "closed", active: false }] }, { address_1: null }],
  [{ address: null }, { address_1: null, zip_code: null }],
])("a customer %j is converted", (fields, expected) => {
  expect(personRecord(customer.parse({ id: 4886, ...fields }))).toMatchObject({ pos_customer_id: "4886", ...expected });
});

describe("a retail order", () => {
  const line = { item_id: "9", order_qty: 2, unit_price: 20, discount_price: 4 };
  const amounts = { sub_total_price: 36, taxes: 5.4, total_discounts: 4, total_price: 41.4, total_paid: 41.4 };
  const cash = { amount: 41.4, payment_type: "Cash", is_successful: true, is_voided: false };
  const row = {
    ...{ id: "1", order_status: "Completed", completed_timestamp: "2026-03-10T19:30:00Z", ...amounts },
    ...{ order_lines: [line], transactions: [cash] },
  };
  const records = (fields: object) => retailSaleRecords(retailOrder.parse({ ...row, ...fields }));

  test("has the amounts of its parts", () => {
    expect(records({})).toMatchObject([
      {
        ...{ type: "retail", subtotal: 3600, total_discounts: 400, tax_paid: 540, total_paid: 4140 },
        line_items: [{ num_units: 2, price_per_unit: 2000 }],
        payments: [{ type: "cash", amount_paid: 4140 }],
        employee_id: null,
      },
    ]);
  });

  test.each<[string | null, unknown]>([
    ["COMPLETED", [{ transaction_type: "sale" }]],
    ["out_for_delivery", []],
    ["Created", []],
    ["Canceled", [{ transaction_type: "adjustment", total_paid: 0, line_items: [], payments: [] }]],
    ["Undeliverable", [{ transaction_type: "adjustment", total_paid: 0 }]],
    ["Shipped", { field: "order_status", reason: "unknown_status" }],
    ["Not Completed", { field: "order_status", reason: "unknown_status" }],
    [null, { field: "order_status", reason: "unknown_status" }],
  ])("with the status %j becomes %j", (order_status, expected) => {
    const found = records({ order_status });
    if (Array.isArray(expected)) expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected as object);
  });

  test.each<[object, string]>([
    [{}, "2026-03-10T19:30:00.000Z"],
    [{ completed_timestamp: null, delivered_timestamp: "2026-03-09T10:00:00Z" }, "2026-03-09T10:00:00.000Z"],
    [{ completed_timestamp: "soon", order_timestamp: "2026-03-08T10:00:00-05:00" }, "2026-03-08T15:00:00.000Z"],
  ])("with the times %j has the date %s", (fields, date) => {
    expect(records(fields)).toMatchObject([{ date }]);
  });

  test("without a time is rejected", () => {
    const none = { completed_timestamp: null, delivered_timestamp: null, order_timestamp: null };
    expect(records(none)).toEqual({ field: "completed_timestamp", reason: "no_instant" });
  });

  const unknown = [{ type: "unknown", amount_paid: 4140 }];
  test.each<[string, object[], object[]]>([
    ["a failed one", [{ ...cash, amount: 50, is_successful: false }, cash], [{ type: "cash", amount_paid: 4140 }]],
    ["a voided one", [{ ...cash, amount: 50, is_voided: "true" }, cash], [{ type: "cash", amount_paid: 4140 }]],
    ["change in the amount", [{ ...cash, amount: 45, change_given: 3.6 }], [{ type: "cash", amount_paid: 4140 }]],
    ["change next to the amount", [{ ...cash, change_given: 3.6 }], [{ type: "cash", amount_paid: 4140 }]],
    [
      "two means",
      [
        { ...cash, amount: 40 },
        { amount: 1.4, payment_type: "Manual", reference_token: "CANPAY" },
      ],
      [
        { type: "cash", amount_paid: 4000 },
        { type: "ach", amount_paid: 140 },
      ],
    ],
    ["another sum", [{ ...cash, amount: 20 }], unknown],
    ["no amount", [{ ...cash, amount: null }], unknown],
    ["none at all", [], unknown],
  ])("with %s among its transactions has payments that add up", (_, transactions, payments) => {
    expect(records({ transactions })).toMatchObject([{ payments, total_paid: 4140 }]);
  });

  test("never stores a reference that is no means of payment", () => {
    const transactions = [{ ...cash, payment_type: "Manual", reference_token: "tok_4242424242" }];
    const found = records({ transactions });
    expect(found).toMatchObject([{ payments: [{ type: "other", pos_name: "Manual" }] }]);
    expect(JSON.stringify(found)).not.toContain("4242");
  });

  test("is rejected if a transaction may or may not be void", () => {
    expect(retailOrder.safeParse({ ...row, transactions: [{ ...cash, is_voided: "partly" }] }).success).toBe(false);
  });

  test.each<[string, object, object]>([
    [
      "half of a line, and refunds it,",
      { order_lines: [{ ...line, qty_returned: 1 }], total_refund: 20.7 },
      [{ subtotal: 1800, tax_paid: 270, total_paid: 2070, line_items: [{ num_units: 1 }] }],
    ],
    [
      "half of a line, and states no refund,",
      { order_lines: [{ ...line, qty_returned: 1 }] },
      { field: "qty_returned", reason: "unclear_return" },
    ],
    [
      "more than was sold",
      { order_lines: [{ ...line, qty_returned: 3 }] },
      { field: "qty_returned", reason: "unclear_return" },
    ],
    [
      "a negative quantity",
      { order_lines: [{ ...line, qty_returned: -1 }] },
      { field: "qty_returned", reason: "unclear_return" },
    ],
  ])("that returns %s is reduced or rejected", (_, fields, expected) => {
    expect(records(fields)).toMatchObject(expected);
  });

  test("by weight has the weight of its lines", () => {
    const order_lines = [{ ...line, item_uom: "oz" }];
    expect(records({ order_lines })).toMatchObject([{ line_items: [{ grams: 56.699 }] }]);
  });
});
