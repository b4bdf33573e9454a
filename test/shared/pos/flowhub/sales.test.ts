import { describe, expect, test } from "vitest";
import { order } from "../../../../shared/pos/flowhub/answers.ts";
import { inCents, lineUnit, paymentUnit } from "../../../../shared/pos/flowhub/orderMoney.ts";
import { fateOf, saleRecord, subtotalOf } from "../../../../shared/pos/flowhub/sales.ts";

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

  test.each<[string, number[], object, string | null]>([
    ["as the subtotal", [3600], totals, "cents"],
    ["before discounts", [4000], totals, "cents"],
    ["within 2 per cent", [3660], totals, "cents"],
    ["within 2 cents", [3], { SubTotal: 1 }, "cents"],
    ["in dollars", [36], totals, "dollars"],
    ["in dollars, before discounts", [20.5, 19.5], totals, "dollars"],
    ["like nothing", [777], totals, null],
    ["of a refund", [-36], { ...totals, SubTotal: -3600 }, "dollars"],
    ["of nothing", [], totals, "cents"],
    ["of nothing, that cost something", [0], totals, null],
  ])("lines that add up %s", (_, amounts, totals, expected) => {
    const itemsInCart = amounts.map((totalPrice) => ({ totalPrice }));
    expect(lineUnit(parse({ itemsInCart, totals }))).toBe(expected);
  });

  test("payments are in the unit in which they add up to the total", () => {
    expect(paymentUnit(parse({ totals, payments: [{ amount: 41.4 }] }))).toBe("dollars");
    expect(paymentUnit(parse({ totals, payments: [{ amount: 4140 }] }))).toBe("cents");
    expect(paymentUnit(parse({ totals, payments: [] }))).toBe("cents");
    expect(paymentUnit(parse({ totals, payments: [{ amount: 50 }] }))).toBe(null);
    expect(inCents("50", null)).toBe(50);
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
