import { expect, test } from "vitest";
import { compareSums } from "../../../../shared/domain/replication/compareSums.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { addsUp, isPaidFor, isTaxedAsReported, linesAddUp } from "../../../../shared/store/salesDays/saleAmounts.ts";
import { pullAll, testConnection } from "../../pos/sandbox/testConnection.ts";

const fee = (flat_amount: number, included_in_subtotal: boolean | null) => ({ flat_amount, included_in_subtotal });

test.each<[object, boolean]>([
  [{ subtotal: 100, tax_paid: 15, total_paid: 115 }, true],
  [{ subtotal: 100, tax_paid: 15, total_paid: 117 }, true],
  [{ subtotal: 100, tax_paid: 15, total_paid: 118 }, false],
  [{ subtotal: 100, tax_paid: null, total_paid: 105, fees: [fee(5, false), fee(7, true)] }, true],
  [{ subtotal: 100, tax_paid: null, total_paid: 105, fees: [fee(5, null)] }, true],
  [
    { subtotal: 100, tax_paid: null, total_paid: 105, line_items: [{ line_item_fees: [fee(5, false), fee(7, true)] }] },
    true,
  ],
  [{ subtotal: -100, tax_paid: -15, total_paid: -115 }, true],
  [{ subtotal: null, tax_paid: 15, total_paid: 115 }, true],
  [{ subtotal: 100, tax_paid: 15, total_paid: null }, true],
])("%j adds up: %s", (amounts, expected) => {
  expect(addsUp({ fees: [], line_items: [], ...amounts } as unknown as PosSale)).toBe(expected);
});

const payments = (...amounts: number[]) => amounts.map((amount_paid) => ({ type: "cash", amount_paid }));

test.each<[object, boolean]>([
  [{ total_paid: 115, payments: payments(100, 15) }, true],
  [{ total_paid: 115, payments: payments(117) }, true],
  [{ total_paid: 115, payments: payments(118) }, false],
  [{ total_paid: 115, payments: [] }, false],
  [{ total_paid: 0, payments: [] }, true],
  [{ total_paid: null, payments: payments(1) }, true],
  [{ total_paid: -115, payments: payments(-115) }, true],
  [{ total_paid: -115, payments: payments(115) }, false],
  [{ type: "wholesale", invoice: { open_balance: 75 }, total_paid: 115, payments: payments(40) }, true],
  [{ type: "wholesale", invoice: { open_balance: null }, total_paid: 115, payments: payments(40) }, true],
])("%j is paid for: %s", (amounts, expected) => {
  expect(isPaidFor({ type: "retail", ...amounts } as unknown as PosSale)).toBe(expected);
});

const flat = (...amounts: (number | null)[]) => amounts.map((flat_amount) => ({ flat_amount }));

test.each<[object, boolean]>([
  [{ tax_paid: 540, taxes: flat(540) }, true],
  [{ tax_paid: 540, taxes: flat(300), line_items: [{ line_item_taxes: flat(240) }] }, true],
  [{ tax_paid: 540, line_items: [{ line_item_taxes: flat(271, 272) }] }, true],
  [{ tax_paid: 540, taxes: flat(544) }, false],
  [{ tax_paid: 54_000, taxes: flat(540) }, false],
  [{ tax_paid: -540, taxes: flat(-540) }, true],
  [{ tax_paid: 540 }, true],
  [{ tax_paid: null, taxes: flat(540) }, true],
])("%j has the tax that the POS reports: %s", (amounts, expected) => {
  expect(isTaxedAsReported({ taxes: [], line_items: [], ...amounts } as unknown as PosSale)).toBe(expected);
});

const line = (num_units: number | null, price_per_unit: number | null, ...off: number[]) => ({
  num_units,
  price_per_unit,
  line_item_discounts: flat(...off),
  line_item_taxes: [],
  line_item_fees: [],
});

test.each<[string, object, boolean]>([
  ["without reductions", { subtotal: 4000, line_items: [line(2, 2000)] }, true],
  ["less their discounts", { subtotal: 3600, line_items: [line(2, 2000, 400)] }, true],
  ["less the discounts of the sale", { subtotal: 3600, discounts: flat(400), line_items: [line(2, 2000)] }, true],
  ["less the total of discounts", { subtotal: 3600, total_discounts: 400, line_items: [line(2, 2000)] }, true],
  ["with the tax included", { subtotal: 3600, tax_paid: 400, line_items: [line(2, 2000)] }, true],
  ["up to rounding", { subtotal: 4002, line_items: [line(3, 1333.3333)] }, true],
  [
    "with an included fee of the sale",
    { subtotal: 4025, line_items: [line(2, 2000)], fees: [fee(25, true), fee(9, false)] },
    true,
  ],
  [
    "with an included fee of a line",
    { subtotal: 4025, line_items: [{ ...line(2, 2000), line_item_fees: [fee(25, true)] }] },
    true,
  ],
  ["of a return", { subtotal: -3600, line_items: [line(-2, 2000, -400)] }, true],
  ["in another unit", { subtotal: 4000, line_items: [line(2, 20)] }, false],
  ["with one missing", { subtotal: 4000, line_items: [line(1, 2000)] }, false],
  ["with one without a price", { subtotal: 4000, line_items: [line(1, 2000), line(1, null)] }, true],
  ["that do not exist", { subtotal: 4000, line_items: [] }, true],
])("lines %s are compared with the subtotal", (_, amounts, expected) => {
  expect(linesAddUp({ discounts: [], fees: [], total_discounts: 0, ...amounts } as unknown as PosSale)).toBe(expected);
});

test.each(["retail", "wholesale"] as const)("the sums of the sandbox's sales match, %s", async (businessType) => {
  const connection = { ...testConnection, businessType };
  const { records } = await pullAll("sale", sandboxConnector(15), connection, null, testConnection.connectedAt);
  expect(compareSums(records)).toEqual({ compared: records.length, mismatched: 0 });
});

test("each sale with any mismatch is counted once", () => {
  const parts = { fees: [], taxes: [], discounts: [], line_items: [line(1, 100)] };
  const sale = { type: "retail", subtotal: 100, tax_paid: 15, total_paid: 115, payments: payments(115), ...parts };
  const mismatches = [{ subtotal: 90 }, { payments: [] }, { taxes: flat(16_000) }, { line_items: [line(1, 1)] }];
  const sales = [sale, ...mismatches.map((one) => ({ ...sale, ...one }))] as unknown as PosSale[];
  expect(compareSums(sales)).toEqual({ compared: 5, mismatched: 4 });
});
