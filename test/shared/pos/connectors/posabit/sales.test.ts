import { describe, expect, test } from "vitest";
import { sale } from "../../../../../shared/pos/connectors/posabit/responses.ts";
import { isUndone, saleRecords } from "../../../../../shared/pos/connectors/posabit/sales.ts";

const ordered_at = "2026-03-10T19:30:00.000Z";
const line = { product_id: 9, product_name: "Gelato", quantity: 2, sub_total: 4000, tax: 600, total: 4600 };
const records = (fields: object) =>
  saleRecords(sale.parse({ id: 1, ordered_at, status: "completed", ...fields }), "America/Denver");
/** 2 units at 20.00, 15 % tax */
const plain = { sub_total: 4000, tax: 600, total: 4600, items: [line] };

describe("a row of the list of sales", () => {
  test("without a status and a date is not a sale yet", () => {
    expect(records({ ...plain, ordered_at: null, status: null })).toEqual([]);
  });

  test.each([
    { ordered_at: "yesterday" },
    { ordered_at: null },
    { ordered_at: null, status: "Delivered" },
    { ordered_at: null, status: "Returned" },
  ])("with %j has no time, and is rejected", (fields) => {
    expect(records({ ...plain, ...fields })).toEqual({ field: "ordered_at", reason: "no_instant" });
  });

  test.each([{ status: null }, { status: "COMPLETED" }, { status: "Delivered" }, { status: "Paid", sale_type: 7 }])(
    "with %j is a sale",
    (fields) => {
      expect(records({ ...plain, ...fields })).toMatchObject([
        { transaction_type: "sale", subtotal: 4000, tax_paid: 600, total_paid: 4600, date: ordered_at },
      ]);
    },
  );

  test.each(["Pending", "Change", "Processing", "En Route", "en_route", "STS Failed", "open"])(
    "with the status %s is no sale, even if it has a date",
    (status) => {
      expect(records({ ...plain, status })).toEqual([]);
    },
  );

  test.each(["On Hold", "whatever", "refund_pending", "partially_refunded", "Partially voided", "-", "7"])(
    "with the status %j is rejected, not dropped",
    (status) => {
      for (const date of [ordered_at, null]) {
        const rejection = { field: "status", reason: "unknown_status" };
        expect(records({ ...plain, status, ordered_at: date })).toEqual(rejection);
      }
    },
  );

  test.each<[string, string, string | null]>([
    ["2026-03-10T19:30:00.000Z", "2026-03-10T19:30:00.000Z", null],
    ["2026-03-10T19:30:00.000Z", "2026-03-10T19:30:00.000Z", "2026-03-10T19:30:00.000"],
    ["2026-03-10T19:30:00.000Z", "2026-03-10T19:30:00", "2026-03-10T13:30:00.000-06:00"],
    ["2026-03-11T01:30:00.000Z", "2026-03-10T19:30:00", "2026-03-10T19:30:00.000-06:00"],
    ["2026-03-11T01:30:00.000Z", "2026-03-10 19:30:00.000", "2026-03-10T19:30:00"],
    ["2026-03-10T19:30:00.000Z", "2026-03-10T19:30:00", null],
  ])("has the time %s if its dates are %j and %j", (date, ordered_at, ordered_at_local) => {
    expect(records({ ...plain, ordered_at, ordered_at_local })).toMatchObject([{ date }]);
  });

  const voided = { transaction_type: "adjustment", total_paid: 0, subtotal: 0, line_items: [], payments: [] };
  test.each<[object, boolean]>([
    [{ status: "Voided" }, false],
    [{ sale_type: "Void" }, false],
    [{ status: "CANCELLED" }, true],
    [{ status: "cancelled" }, true],
    [{ status: "Canceled", sub_total: 1, discount: 1 }, true],
    [{ status: "void", ordered_at: null, updated_at: ordered_at }, true],
  ])("with %j is voided, and matters only if it was stored: %j", (fields, matters) => {
    expect(records({ ...plain, ...fields })).toMatchObject([voided]);
    expect(isUndone(sale.parse({ id: 1, ordered_at, ...fields }))).toBe(matters);
  });

  const returned = { transaction_type: "return", subtotal: -4000, tax_paid: -600, total_paid: -4600 };
  const negative = { sub_total: -4000, tax: -600, total: -4600 };
  test.each([
    { sale_type: "return" },
    { sale_type: "Refund", status: "completed" },
    { ...negative, items: [{ ...line, ...negative, quantity: -2 }] },
    { ...negative, sale_type: "Return" },
  ])("with %j is a return with negative amounts", (fields) => {
    const expected = { ...returned, line_items: [{ num_units: -2, price_per_unit: 2000 }] };
    expect(records({ ...plain, ...fields })).toMatchObject([expected]);
  });

  test.each(["partial_return", "Void-Return", "Refund requested"])(
    "of type %j is rejected: it may be a sale or the rest of one",
    (sale_type) => {
      expect(records({ ...plain, sale_type })).toEqual({ field: "sale_type", reason: "unknown_status" });
    },
  );

  test.each([plain, { ...plain, total: 0 }, { ...plain, total: null }])(
    "that is refunded by status, with the amounts of a sale, may be the sale: %j",
    (fields) => {
      expect(records({ ...fields, status: "Refunded" })).toEqual({ field: "status", reason: "unclear_return" });
    },
  );
});

