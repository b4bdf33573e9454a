import { log } from "../../aws/log.ts";
import { sum } from "../conversions/cents.ts";
import type { PosSale } from "../posRecords.ts";

/** Cents that rounding may make. */
const tolerance = 2;

/** Whether a sale's amounts go together: its subtotal, taxes and fees that are not in it are what was paid. */
export function addsUp({ subtotal, tax_paid, total_paid, fees }: PosSale): boolean {
  if (subtotal === null || total_paid === null) return true;
  const excluded = fees.filter(({ included_in_subtotal }) => !included_in_subtotal);
  const added = sum([subtotal, tax_paid, ...excluded.map(({ flat_amount }) => flat_amount)]);
  return Math.abs(added - total_paid) <= tolerance;
}

/** Whether the payments of a sale, and what of its invoice is open, are what it came to. */
export function isPaidFor(sale: PosSale): boolean {
  if (sale.total_paid === null) return true;
  const open = sale.type === "wholesale" ? (sale.invoice.open_balance ?? 0) : 0;
  return Math.abs(sum(sale.payments.map(({ amount_paid }) => amount_paid)) + open - sale.total_paid) <= tolerance;
}

/** Tells the operator how many sales of a page do not add up, which is a sign of a field misread; they are kept as read. */
export function warnOfOddSums(posType: string, sales: readonly PosSale[]): void {
  const odd = sales.filter((sale) => !addsUp(sale) || !isPaidFor(sale)).length;
  if (odd > 0) log.warn("sales whose amounts do not add up", { pos_type: posType, odd, of: sales.length });
}
