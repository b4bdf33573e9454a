import { afterEach, expect, test, vi } from "vitest";
import { log } from "../../../../shared/aws/log.ts";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { addsUp, isPaidFor, warnOfOddSums } from "../../../../shared/pos/reading/oddSums.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const fee = (flat_amount: number, included_in_subtotal: boolean | null) => ({ flat_amount, included_in_subtotal });

test.each<[object, boolean]>([
  [{ subtotal: 100, tax_paid: 15, total_paid: 115 }, true],
  [{ subtotal: 100, tax_paid: 15, total_paid: 117 }, true],
  [{ subtotal: 100, tax_paid: 15, total_paid: 118 }, false],
  [{ subtotal: 100, tax_paid: null, total_paid: 105, fees: [fee(5, false), fee(7, true)] }, true],
  [{ subtotal: 100, tax_paid: null, total_paid: 105, fees: [fee(5, null)] }, true],
  [{ subtotal: -100, tax_paid: -15, total_paid: -115 }, true],
  [{ subtotal: null, tax_paid: 15, total_paid: 115 }, true],
  [{ subtotal: 100, tax_paid: 15, total_paid: null }, true],
])("%j adds up: %s", (amounts, expected) => {
  expect(addsUp({ fees: [], ...amounts } as unknown as PosSale)).toBe(expected);
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
  [{ type: "wholesale", invoice: { open_balance: null }, total_paid: 115, payments: payments(40) }, false],
])("%j is paid for: %s", (amounts, expected) => {
  expect(isPaidFor({ type: "retail", ...amounts } as unknown as PosSale)).toBe(expected);
});

test("the operator is told of sales whose totals or payments are odd", () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  const sale = { type: "retail", subtotal: 100, tax_paid: 15, total_paid: 115, fees: [], payments: payments(115) };
  const sales = [sale, { ...sale, subtotal: 90 }, { ...sale, payments: [] }] as unknown as PosSale[];
  warnOfOddSums("Dutchie", sales.slice(0, 1));
  expect(warn).not.toHaveBeenCalled();
  warnOfOddSums("Dutchie", sales);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { pos_type: "Dutchie", odd: 2, of: 3 });
});
