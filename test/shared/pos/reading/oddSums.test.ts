import { expect, test } from "vitest";
import type { PosSale } from "../../../../shared/pos/posRecords.ts";
import { addsUp } from "../../../../shared/pos/reading/oddSums.ts";

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