describe("the discounts of a sale", () => {
  const expectedAmounts = { subtotal: 3600, total_discounts: 400, tax_paid: 540, total_paid: 4140 };
  const whole = { discount: 400, tax: 540, total: 4140 };
  const lines = (fields: object) => ({ items: [{ ...line, tax: 540, ...fields }] });
  const offLine = (flat_amount: number) => [{ flat_amount, pct_amount: null, name: null }];

  test.each<[string, object, number, object[]]>([
    [
      "both subtotals are after discounts",
      { sub_total: 3600, ...lines({ sub_total: 3600, discount: 400, total: 4140 }) },
      400,
      [],
    ],
    [
      "both subtotals are before discounts",
      { sub_total: 4000, ...lines({ sub_total: 4000, discount: 400, total: 4140 }) },
      400,
      [],
    ],
    [
      "the sale's subtotal is before, the line's after discounts",
      { sub_total: 4000, ...lines({ sub_total: 3600, discount: "-400", total: 4140 }) },
      400,
      [],
    ],
    ["only the sale has a discount", { sub_total: 4000, ...lines({ total: 4540 }) }, 0, offLine(400)],
    ["a part is the line's", { sub_total: 3600, ...lines({ discount: 150, total: 4390 }) }, 150, offLine(250)],
  ])("are read if %s", (_, fields, lineDiscount, discounts) => {
    const line_items = [{ price_per_unit: 2000, line_item_discounts: lineDiscount ? offLine(lineDiscount) : [] }];
    expect(records({ ...whole, ...fields })).toMatchObject([{ ...expectedAmounts, line_items, discounts }]);
  });

  test("include those of the sale in addition to those of lines", () => {
    const fields = { sub_total: 3850, discount: 250, tax: 540, total: 4140 };
    expect(records({ ...fields, ...lines({ discount: 150, total: 4390 }) })).toMatchObject([
      { ...expectedAmounts, discounts: offLine(250), line_items: [{ line_item_discounts: offLine(150) }] },
    ]);
  });

  test("of a return may have any sign", () => {
    const fields = { sale_type: "return", sub_total: 4000, discount: -400, tax: -540, total: -4140 };
    const expected = { subtotal: -3600, total_discounts: -400, total_paid: -4140 };
    expect(records({ ...fields, ...lines({ sub_total: 4000, discount: 400, total: 4140 }) })).toMatchObject([expected]);
  });

  test.each<[string, object, string]>([
    ["a subtotal that matches neither reading", { sub_total: 3800, discount: 400, tax: 540, total: 4140 }, "sub_total"],
    ["no total", { sub_total: 3600, discount: 400, tax: 540 }, "sub_total"],
    [
      "a discount so small that both readings match",
      { sub_total: 3601, discount: 2, tax: 540, total: 4140 },
      "sub_total",
    ],
    ["a line that matches neither reading", { ...plain, ...lines({ discount: 400, total: 4000 }) }, "items"],
    ["lines with larger discounts than the sale", { ...plain, ...lines({ discount: 400, total: 4140 }) }, "discount"],
    [
      "lines that do not add up to the subtotal",
      { sub_total: 3600, ...whole, ...lines({ sub_total: 5000, discount: 100, total: 5440 }) },
      "discount",
    ],
  ])("lead to a rejection with %s", (_, fields, field) => {
    expect(records(fields)).toEqual({ field, reason: "unclear_discount" });
  });

  test("are 0 without a subtotal, which is then the total minus the tax", () => {
    expect(records({ ...whole, discount: null })).toMatchObject([{ subtotal: 3600, total_discounts: 0 }]);
  });

  test("are 0 without a total, but only if there is no tax", () => {
    expect(records({ sub_total: 4000 })).toMatchObject([{ subtotal: 4000, total_paid: null }]);
    expect(records({ sub_total: 4000, tax: 600 })).toEqual({ field: "sub_total", reason: "unclear_tax" });
  });

  test.each(["total", "sub_total"])("cannot be read if an amount has a fraction, and so another unit: %s", (field) => {
    const [issue] = sale.safeParse({ id: 1, ordered_at, ...plain, [field]: "41.40" }).error?.issues ?? [];
    expect(issue).toMatchObject({ message: "no_cents", path: [field] });
  });
});

