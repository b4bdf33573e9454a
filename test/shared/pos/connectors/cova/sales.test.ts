import { describe, expect, test } from "vitest";
import { invoice } from "../../../../../shared/pos/connectors/cova/responses.ts";
import { saleRecords } from "../../../../../shared/pos/connectors/cova/sales.ts";

const line = { ProductId: "p", ProductName: "Gelato", Quantity: 2, SoldAtPrice: 18, ListPrice: 20 };
const tax = { TaxName: "Sales tax", TaxAmount: 5.4 };
const cash = { PaymentType: "Cash", Amount: 41.4 };
const row = {
  ...{ Id: "i", Type: "Sale", CreatedDateUtc: "2026-03-10T19:30:00.1234567+00:00" },
  ...{ Products: [line], Taxes: [tax], Payments: [cash] },
};
const records = (fields: object) => saleRecords(invoice.parse({ ...row, ...fields }));

test.each<[string, string | null, boolean | null]>([
  ["Edibles", "edible", true],
  ["Non-Cannabis", null, false],
  ["Non-Medicated Edibles", "edible", false],
  ["Hemp Tea", "edible_liquid", null],
  ["CBD Topicals", "topical", null],
  ["Vape > Disposable Device", null, null],
  ["Gift Shop", null, null],
])(
  "a line of the classification %s has the type %s, and is cannabis: %s",
  (Classification, product_type, isCannabis) => {
    const line_items = [{ product_type, cannabis_product: isCannabis }];
    expect(records({ Products: [{ ...line, Classification }] })).toMatchObject([{ line_items }]);
  },
);

const unclear = { field: "Payments", reason: "unclear_total" };

describe("the amounts of an invoice", () => {
  test("add up", () => {
    expect(records({})).toMatchObject([
      {
        ...{ subtotal: 3600, total_discounts: 400, tax_paid: 540, total_paid: 4140, transaction_type: "sale" },
        line_items: [{ num_units: 2, price_per_unit: 2000, line_item_discounts: [{ flat_amount: 400 }] }],
        payments: [{ type: "cash", amount_paid: 4140 }],
        date: "2026-03-10T19:30:00.123Z",
      },
    ]);
  });

  test.each<[string, object, object]>([
    [
      "prices are of lines",
      { Products: [{ ...line, SoldAtPrice: 36, ListPrice: 40 }] },
      { subtotal: 3600, line_items: [{ price_per_unit: 2000 }] },
    ],
    [
      "prices contain the tax",
      { Products: [{ ...line, SoldAtPrice: 20.7, ListPrice: 23 }] },
      { subtotal: 3600, tax_paid: 540, total_discounts: null, line_items: [{ num_units: 2, price_per_unit: null }] },
    ],
    ["payments contain the change", { ChangeDue: 3.6, Payments: [{ ...cash, Amount: 45 }] }, { total_paid: 4140 }],
    ["change is stated below 0", { ChangeDue: -3.6, Payments: [{ ...cash, Amount: 45 }] }, { total_paid: 4140 }],
    ["payments do not contain the change", { ChangeDue: 3.6 }, { total_paid: 4140 }],
    [
      "cash back is paid by card",
      { CashBack: 20, Payments: [{ PaymentType: "Debit", Amount: 61.4 }] },
      { payments: [{ type: "debit", amount_paid: 4140 }] },
    ],
    [
      "the change belongs to the second payment, which is cash",
      {
        ChangeDue: 3.6,
        Payments: [
          { PaymentType: "Debit", Amount: 40 },
          { PaymentType: "Cash", Amount: 5 },
        ],
      },
      {
        payments: [
          { type: "debit", amount_paid: 4000 },
          { type: "cash", amount_paid: 140 },
        ],
      },
    ],
    [
      "a discount is after the tax",
      { PostTaxDiscounts: [{ Name: "Points", Amount: -1.4 }], Payments: [{ ...cash, Amount: 40 }] },
      { subtotal: 3600, total_paid: 4000, fees: [{ fee_name: "Points", flat_amount: -140 }] },
    ],
    [
      "a product is free",
      { Products: [line, { ...line, Quantity: 1, SoldAtPrice: 0, ListPrice: 5 }] },
      { subtotal: 3600, total_discounts: 900 },
    ],
    ["cash is rounded to 5 cents", { Payments: [{ ...cash, Amount: "41.40" }] }, { total_paid: 4140 }],
    [
      "nothing is paid for nothing",
      { Products: [], Taxes: null, Payments: [] },
      { subtotal: 0, total_paid: 0, payments: [] },
    ],
  ])("are read if %s", (_, fields, expected) => {
    expect(records(fields)).toMatchObject([expected]);
  });

  test.each<[string, object, object]>([
    ["payments are missing", { Payments: [] }, unclear],
    ["products are missing", { Products: [] }, unclear],
    ["taxes are missing", { Taxes: [] }, unclear],
    ["they differ by 5 cents", { Payments: [{ ...cash, Amount: 41.45 }] }, unclear],
    ["they are cents", { Payments: [{ ...cash, Amount: 4140 }] }, unclear],
    ["their signs contradict each other", { Payments: [{ ...cash, Amount: -41.4 }] }, unclear],
    [
      "two readings add up: with tax and all payments, without tax and less change",
      {
        ChangeDue: 5.4,
        Products: [{ ...line, Quantity: 1, SoldAtPrice: 41.4, ListPrice: null }],
        Payments: [{ ...cash, Amount: 46.8 }],
      },
      unclear,
    ],
    [
      "a payment names its amount otherwise",
      { Payments: [{ PaymentType: "Cash", Total: 41.4 }] },
      { field: "Payments.0.Amount", reason: "not_given" },
    ],
    [
      "a tax names its amount otherwise",
      { Taxes: [tax, { Tax: 1 }] },
      { field: "Taxes.1.Amount", reason: "not_given" },
    ],
    [
      "a line has no price",
      { Products: [line, { ...line, SoldAtPrice: null }] },
      { field: "Products.1.SoldAtPrice", reason: "not_given" },
    ],
    [
      "a line has no quantity",
      { Products: [{ ...line, Quantity: "some" }] },
      { field: "Products.0.Quantity", reason: "no_quantity" },
    ],
  ])("are not guessed if %s", (_, fields, expected) => {
    expect(records(fields)).toEqual(expected);
  });

  test.each(["Products", "Payments"])("are not guessed if the list of %s has another name", (name) => {
    const { [name as keyof typeof row]: list, ...rest } = row;
    expect(invoice.safeParse({ ...rest, Items: list }).success).toBe(false);
  });
});

