import { describe, expect, test } from "vitest";
import { compareSums } from "../../../../../shared/domain/replication/compareSums.ts";
import { ticket } from "../../../../../shared/pos/connectors/treez/responses.ts";
import { isFee, pricePerUnit, saleRecords } from "../../../../../shared/pos/connectors/treez/sales.ts";

import type { PosSale } from "../../../../../shared/pos/posRecords.ts";

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
    "DRAFT",
    "Draft",
  ])("that is %s is no sale yet", (order_status) => {
    expect(saleRecords(parse({ order_status }))).toEqual([]);
  });

  test.each(["REFUNDED", "COMPLETE", "", null])("with the status %j is rejected", (order_status) => {
    expect(saleRecords(parse({ order_status }))).toEqual({ field: "order_status", reason: "unknown_status" });
  });

  test.each<[string, object, object]>([
    [
      "with totals",
      { sub_total: 36, tax_total: 5.4, discount_total: -4, total: 41.4 },
      { subtotal: 3600, tax_paid: 540, total_discounts: 400, total_paid: 4140 },
    ],
    [
      "with tax in its prices, and a fee",
      {
        ...{ post_tax_pricing: true, sub_total: 40, tax_total: 5.22, total: 45.5 },
        fees: [{ type: "DELIVERY", total_amount: 5.5 }],
      },
      { subtotal: 3478 },
    ],
    ["that is canceled", { order_status: "CANCELED", total: 40 }, { transaction_type: "adjustment", total_paid: 0 }],
    ["that refunds", { original_ticket_id: "o", total: -40 }, { transaction_type: "return", total_paid: -4000 }],
    ["that refunds above 0", { original_ticket_id: "o", total: 40 }, { transaction_type: "return", total_paid: -4000 }],
    [
      "that was refunded by another",
      { payment_status: "REFUNDED", refund_ticket_ids: ["r"], total: 40 },
      { transaction_type: "sale", total_paid: 4000 },
    ],
    [
      "that was not closed",
      { date_closed: null, last_updated_at: "2026-03-10T20:00:00.000Z" },
      { date: "2026-03-10T20:00:00.000Z" },
    ],
    ["without any value", {}, { date: "2026-03-10T19:30:00.000Z", employee_id: null }],
    ["of an employee", { employee_id: "e", created_by_employee: { employee_id: "f" } }, { employee_id: "e" }],
    ["that an employee created", { created_by_employee: { employee_id: "f" } }, { employee_id: "f" }],
    ["that no employee created", { created_by_employee: { employee_id: "Default" } }, { employee_id: null }],
    [
      "to a patient",
      { customer_id: 7, ticket_patient_type: "MEDICAL-MMID" },
      { customer: { pos_customer_id: "7", type: "medical" } },
    ],
    [
      "with a payment of 0",
      {
        payments: [
          { payment_method: "CASH", amount_paid: 41.4 },
          { payment_method: "DEBIT", amount_paid: 0 },
        ],
      },
      { payments: [{ type: "cash", amount_paid: 4140 }] },
    ],
    [
      "with an unknown tax in its prices",
      { post_tax_pricing: true, sub_total: 40, total: 45.5 },
      { subtotal: null, tax_paid: null, total_paid: 4550 },
    ],
    [
      "with an unknown fee in its prices",
      { post_tax_pricing: true, tax_total: 5, total: 45.5, fees: [{ type: "DELIVERY" }] },
      { subtotal: null, tax_paid: 500 },
    ],
    [
      "with a payment of unknown amount",
      { payments: [{ payment_method: "CASH" }, { payment_method: "DEBIT", amount_paid: 20 }] },
      {
        payments: [
          { type: "cash", amount_paid: null },
          { type: "debit", amount_paid: 2000 },
        ],
      },
    ],
  ])("%s is converted", (_, fields, expected) => {
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
        thc_mg_per_unit: null,
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

  test.each<[string | null, number | null, number, number | null]>([
    ["36", 2, 400, 2000],
    ["3", 3, 0, 100],
    ["10", 3, 0, 333.3333],
    ["-36", -2, 400, 2000],
    ["36", 0, 0, null],
    ["36", null, 0, null],
    [null, 2, 0, null],
  ])(
    "with a line of %s for %s units, with %i cents saved, has a unit price of %s cents",
    (price_sell, quantity, saved, expected) => {
      expect(pricePerUnit({ price_sell, quantity }, saved)).toBe(expected);
    },
  );

  test("with a discount that states dollars but no savings has the price before this discount", () => {
    const POS_discounts = [{ discount_method: "DOLLAR", discount_amount: 4 }];
    expect(linesOf({ items: [{ ...item, POS_discounts }] })).toMatchObject([{ price_per_unit: 2000 }]);
  });

  describe("with reward dollars", () => {
    const amounts = { tax_total: 0.78, discount_total: 4, sub_total: 6, total: 6.78 };
    const rewarded = { ...item, quantity: 1, price_sell: 6, reward_dollars: 4 };
    const cash = (amount_paid: number) => ({ payment_method: "CASH", amount_paid });
    const reward = { name: "Reward dollars", flat_amount: 4_00, pct_amount: null };

    test.each<[string, object, object]>([
      ["in the price of the line", {}, {}],
      ["not in the price of the line", {}, { price_sell: 10 }],
      ["that the total of discounts lacks", { discount_total: 0 }, {}],
      ["of a negative sign", {}, { reward_dollars: -4 }],
    ])("%s has them as a discount of the line", (_, more, moreOfItem) => {
      const items = [{ ...rewarded, ...moreOfItem }];
      const made = saleRecords(parse({ ...amounts, payments: [cash(6.78)], items, ...more })) as [PosSale];
      expect(made).toMatchObject([
        {
          subtotal: 6_00,
          total_discounts: 4_00,
          total_paid: 6_78,
          line_items: [{ price_per_unit: 10_00, line_item_discounts: [reward] }],
        },
      ]);
      expect(compareSums(made)).toEqual({ compared: 1, mismatched: 0 });
    });

    test.each<[string, object[]]>([
      ["not listed", [cash(7.3)]],
      ["listed", [cash(7.3), { payment_method: "REWARDS", amount_paid: 4 }]],
    ])("that pay for a part of the total and are %s as a payment has one such payment", (_, payments) => {
      const fields = { sub_total: 10, tax_total: 1.3, discount_total: 0, total: 7.3 };
      const made = saleRecords(parse({ ...fields, payments, items: [{ ...rewarded, price_sell: 10 }] })) as [PosSale];
      expect(made).toMatchObject([
        {
          subtotal: 10_00,
          total_discounts: 0,
          total_paid: 11_30,
          payments: [
            { type: "cash", amount_paid: 7_30 },
            { type: "other", amount_paid: 4_00 },
          ],
          line_items: [{ price_per_unit: 10_00, line_item_discounts: [] }],
        },
      ]);
      expect(compareSums(made)).toEqual({ compared: 1, mismatched: 0 });
    });

    test("that a discount of the line repeats has them once", () => {
      const discounts = [{ discount_title: "Loyalty rewards", savings: 4 }];
      const made = saleRecords(parse({ ...amounts, payments: [cash(6.78)], items: [{ ...rewarded, discounts }] }));
      expect(made).toMatchObject([
        { line_items: [{ price_per_unit: 10_00, line_item_discounts: [{ flat_amount: 4_00 }] }] },
      ]);
    });

    test("in a refund gives them back", () => {
      const items = [{ ...rewarded, quantity: -1, price_sell: -6 }];
      const negative = { sub_total: -6, tax_total: -0.78, discount_total: -4, total: -6.78, payments: [cash(-6.78)] };
      const made = saleRecords(parse({ ...negative, original_ticket_id: "o", items })) as [PosSale];
      expect(made).toMatchObject([
        { total_paid: -6_78, line_items: [{ price_per_unit: 10_00, line_item_discounts: [{ flat_amount: -4_00 }] }] },
      ]);
      expect(compareSums(made)).toEqual({ compared: 1, mismatched: 0 });
    });
  });

  test.each<[object, (string | null)[], number]>([
    [{ processor_fee: 0.5, processor_tip: 5, amount_paid: 16.3 }, ["Tip"], 16_30],
    [{ processor_fee: 0.5, processor_tip: 5, amount_paid: 16.8 }, ["Tip", "Payment"], 16_80],
    [{ processor_fee: 0.5, processor_tip: null, amount_paid: 11.8 }, ["Payment"], 11_80],
    [{ processor_fee: 0.5, processor_tip: 5, amount_paid: 11.3 }, [], 11_30],
    [{ processor_fee: 5, processor_tip: 5, amount_paid: 16.3 }, [null], 16_30],
  ])("with the payment %j has the fees %j, which the customer paid too", (payment, names, total_paid) => {
    const fields = { sub_total: 10, tax_total: 1.3, total: 11.3, payments: [{ payment_method: "CREDIT", ...payment }] };
    const made = saleRecords(parse(fields)) as [PosSale];
    expect(made).toMatchObject([{ subtotal: 10_00, total_paid }]);
    expect(made[0].fees.map(({ fee_name }) => fee_name)).toEqual(names);
    expect(compareSums(made)).toEqual({ compared: 1, mismatched: 0 });
  });

  test("with payments that no fee explains stays mismatched", () => {
    const payments = [{ payment_method: "CREDIT", amount_paid: 17, processor_tip: 5 }];
    const made = saleRecords(parse({ sub_total: 10, tax_total: 1.3, total: 11.3, payments })) as [PosSale];
    expect(made).toMatchObject([{ total_paid: 11_30, fees: [] }]);
    expect(compareSums(made)).toEqual({ compared: 1, mismatched: 1 });
  });

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