describe("prices that include tax", () => {
  // 2 units at 23.00 with 15 % tax.
  const included = { sub_total: 4600, tax: 600, total: 4600 };
  const bare = { product_id: 9, quantity: 2 };
  const tax = (flat_amount: number) => [{ flat_amount, pct_amount: null, name: null }];

  test("lead to a subtotal and a unit price without the tax", () => {
    expect(records({ ...included, items: [{ ...bare, ...included }] })).toMatchObject([
      {
        ...{ subtotal: 4000, total_discounts: 0, tax_paid: 600, total_paid: 4600 },
        line_items: [{ price_per_unit: 2000, line_item_taxes: tax(600) }],
      },
    ]);
  });

  test.each<[string, number, number]>([
    ["before their discounts", 5060, 5060],
    ["after their discounts", 4600, 4600],
    ["one of each", 5060, 4600],
  ])("are recognized with subtotals %s", (_, sub_total, lineSubtotal) => {
    const amounts = { discount: 460, tax: 600, total: 4600 };
    const items = [{ ...bare, ...amounts, sub_total: lineSubtotal }];
    expect(records({ ...amounts, sub_total, items })).toMatchObject([
      {
        ...{ subtotal: 4000, total_discounts: 460, tax_paid: 600, total_paid: 4600, discounts: [] },
        line_items: [{ price_per_unit: 2230, line_item_discounts: tax(460) }],
      },
    ]);
  });

  test("are recognized in a return", () => {
    const negative = { sub_total: -4600, tax: -600, total: -4600 };
    const items = [{ ...bare, ...negative, quantity: -2 }];
    expect(records({ ...negative, items })).toMatchObject([
      { transaction_type: "return", subtotal: -4000, tax_paid: -600, line_items: [{ price_per_unit: 2000 }] },
    ]);
  });

  test("are not assumed if the totals of lines are without tax", () => {
    const items = [{ ...bare, sub_total: 4000, tax: 600, total: 4000 }];
    expect(records({ ...plain, items })).toMatchObject([{ subtotal: 4000, line_items: [{ price_per_unit: 2000 }] }]);
  });

  test.each<[string, object, string]>([
    ["a line that does not state its tax", { items: [{ ...bare, ...included, tax: null }] }, "items"],
    ["a total that matches no reading", { total: 9000 }, "sub_total"],
    ["prices that include one tax of two", { sub_total: 4350, tax: 750, total: 4500 }, "sub_total"],
  ])("lead to a rejection with %s", (_, fields, field) => {
    expect(records({ ...included, ...fields })).toEqual({ field, reason: "unclear_tax" });
  });
});