describe("an invoice", () => {
  const back = {
    Products: [{ ...line, Quantity: -2 }],
    Taxes: [{ ...tax, TaxAmount: -5.4 }],
    Payments: [{ ...cash, Amount: -41.4 }],
  };

  test.each(["Return", "REFUND", "returned"])("of the type %j is a return, whatever its signs", (Type) => {
    const expected = { transaction_type: "return", subtotal: -3600, tax_paid: -540, total_paid: -4140 };
    expect(records({ Type, ...back })).toMatchObject([expected]);
    expect(records({ Type })).toMatchObject([expected]);
  });

  test("of the type Sale with amounts below 0 is rejected", () => {
    expect(records(back)).toEqual({ field: "Type", reason: "unclear_return" });
  });

  test("of the type Void is an adjustment of 0, even if its amounts do not add up", () => {
    expect(records({ Type: "void", Payments: [] })).toMatchObject([
      { transaction_type: "adjustment", total_paid: 0, line_items: [], payments: [] },
    ]);
  });

  test.each(["Not a Sale", "Partial Return", "Exchange", "Layaway", "", null])("of the type %j is rejected", (Type) => {
    expect(records({ Type })).toEqual({ field: "Type", reason: "unknown_status" });
  });

  test.each(["yesterday", null, "1900-01-01T00:00:00Z"])("of the instant %j is rejected", (CreatedDateUtc) => {
    expect(records({ CreatedDateUtc })).toEqual({ field: "CreatedDateUtc", reason: "no_instant" });
  });

  test.each<[string | null, string | null]>([
    ["Medical", "medical"],
    ["yes", "medical"],
    ["False", "rec"],
    ["Non-Medical", null],
    ["Not Medical", null],
    [null, null],
  ])("with the value %j of Medical has a customer of the type %j", (Medical, type) => {
    expect(records({ Medical })).toMatchObject([{ customer: { type } }]);
  });

  test("keeps no number of an identification", () => {
    const found = records({
      MedicalRecommendationNumber: "MED-4242",
      DriverLicenseNumber: "D-4242",
      CustomerName: "Kim",
    });
    expect(found).toMatchObject([{ customer: { id_type: "medical" } }]);
    expect(JSON.stringify([found, invoice.parse({ ...row, DriverLicenseNumber: "D-4242" })])).not.toMatch(/4242|Kim/);
    expect(records({ DriverLicenseNumber: "D-4242" })).toMatchObject([{ customer: { id_type: "drivers" } }]);
    expect(records({ DriverLicenseNumber: " " })).toMatchObject([{ customer: { id_type: null } }]);
  });

  test("with ids of zeros has neither customer nor employee", () => {
    const zeros = { CustomerId: "00000000-0000-0000-0000-000000000000", SoldByEmployeeId: 0 };
    expect(records(zeros)).toMatchObject([{ customer: { pos_customer_id: null }, employee_id: null }]);
  });
});
