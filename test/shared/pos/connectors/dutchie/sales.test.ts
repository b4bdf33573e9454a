import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { payments } from "../../../../../shared/pos/connectors/dutchie/payments.ts";
import { transaction } from "../../../../../shared/pos/connectors/dutchie/responses.ts";
import { saleInstant, saleRecords } from "../../../../../shared/pos/connectors/dutchie/sales.ts";
import type { PosSale, PosWholesaleSale } from "../../../../../shared/pos/posRecords.ts";

describe("a sale", () => {
  const parse = (fields: object): z.output<typeof transaction> =>
    transaction.parse({ transactionId: 7, transactionDate: "2026-03-10T19:30:00Z", ...fields });
  const context = { businessType: "retail", timezone: "America/Denver", locationId: "4101" } as const;
  const records = (fields: object, more = {}) => saleRecords(parse(fields), { ...context, ...more });
  const record = (fields: object, more = {}) => (records(fields, more) as [PosSale])[0];
  const item = { transactionItemId: 1, productId: 9, quantity: 2, unitPrice: 20, totalPrice: 41.4 };

  const returned = { transaction_type: "return", total_paid: -5_00 };
  const paidBack = { ...returned, payments: [{ type: "cash", amount_paid: -5_00 }] };

  test.each<[string, object, object]>([
    ["without any value", {}, { pos_sale_id: "7", pos_key: "4101:7", transaction_type: "sale", employee_id: null }],
    ["that is void", { isVoid: true, total: 5 }, { transaction_type: "adjustment", total_paid: 0, payments: [] }],
    ["that is a void return", { isVoid: true, isReturn: true }, { transaction_type: "adjustment" }],
    ["that is a return", { isReturn: true, total: 5, tax: 1 }, { ...returned, tax_paid: -1_00 }],
    ["that is a return below 0", { isReturn: true, total: -5 }, returned],
    ["that returns another", { returnOnTransactionId: 3, total: 5 }, returned],
    [
      "that adjusts another",
      { returnOnTransactionId: 0, adjustmentForTransactionId: 3, total: 5 },
      { transaction_type: "adjustment", total_paid: 5_00 },
    ],
    [
      "that adjusts another below 0",
      { adjustmentForTransactionId: 3, total: -5, paid: -5, cashPaid: -5 },
      { ...paidBack, transaction_type: "adjustment" },
    ],
    ["whose returned money is paid", { isReturn: true, total: 5, paid: 5, cashPaid: 5 }, paidBack],
    ["whose returned money is paid below 0", { isReturn: true, total: 5, paid: -5, cashPaid: -5 }, paidBack],
    ["whose returned money is change", { isReturn: true, total: 5, paid: 0, changeDue: 5 }, paidBack],
    ["of an employee", { employeeId: 17, responsibleForSaleUserId: 0 }, { employee_id: "17" }],
    ["of a responsible employee", { employeeId: 17, responsibleForSaleUserId: 18 }, { employee_id: "18" }],
    ["without a customer", { customerId: 0 }, { customer: { pos_customer_id: null, type: null } }],
    ["to an adult", { customerId: -1, isMedical: false }, { customer: { pos_customer_id: null, type: "rec" } }],
    ["to a patient", { customerId: 5, isMedical: true }, { customer: { pos_customer_id: "5", type: "medical" } }],
    [
      "with an unknown tax in its prices",
      { isTaxInclusive: true, totalBeforeTax: 40, total: 40 },
      { subtotal: null, tax_paid: null, total_paid: 4000 },
    ],
    [
      "with tax in its prices",
      { isTaxInclusive: true, totalBeforeTax: 40, tax: 5.22, total: 40 },
      { subtotal: 3478, tax_paid: 522, total_paid: 4000 },
    ],
  ])("%s is converted", (_, fields, expected) => {
    expect(record(fields)).toMatchObject(expected);
  });

  test.each<[string, object, object]>([
    ["included", { totalBeforeTax: 37, tax: 5, total: 42 }, { included_in_subtotal: true, flat_amount: 100 }],
    ["not included", { totalBeforeTax: 36, tax: 5, total: 42 }, { included_in_subtotal: false, flat_amount: 100 }],
  ])("has a fee that is %s in the subtotal", (_, amounts, expected) => {
    const { fees } = record({ ...amounts, feesAndDonations: [{ description: "Bag", amount: 1 }] });
    expect(fees).toMatchObject([{ fee_name: "Bag", percent_amount: null, ...expected }]);
  });

  test("has discounts and taxes of its lines only on the lines", () => {
    const discounts = [
      { discountName: "Line", amount: 1, transactionItemId: 1 },
      { discountName: "Cart", amount: 2, transactionItemId: 0 },
    ];
    const taxSummary = [{ rateName: "Sales", amount: 5.4 }];
    const taxes = [{ rateName: "Sales", rate: 0.15, amount: 5.4 }];
    const lines = record({ items: [{ ...item, discounts: discounts.slice(0, 1), taxes }], discounts, taxSummary });
    expect(lines.discounts).toEqual([{ name: "Cart", flat_amount: 200, pct_amount: null }]);
    expect(lines.taxes).toEqual([]);
    expect(lines.line_items[0]).toMatchObject({
      line_item_discounts: [{ name: "Line", flat_amount: 100, pct_amount: null }],
      line_item_taxes: [{ name: "Sales", flat_amount: 540, pct_amount: 0.15 }],
    });
    expect(record({ items: [item], taxSummary }).taxes).toEqual([
      { name: "Sales", flat_amount: 540, pct_amount: null },
    ]);
  });

  test("has a scanned coupon as a discount, with the name of its product", () => {
    const discounts = [{ discountName: "Birthday", amount: 3, transactionItemId: 2 }];
    const coupon = { transactionItemId: 2, productId: 9, isCoupon: true, totalPrice: -3, discounts };
    const sale = record({ items: [item, coupon, { ...coupon, totalPrice: 0 }], discounts });
    expect(sale.line_items).toHaveLength(1);
    expect(sale.discounts).toEqual([{ pos_product_id: "9", name: null, flat_amount: 300, pct_amount: null }]);
  });

  test.each<[object, number | null]>([
    [{ unitWeight: 3.5, unitWeightUnit: "g" }, 7],
    [{ unitWeight: 500, unitWeightUnit: "mg" }, null],
    [{ unitWeight: 100 }, null],
    [{ unitWeight: 1, unitWeightUnit: "ea" }, null],
    [{ unitWeight: 0 }, null],
    [{}, null],
  ])("weighs a line of 2 x %j as %s grams", (fields, expected) => {
    expect(record({ items: [{ ...item, ...fields }] }).line_items[0]?.grams).toBe(expected);
  });

  test.each<[string, string | null, string, string]>([
    ["2026-03-10T19:30:00Z", "2026-03-10T13:30:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T19:30:00", "2026-03-10T13:30:00-06:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00", "2026-03-10T13:30:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00Z", "2026-03-10T13:30:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00-06:00", "2026-03-10T13:30:00-06:00", "America/Denver", "2026-03-10T19:30:00.000Z"],
    ["2026-03-10T13:30:00", null, "America/Denver", "2026-03-10T13:30:00.000Z"],
    ["2026-01-10T13:30:00", "2026-01-10T13:30:00", "America/Phoenix", "2026-01-10T20:30:00.000Z"],
  ])("at %s, locally %s in %s, has the right time", (date, local, timezone, expected) => {
    expect(saleInstant(date, local, timezone)).toBe(expected);
  });

  test.each<[string | null, number, number]>([
    ["Retail", 1, 0],
    ["RETAIL", 1, 0],
    ["WholesaleOrder", 0, 1],
    ["wholesaleorder", 0, 1],
    ["Transfer", 0, 0],
    [null, 1, 0],
  ])("of type %s belongs to a retail or a wholesale connection", (transactionType, retail, wholesale) => {
    const sales = (["retail", "wholesale"] as const).map((businessType) =>
      records({ transactionType }, { businessType }),
    );
    expect(sales).toMatchObject([{ length: retail }, { length: wholesale }]);
  });

  test.each(["retail", "wholesale"])("of an unknown type is rejected (%s)", (businessType) => {
    const rejected = { field: "transactionType", reason: "unknown_status" };
    expect(records({ transactionType: "Consignment" }, { businessType })).toEqual(rejected);
  });

  test.each(["isVoid", "isReturn"])("is rejected if its %s is unreadable", (field) => {
    const { error } = transaction.safeParse({
      transactionId: 7,
      transactionDate: "2026-03-10T19:30:00Z",
      [field]: "partly",
    });
    expect(error?.issues).toMatchObject([{ path: [field], message: "unknown_status" }]);
  });

  test("of the wholesale type has an invoice", () => {
    const transactionType = "WholesaleOrder";
    const fields = {
      transactionType,
      customerId: 5,
      invoiceNumber: "INV-7",
      invoiceName: "Net 30",
      total: 100,
      paid: 40,
    };
    const wholesale = record(fields, { businessType: "wholesale" }) as PosWholesaleSale;
    expect(wholesale).toMatchObject({ type: "wholesale", customer: { pos_customer_id: "5", type: null } });
    expect(wholesale.invoice).toEqual({
      id: "INV-7",
      pos_customer_id: "5",
      memo: "Net 30",
      open_balance: 6000,
      total: 10000,
    });
    expect(record({ transactionType, customerId: 0, total: 5, paid: 9 }, { businessType: "wholesale" })).toMatchObject({
      customer: null,
      invoice: { pos_customer_id: null, open_balance: 0 },
    });
  });

  test("needs a valid date", () => {
    expect(transaction.safeParse({ transactionId: 7, transactionDate: "soon" }).error?.issues[0]).toMatchObject({
      path: ["transactionDate"],
      message: "no_instant",
    });
  });

  describe("has the right payments", () => {
    test.each<[object, [string, number | null][]]>([
      [{ paid: 45, cashPaid: 45, changeDue: 3.6 }, [["cash", 4140]]],
      [
        { paid: 10, debitPaid: 4, creditPaid: 3, checkPaid: 2, giftPaid: 1 },
        [
          ["debit", 400],
          ["credit", 300],
          ["check", 200],
          ["other", 100],
        ],
      ],
      [
        { paid: 3, mmapPaid: 1, prePaymentAmount: 2 },
        [
          ["other", 100],
          ["other", 200],
        ],
      ],
      [{ paid: 5, electronicPaid: 5, electronicPaymentMethod: "CanPay" }, [["ach", 500]]],
      [{ paid: 5, electronicPaid: 5 }, [["unknown", 500]]],
      [{ paid: 5, integratedPayments: [{ integrationType: "Aeropay", integratedPaid: 5 }] }, [["ach", 500]]],
      [{ paid: 5, manualPayments: [{ manualPaymentProcessorName: "Square Visa", manualPaid: 5 }] }, [["credit", 500]]],
      // The processor's amount repeats the debit amount.
      [
        { paid: 5, debitPaid: 5, integratedPayments: [{ integrationType: "CanPay", integratedPaid: 5 }] },
        [["debit", 500]],
      ],
      // So does the electronic amount.
      [{ paid: 5, debitPaid: 5, electronicPaid: 5, manualPayments: [{ manualPaid: 5 }] }, [["debit", 500]]],
      // A surplus of two cents is rounding, one of three is a repetition.
      [
        { paid: 5, debitPaid: 3, electronicPaid: 2.02, electronicPaymentMethod: "ACH" },
        [
          ["debit", 300],
          ["ach", 202],
        ],
      ],
      [{ paid: 5, debitPaid: 4.99, electronicPaid: 0.03 }, [["debit", 499]]],
      [{ paid: 5, debitPaid: 3, electronicPaid: 2.03 }, [["debit", 300]]],
      // Signs stay as given.
      [{ paid: -45, cashPaid: -45, changeDue: 0 }, [["cash", -4500]]],
      [{ paid: -45, cashPaid: -45, changeDue: 3.6 }, [["cash", -4140]]],
      [{ paid: -45, cashPaid: -45, changeDue: -3.6 }, [["cash", -4140]]],
      [
        { paid: -2, cashPaid: -5, debitPaid: 3 },
        [
          ["cash", -500],
          ["debit", 300],
        ],
      ],
      // Change is handed back in cash, whatever the payment.
      [{ paid: 45, debitPaid: 45, changeDue: 3.6 }, [["debit", 4140]]],
      [{ paid: 45, electronicPaid: 45, electronicPaymentMethod: "CanPay", changeDue: 3.6 }, [["ach", 4140]]],
      [
        { paid: 45, integratedPayments: [{ integrationType: "Cashless ATM", integratedPaid: 45 }], changeDue: 3.6 },
        [["debit", 4140]],
      ],
      [
        { paid: 45, cashPaid: 5, debitPaid: 40, changeDue: 3.6 },
        [
          ["cash", 140],
          ["debit", 4000],
        ],
      ],
      [{ paid: 47, cashPaid: 2, debitPaid: 45, changeDue: 5.6 }, [["debit", 4140]]],
      [{ paid: 0, cashPaid: 0, changeDue: 41.4 }, [["cash", -4140]]],
      [
        {
          paid: 45,
          debitPaid: 45,
          integratedPayments: [{ integrationType: "CanPay", integratedPaid: 45 }],
          changeDue: 3.6,
        },
        [["debit", 4140]],
      ],
      // The only payment is not a repetition.
      [{ paid: 41.4, electronicPaid: 45, electronicPaymentMethod: "CanPay", changeDue: 3.6 }, [["ach", 4140]]],
      [{ paid: 5, integratedPayments: [{ integrationType: "CanPay", integratedPaid: 6 }] }, [["ach", 600]]],
      [
        { paid: 5, cashPaid: 3, changeDue: 1, integratedPayments: [{ integrationType: "CanPay" }] },
        [
          ["cash", 200],
          ["ach", null],
        ],
      ],
      // The paid total is not reported.
      [{ electronicPaid: 41.4, electronicPaymentMethod: "CanPay" }, [["ach", 4140]]],
      [{ cashPaid: 45, changeDue: 3.6 }, [["cash", 4140]]],
      [{}, []],
    ])("from %j", (fields, expected) => {
      expect(payments(parse(fields)).map(({ type, amount_paid }) => [type, amount_paid])).toEqual(expected);
    });
  });
});
