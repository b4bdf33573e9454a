import { log } from "../../api/log.ts";
import type { PosSale } from "../posRecords.ts";

/** Cents that rounding may make. */
const tolerance = 2;

/** Whether a sale's amounts go together: its subtotal, taxes and fees that are not in it are what was paid. */
export function addsUp({ subtotal, tax_paid, total_paid, fees }: PosSale): boolean {
  if (subtotal === null || total_paid === null) return true;
  const excluded = fees.filter(({ included_in_subtotal }) => !included_in_subtotal);
  const sum = excluded.reduce((total, { flat_amount }) => total + (flat_amount ?? 0), subtotal + (tax_paid ?? 0));
  return Math.abs(sum - total_paid) <= tolerance;
}

/** Tells the operator how many sales of a page do not add up, which is a sign of a field misread; they are kept as read. */
export function warnOfOddSums(posType: string, sales: readonly PosSale[]): void {
  const odd = sales.filter((sale) => !addsUp(sale)).length;
  if (odd > 0) log.warn("sales whose amounts do not add up", { pos_type: posType, odd, of: sales.length });
}
