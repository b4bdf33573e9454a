import { expect, test } from "vitest";
import { compareSums } from "../../../../../shared/domain/replication/compareSums.ts";
import { addNamedCharges } from "../../../../../shared/pos/framework/conversions/namedCharges.ts";
import { returned, voided } from "../../../../../shared/pos/framework/conversions/reversals.ts";
import {
  emptySale,
  emptySaleCustomer,
  type PosRetailSale,
  type PosWholesaleSale,
  posFee,
} from "../../../../../shared/pos/posRecords.ts";

const sale = (total_paid: number | null, paid: number, more: Partial<PosRetailSale> = {}): PosRetailSale => ({
  ...emptySale,
  type: "retail",
  pos_sale_id: "1",
  subtotal: 50_00,
  total_discounts: 0,
  tax_paid: 4_20,
  total_paid,
  date: "2026-03-10T19:30:00.000Z",
  payments: [{ type: "debit", amount_paid: paid }],
  customer: emptySaleCustomer,
  ...more,
});
const tip = { fee_name: "Tip", amount: 5_00 };

test.each<[string, number, number, number]>([
  ["only in the payments", 54_20, 59_20, 59_20],
  ["in the payments and in the total", 59_20, 59_20, 59_20],
  ["in the payments, rounded", 54_20, 59_21, 59_20],
])("a tip that the POS counts %s becomes a fee of the total", (_, total, paid, expected) => {
  const found = addNamedCharges(sale(total, paid), [tip]);
  expect(found).toMatchObject({ subtotal: 50_00, total_paid: expected, fees: [posFee("Tip", 5_00)] });
  expect(compareSums([found])).toEqual({ compared: 1, mismatched: 0 });
});

test.each<[string, PosRetailSale, (typeof tip | { fee_name: string; amount: number | null })[]]>([
  ["is part of no total", sale(54_20, 54_20), [tip]],
  ["is 0", sale(54_20, 59_20), [{ ...tip, amount: 0 }]],
  ["is unknown", sale(54_20, 59_20), [{ ...tip, amount: null }]],
  ["is another amount than the difference", sale(54_20, 59_20), [{ ...tip, amount: 4_00 }]],
  ["explains a difference of rounding", sale(54_20, 54_21), [{ ...tip, amount: 1 }]],
  ["the sale lists as a fee already", sale(59_20, 59_20, { fees: [posFee("Tip", 5_00)] }), [tip]],
  ["belongs to a sale without a total", sale(null, 59_20), [tip]],
  ["belongs to a sale that was paid in part", sale(54_20, 20_00), [tip]],
  ["belongs to a voided sale", voided(sale(54_20, 59_20)), [tip]],
])("a charge that %s changes nothing", (_, one, charges) => {
  expect(addNamedCharges(one, charges)).toEqual(one);
});

test("a difference that no charge explains stays, and the sale counts as mismatched", () => {
  expect(compareSums([addNamedCharges(sale(54_20, 60_20), [tip])])).toEqual({ compared: 1, mismatched: 1 });
});

test.each([
  [[tip, { fee_name: "Payment", amount: 3_50 }], 57_70, [posFee("Payment", 3_50)]],
  [[tip, { fee_name: "Payment", amount: 3_50 }], 62_70, [posFee("Tip", 5_00), posFee("Payment", 3_50)]],
  [[tip, { fee_name: "Payment", amount: 5_00 }], 59_20, [posFee(null, 5_00)]],
  [[tip, tip], 59_20, [posFee("Tip", 5_00)]],
])("of the charges %j, those with the sum of the difference become fees", (charges, paid, fees) => {
  expect(addNamedCharges(sale(54_20, paid), charges)).toMatchObject({ total_paid: paid, fees });
});

test("one charge in the total and one on top of it become two fees", () => {
  const found = addNamedCharges(sale(59_20, 62_70), [tip, { fee_name: "Payment", amount: 3_50 }]);
  expect(found).toMatchObject({ total_paid: 62_70, fees: [posFee("Tip", 5_00), posFee("Payment", 3_50)] });
  expect(compareSums([found])).toEqual({ compared: 1, mismatched: 0 });
});

test.each([5_00, -5_00])("a tip of %i in a return is paid back", (amount) => {
  const found = addNamedCharges(returned(sale(54_20, 59_20)), [{ ...tip, amount }]);
  expect(found).toMatchObject({ total_paid: -59_20, fees: [posFee("Tip", -5_00)] });
  expect(compareSums([found])).toEqual({ compared: 1, mismatched: 0 });
});

test("a charge on top of an invoice is part of its total, and an open balance is not a difference", () => {
  const { customer: _, ...base } = sale(54_20, 59_20);
  const invoice = { id: "i", pos_customer_id: null, memo: null, open_balance: 0, total: 54_20 };
  const paid: PosWholesaleSale = { ...base, type: "wholesale", customer: null, invoice };
  expect(addNamedCharges(paid, [tip])).toMatchObject({ total_paid: 59_20, invoice: { open_balance: 0, total: 59_20 } });
  const open = { ...paid, payments: [], invoice: { ...invoice, open_balance: 54_20 } };
  expect(addNamedCharges(open, [tip])).toEqual(open);
});
