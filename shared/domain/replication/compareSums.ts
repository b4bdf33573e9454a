import type { PosSale } from "../../pos/posRecords.ts";
import { isMismatched } from "../../store/salesDays/saleAmounts.ts";

/** Counts the compared sales (`compared`) and the sales with mismatched amounts among them (`odd`). It changes no sale. */
export function compareSums(sales: readonly PosSale[]): { compared: number; odd: number } {
  return { compared: sales.length, odd: sales.filter(isMismatched).length };
}
