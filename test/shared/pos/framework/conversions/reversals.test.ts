import { expect, test } from "vitest";
import { returned, voided } from "../../../../../shared/pos/framework/conversions/reversals.ts";
import {
  emptySaleCustomer,
  emptySaleLine,
  type PosRetailSale,
  type PosWholesaleSale,
  posFee,
} from "../../../../../shared/pos/posRecords.ts";

const part = (flat_amount: number | null) => ({ flat_amount, pct_amount: 0.1, name: "x" });
const fee = (flat_amount: number) => posFee("x", flat_amount);

const sale = (sign: 1 | -1): PosRetailSale => ({
  type: "retail",
  pos_sale_id: "1",
  subtotal: 3600 * sign,
  total_discounts: 400,
  tax_paid: 540 * sign,
  total_paid: 4690 * sign,
  date: "2026-03-10T19:30:00.000Z",
  transaction_type: "sale",
  employee_id: "7",
  line_items: [
    {
      ...emptySaleLine,
      pos_product_id: "9",
      num_units: 2 * sign,
      price_per_unit: 2000,
      grams: 7 * sign,
      thc_mg_per_unit: 100,
      line_item_discounts: [part(400)],
      line_item_taxes: [part(540 * sign), part(null)],
      line_item_fees: [fee(25 * sign)],
    },
  ],
  discounts: [part(0)],
  taxes: [part(540 * sign)],
  payments: [{ type: "cash", amount_paid: 4690 * sign }],
  fees: [fee(550 * sign)],
  customer: { ...emptySaleCustomer, pos_customer_id: "5", type: "rec" },
});

test.each([1, -1] as const)("a return is negative, whatever sign the POS uses (%i)", (sign) => {
  const result = returned(sale(sign));
  expect(result).toEqual({
    ...sale(1),
    transaction_type: "return",
    subtotal: -3600,
    total_discounts: -400,
    tax_paid: -540,
    total_paid: -4690,
    line_items: [
      {
        ...sale(1).line_items[0],
        num_units: -2,
        grams: -7,
        thc_mg_per_unit: 100,
        line_item_discounts: [part(-400)],
        line_item_taxes: [part(-540), part(null)],
        line_item_fees: [fee(-25)],
      },
    ],
    discounts: [part(0)],
    taxes: [part(-540)],
    payments: [{ type: "cash", amount_paid: -4690 }],
    fees: [fee(-550)],
  });
  expect(JSON.stringify(result)).not.toContain("-0,");
});

test.each([
  [4190, 500],
  [-4190, -500],
])("the sign of a fee in a return is relative to a total of %i", (total_paid, flat_amount) => {
  const [line] = sale(1).line_items;
  if (!line) throw new Error("a sale without lines");
  const discounted = {
    ...sale(1),
    total_paid,
    fees: [fee(-500)],
    line_items: [{ ...line, line_item_fees: [fee(-500)] }],
  };
  const { fees, line_items } = returned(discounted);
  expect([fees, line_items[0]?.line_item_fees]).toEqual([[fee(flat_amount)], [fee(flat_amount)]]);
});

test("a voided sale keeps only its id, date and customer", () => {
  expect(voided(sale(1))).toEqual({
    ...sale(1),
    transaction_type: "adjustment",
    subtotal: 0,
    total_discounts: 0,
    tax_paid: 0,
    total_paid: 0,
    line_items: [],
    discounts: [],
    taxes: [],
    payments: [],
    fees: [],
  });
});

test("a returned or voided sale has no open balance", () => {
  const invoice = { id: "INV-1", pos_customer_id: "5", memo: null, open_balance: 4690, total: 4690 };
  const wholesale: PosWholesaleSale = { ...sale(1), type: "wholesale", customer: null, invoice };
  expect(returned(wholesale).invoice).toEqual({ ...invoice, open_balance: 0, total: -4690 });
  expect(voided(wholesale).invoice).toEqual({ ...invoice, open_balance: 0, total: 0 });
});
