import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inCents, unitOf, unitsOf } from "../../../../../shared/pos/connectors/flowhub/orderMoney.ts";
import { order } from "../../../../../shared/pos/connectors/flowhub/responses.ts";
import { classifyOrder, saleRecord, subtotalOf } from "../../../../../shared/pos/connectors/flowhub/sales.ts";
import { emptySaleLine } from "../../../../../shared/pos/posRecords.ts";

describe("an order", () => {
  const parse = (fields: object) =>
    order.parse({ id: "o", orderStatus: "sold", completedOn: "2026-03-10T19:30:00Z", ...fields });
  const totals = { SubTotal: 3600, TotalDiscounts: 400, TotalTaxes: 540, TotalFees: 0, FinalTotal: 4140 };

  test.each<[object, string]>([
    [{}, "sale"],
    [{ orderStatus: "SOLD" }, "sale"],
    [{ orderStatus: "sold", completedOn: null }, "sale"],
    [{ orderStatus: "pending" }, "open"],
    [{ orderStatus: " Pending " }, "open"],
    [{ orderStatus: "Cancelled" }, "canceled"],
    [{ orderStatus: "canceled" }, "canceled"],
    [{ voided: true }, "void"],
    [{ voided: "true", orderStatus: "pending" }, "void"],
    [{ voided: false, orderStatus: "Voided" }, "void"],
    [{ orderStatus: "in fulfillment" }, "unknown"],
    [{ orderStatus: null }, "unknown"],
  ])("with %j counts as %s", (fields, expected) => {
    expect(classifyOrder(parse(fields))).toBe(expected);
  });

  test.each([{ voided: "Y" }, { itemsInCart: [{ productId: "x", voided: "yes" }] }])(
    "is rejected with an unclear void: %j",
    (fields) => {
      const { error } = order.safeParse({ id: "o", ...fields });
      expect(error?.issues).toMatchObject([{ message: "unknown_status" }]);
    },
  );

  const voided = { transaction_type: "adjustment", total_paid: 0 };

  test.each<[string, object, object]>([
    [
      "with totals",
      { totals },
      { subtotal: 3600, total_discounts: 400, tax_paid: 540, total_paid: 4140, transaction_type: "sale" },
    ],
    [
      "with names of totals in small letters",
      { totals: { finalTotal: 100, subTotal: 100 } },
      { subtotal: 100, total_paid: 100, tax_paid: null },
    ],
    ["that is voided", { totals, voided: true }, voided],
    ["that is canceled", { totals, orderStatus: "cancelled" }, voided],
    [
      "that returns another",
      { totals, originalSaleId: "x" },
      { transaction_type: "return", subtotal: -3600, total_discounts: -400, total_paid: -4140 },
    ],
    [
      "with a fee",
      { totals: { ...totals, TotalFees: 100, FinalTotal: 4240 } },
      { fees: [{ fee_name: null, flat_amount: 100, included_in_subtotal: false }] },
    ],
    ["of an employee", { budtenderId: "e" }, { employee_id: "e" }],
    ["without an employee", { budtenderId: "" }, { employee_id: null }],
    [
      "of a customer",
      { customerId: "c", customerType: "recCustomer" },
      { customer: { pos_customer_id: "c", type: "rec" } },
    ],
    ["without a customer", { customerId: "" }, { customer: { pos_customer_id: null, type: null } }],
    [
      "that is canceled, at its creation",
      { orderStatus: "cancelled", completedOn: null, createdAt: "2026-03-01T00:00:00Z" },
      { date: "2026-03-01T00:00:00.000Z" },
    ],
    [
      "that is not completed, at its creation",
      { totals, completedOn: null, createdOn: "2026-03-01T00:00:00Z" },
      { date: "2026-03-01T00:00:00.000Z", transaction_type: "sale", total_paid: 4140 },
    ],
    [
      "whose totals do not add up, with a discount,",
      { totals: { ...totals, FinalTotal: 9999 } },
      { field: "totals", reason: "unclear_discount" },
    ],
    ["whose totals do not add up, voided,", { totals: { ...totals, FinalTotal: 9999 }, voided: true }, voided],
    [
      "whose totals do not add up",
      { totals: { ...totals, FinalTotal: 9999, TotalDiscounts: 0 } },
      { subtotal: 3600, total_paid: 9999 },
    ],
    [
      "with a payment of 0",
      { payments: [{ paymentType: "debit", debitProvider: "CanPay", amount: 5 }, { amount: 0 }] },
      { payments: [{ type: "ach", amount_paid: 5 }] },
    ],
  ])("%s is converted or rejected", (_, fields, expected) => {
    expect(saleRecord(parse(fields), "cents")).toMatchObject(expected);
  });

  test("without a date is rejected", () => {
    const made = saleRecord(parse({ completedOn: null, createdAt: null }), "cents");
    expect(made).toEqual({ field: "completedOn", reason: "no_instant" });
  });

  test("has its lines", () => {
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
    const made = saleRecord(parse({ itemsInCart, totals: { SubTotal: 3500 } }), "cents");
    expect("line_items" in made && made.line_items).toEqual([
      {
        ...emptySaleLine,
        pos_product_id: "v",
        product_name: "Bud",
        num_units: 3.5,
        price_per_unit: 1000,
        grams: 3.5,
        product_type: "flower",
        cannabis_product: true,
        line_item_discounts: [{ name: "Daily", flat_amount: 350, pct_amount: 0.1 }],
        line_item_taxes: [{ name: "Excise", flat_amount: 276, pct_amount: 0.0875 }],
      },
      {
        ...emptySaleLine,
        pos_product_id: "a",
        product_name: "Lighter",
        num_units: 1,
        product_type: "accessory",
        cannabis_product: false,
      },
    ]);
  });

  /** The cases in docs/pos/flowhub.md. Its columns have lists of amounts. */
  const cases = readFileSync("docs/pos/flowhub.md", "utf8")
    .split("## Cents or dollars")[1]
    ?.split("\n## ")[0]
    ?.split("\n")
    .filter((line) => /^\| (?!An order|-)/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const numbers = (cell = "") => cell.split(/[, ]+/).filter(Boolean).map(Number);
  const orderOf = ([, , totals, lines, taxes, off, paid]: string[]) => {
    const [FinalTotal, SubTotal, TotalTaxes = 0, TotalDiscounts = 0] = numbers(totals);
    const [pennies, penniesOff] = [numbers(taxes), numbers(off)];
    return parse({
      totals: { FinalTotal, SubTotal, TotalTaxes, TotalDiscounts },
      itemsInCart: numbers(lines).map((totalPrice, at) => ({
        totalPrice,
        tax: pennies.slice(at, at + 1).map((thisTaxInPennies) => ({ thisTaxInPennies })),
        itemDiscounts: penniesOff.slice(at, at + 1).map((penniesOff) => ({ penniesOff })),
      })),
      payments: numbers(paid).map((amount) => ({ paymentType: "cash", amount })),
    });
  };

  test.each<[object, string | null]>([
    [{ name: "Daily", couponCode: "TEN" }, "Daily"],
    [{ name: "", couponCode: "TEN" }, "TEN"],
    [{}, null],
  ])("names a discount of %j as %j", (discount, name) => {
    const itemsInCart = [
      { quantity: 1, unitPrice: 40, totalPrice: 40, itemDiscounts: [{ penniesOff: 400, ...discount }] },
    ];
    expect(saleRecord(parse({ itemsInCart }), "dollars")).toMatchObject({
      line_items: [{ line_item_discounts: [{ flat_amount: 400, name }] }],
    });
  });

  test.each(cases ?? [])("has the right unit: %s an order %s", (...cells) => {
    const [row, expected = "", total] = [orderOf(cells), cells[7], cells[8]];
    expect(unitOf(row)).toBe(expected);
    const [unit] = unitsOf("Flowhub", [row]);
    if (unit) expect(saleRecord(row, unit)).toMatchObject({ total_paid: Number(total) });
    else expect(total).toBe("rejected");
  });

  test("has documented cases of each result", () => {
    expect(new Set(cases?.map((cells) => cells[7]))).toEqual(new Set(["cents", "dollars", "either", "neither"]));
  });

  test("without a clear unit has the unit of the others on its page, unless they contradict each other", () => {
    const unclear = parse({ totals: { FinalTotal: 40, SubTotal: 40 }, payments: [{ amount: 40 }] });
    const inDollars = parse({ totals: { FinalTotal: 46.58 } });
    const inCents = parse({
      totals: { FinalTotal: 4658, TotalTaxes: 608 },
      itemsInCart: [{ tax: [{ thisTaxInPennies: 608 }] }],
    });
    expect(unitsOf("Flowhub", [unclear])).toEqual(["dollars"]);
    expect(unitsOf("Flowhub", [inDollars, unclear])).toEqual(["dollars", "dollars"]);
    expect(unitsOf("Flowhub", [unclear, inCents])).toEqual(["cents", "cents"]);
    expect(unitsOf("Flowhub", [unclear, inCents, inDollars])).toEqual([null, "cents", "dollars"]);
  });

  test("ignores the amounts of voided lines when the unit is detected", () => {
    const row = { totals: { FinalTotal: 40, SubTotal: 40 }, itemsInCart: [{ totalPrice: 12.34, voided: true }] };
    expect(unitOf(parse(row))).toBe("either");
  });

  test("has its amounts converted from its unit", () => {
    expect([inCents("41.4", "dollars"), inCents("4140", "cents"), inCents(null, "cents")]).toEqual([4140, 4140, null]);
  });

  test.each([
    [{ final: 4140, subtotal: 3600, discounts: 400, fees: 0, taxes: 540 }, 3600],
    [{ final: 4140, subtotal: 4000, discounts: 400, fees: 0, taxes: 540 }, 3600],
    [{ final: 4240, subtotal: 4000, discounts: -400, fees: 100, taxes: 540 }, 3600],
    [{ final: 9999, subtotal: 4000, discounts: 400, fees: 0, taxes: 540 }, "unclear"],
    [{ final: 9999, subtotal: 4000, discounts: 0, fees: 0, taxes: 540 }, 4000],
    [{ final: -4140, subtotal: -4000, discounts: 400, fees: 0, taxes: -540 }, -3600],
    [{ final: null, subtotal: 4000, discounts: 400, fees: 0, taxes: 540 }, "unclear"],
    [{ final: null, subtotal: 4000, discounts: null, fees: 0, taxes: 540 }, 4000],
    [{ final: 4140, subtotal: null, discounts: 400, fees: 0, taxes: 540 }, null],
  ])("with %j has the subtotal %s", (amounts, expected) => {
    expect(subtotalOf(amounts)).toBe(expected);
  });
});
