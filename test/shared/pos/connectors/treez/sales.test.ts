import { describe, expect, test } from "vitest";
import { ticket } from "../../../../../shared/pos/connectors/treez/responses.ts";
import { isFee, pricePerUnit, saleRecords } from "../../../../../shared/pos/connectors/treez/sales.ts";

describe("a ticket", () => {
  const parse = (fields: object) =>
    ticket.parse({
      ticket_id: "t",
      order_status: "COMPLETED",
      date_closed: "2026-03-10T12:30:00.000-07:00",
      ...fields,
    });
  const linesOf = (fields: object) => {
    const made = saleRecords(parse(fields));
    return "reason" in made ? [] : (made[0]?.line_items ?? []);
  };
  const item = { product_id: "p", product_size_name: "Bud 3.5g", quantity: 2, price_sell: 36, product_type: "FLOWER" };

  test.each([
    ["COMPLETED", "sale"],
    ["Completed", "sale"],
    ["DELIVERED", "sale"],
    ["CANCELED", "adjustment"],
    ["Cancelled", "adjustment"],
    ["REMOVED", "adjustment"],
  ])("that is %s is a record of type %s", (order_status, transaction_type) => {
    expect(saleRecords(parse({ order_status }))).toMatchObject([{ transaction_type }]);
  });

  test.each([
    "VERIFICATION_PENDING",
    "AWAITING_PROCESSING",
    "IN_PROCESS",
    "PACKED_READY",
    "OUT_FOR_DELIVERY",
    "Out for delivery",
    "PREVIEW",
  ])("that is %s is no sale yet", (order_status) => {
    expect(saleRecords(parse({ order_status }))).toEqual([]);
  });

  test.each(["REFUNDED", "COMPLETE", "", null])("with the status %j is rejected", (order_status) => {
    expect(saleRecords(parse({ order_status }))).toEqual({ field: "order_status", reason: "unknown_status" });
  });

  test.each<[object, object]>([
    [
      { sub_total: 36, tax_total: 5.4, discount_total: -4, total: 41.4 },
      { subtotal: 3600, tax_paid: 540, total_discounts: 400, total_paid: 4140 },
    ],
    [
      {
        post_tax_pricing: true,
        sub_total: 40,
        tax_total: 5.22,
        total: 45.5,
        fees: [{ type: "DELIVERY", total_amount: 5.5 }],
      },
      { subtotal: 3478 },
    ],
    [
      { order_status: "CANCELED", total: 40 },
      { transaction_type: "adjustment", total_paid: 0 },
    ],
    [
      { original_ticket_id: "o", total: -40 },
      { transaction_type: "return", total_paid: -4000 },
    ],
    [
      { original_ticket_id: "o", total: 40 },
      { transaction_type: "return", total_paid: -4000 },
    ],
    [
      { payment_status: "REFUNDED", refund_ticket_ids: ["r"], total: 40 },
      { transaction_type: "sale", total_paid: 4000 },
    ],
    [{ date_closed: null, last_updated_at: "2026-03-10T20:00:00.000Z" }, { date: "2026-03-10T20:00:00.000Z" }],
    [{}, { date: "2026-03-10T19:30:00.000Z", employee_id: null }],
    [{ employee_id: "e", created_by_employee: { employee_id: "f" } }, { employee_id: "e" }],
    [{ created_by_employee: { employee_id: "f" } }, { employee_id: "f" }],
    [{ created_by_employee: { employee_id: "Default" } }, { employee_id: null }],
    [{ customer_id: 7, ticket_patient_type: "MEDICAL-MMID" }, { customer: { pos_customer_id: "7", type: "medical" } }],
    [
      {
        payments: [
          { payment_method: "CASH", amount_paid: 41.4 },
          { payment_method: "DEBIT", amount_paid: 0 },
        ],
      },
      { payments: [{ type: "cash", amount_paid: 4140 }] },
    ],
  ])("with %j is converted", (fields, expected) => {
    expect(saleRecords(parse(fields))).toMatchObject([expected]);
  });

  test("without a date is rejected", () => {
    expect(saleRecords(parse({ date_closed: null }))).toEqual({ field: "date_closed", reason: "no_instant" });
  });

  test("has lines with the price of the whole line, after discounts", () => {
    const discount = { discount_title: "Daily", discount_method: "PERCENT", discount_amount: 10, savings: 4 };
    const fields = { product_unit: "GRAMS", product_amount: 3.5, discounts: [discount], POS_discounts: [discount] };
    const tax = [{ tax_name: "Sales", rate: 0.15, amount: 5.4 }];
    expect(linesOf({ items: [{ ...item, ...fields, tax }] })).toEqual([
      {
        pos_product_id: "p",
        product_name: "Bud 3.5g",
        num_units: 2,
        price_per_unit: 2000,
        grams: 7,
        product_type: "flower",
        cannabis_product: true,
        line_item_discounts: [{ name: "Daily", flat_amount: 400, pct_amount: 0.1 }],
        line_item_taxes: [{ name: "Sales", flat_amount: 540, pct_amount: 0.15 }],
        line_item_fees: [],
      },
    ]);
  });

  test.each<[object, object]>([
    [
      { discount_method: "DOLLAR", discount_amount: 4 },
      { flat_amount: 400, pct_amount: null },
    ],
    [
      { discount_method: "DOLLAR", discount_amount: 4, savings: 3 },
      { flat_amount: 300, pct_amount: null },
    ],
    [
      { discount_method: "PERCENT", discount_amount: 10 },
      { flat_amount: null, pct_amount: 0.1 },
    ],
    [
      { discount_method: "PERCENT", discount_amount: -10, savings: -4 },
      { flat_amount: 400, pct_amount: 0.1 },
    ],
  ])("has lines with the discount %j", (fields, expected) => {
    const [line] = linesOf({ items: [{ ...item, POS_discounts: [fields] }] });
    expect(line?.line_item_discounts).toEqual([{ name: null, ...expected }]);
  });

  test.each<[string | null, number | null, (string | null)[], number | null]>([
    ["36", 2, ["4"], 2000],
    ["3", 3, [], 100],
    ["10", 3, [], 333.3333],
    ["-36", -2, ["4"], 2000],
    ["36", 0, [], null],
    ["36", null, [], null],
    [null, 2, [], null],
  ])(
    "with a line of %s for %s units, with savings %j, has a unit price of %s cents",
    (price_sell, quantity, savings, expected) => {
      const applied = savings.map((saving) => ({ savings: saving }));
      expect(pricePerUnit({ price_sell, quantity }, applied)).toBe(expected);
    },
  );

  test.each<[string, string | null, string | null, boolean]>([
    ["DELIVERY", "DELIVERY FEE", null, true],
    ["Service_Charge", "SERVICE CHARGE", null, true],
    ["DELIVERY", "DELIVERY FEE", "Floor", false],
    ["DELIVERY", "Bud 3.5g", null, false],
  ])(
    "with a fee %s and an item %s at %s has the item as that fee: %s",
    (type, product_size_name, location_name, expected) => {
      const fields = { fees: [{ type, total_amount: 5 }], items: [{ ...item, product_size_name, location_name }] };
      const row = parse(fields);
      expect(isFee(row.items[0] as never, row)).toBe(expected);
      expect(linesOf(fields)).toHaveLength(expected ? 0 : 1);
    },
  );
});