describe("other fields of a sale", () => {
  const one = (fields: object) => (records({ ...plain, ...fields }) as object[])[0];

  test("are its customer, payments and employee", () => {
    const fields = { is_medical: true, customer_id: 7, user_id: 8 };
    const sales_tenders = [
      { payment_method_name: "Cash", subtotal: 1700, tax: 300, total: 2000 },
      { payment_method_name: "POSaBIT Debit", total: "2600" },
      { payment_method_name: null, total: 0 },
    ];
    expect(one({ ...fields, sales_tenders })).toMatchObject({
      customer: { pos_customer_id: "7", type: "medical", dob: null },
      employee_id: "8",
      payments: [
        { type: "cash", amount_paid: 2000 },
        { type: "debit", amount_paid: 2600 },
      ],
      fees: [],
    });
    expect(one({ is_medical: false })).toMatchObject({ customer: { pos_customer_id: null, type: "rec" } });
    expect(one({})).toMatchObject({ customer: { type: null } });
  });

  test("are taxes: those of lines on the lines, and the others on the sale", () => {
    const tax = (flat_amount: number) => [{ flat_amount, pct_amount: null, name: null }];
    expect(one({})).toMatchObject({ taxes: [], line_items: [{ line_item_taxes: tax(600) }] });
    const bare = { ...line, tax: null, total: 4000 };
    expect(one({ items: [bare] })).toMatchObject({ taxes: tax(600), line_items: [{ line_item_taxes: [] }] });
  });

  test("are its lines' products, and discounts with the names of their coupons", () => {
    const items = [
      {
        ...{ ...line, sub_total: 3600, discount: 400, tax: 540, total: 4140 },
        ...{ category: "Flower", is_marijuana: true },
        discount_list: [{ coupon_id: 1, coupon_name: "Happy hour" }, { coupon_id: 2 }, { coupon_name: "Tuesday" }],
      },
    ];
    expect(one({ sub_total: 3600, discount: 400, tax: 540, total: 4140, items })).toMatchObject({
      line_items: [
        {
          ...{ pos_product_id: "9", product_name: "Gelato", product_type: "flower", cannabis_product: true },
          line_item_discounts: [{ flat_amount: 400, name: "Happy hour, Tuesday" }],
        },
      ],
    });
  });

  test.each<[object, number | null]>([
    [{ quantity: 1, weight_in_grams: "3.5" }, 3.5],
    [{ weight_in_grams: 7, unit_weight: 3.5, unit_of_weight: "g" }, 7],
    [{ weight_in_grams: 3.5, unit_weight: 3.5, unit_of_weight: "g" }, 7],
    [{ weight_in_grams: 56.699, unit_weight: 1, unit_of_weight: "oz" }, 56.699],
    [{ weight_in_grams: 7 }, null],
    [{ weight_in_grams: 9, unit_weight: 3.5, unit_of_weight: "g" }, null],
    [{ weight_in_grams: null, unit_weight: 3.5, unit_of_weight: "g" }, null],
    [{ quantity: null, weight_in_grams: 3.5 }, null],
    ...[1, 2].map((quantity): [object, null] => [
      { quantity, category: "Edibles", weight_in_grams: 0.1, unit_weight: 100, unit_of_weight: "mg" },
      null,
    ]),
    [{ category: "Vapes", weight_in_grams: 1, unit_weight: 500, unit_of_weight: "mg" }, 1],
  ])("are the weights of lines: %j", (fields, grams) => {
    expect(one({ items: [{ ...line, ...fields }] })).toMatchObject({ line_items: [{ grams }] });
  });
});
