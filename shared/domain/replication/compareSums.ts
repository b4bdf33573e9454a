import type { PosSale } from "../../pos/posRecords.ts";
import { isMismatched } from "../../store/salesDays/saleAmounts.ts";

/** Counts the compared sales (`compared`) and the sales with mismatched amounts among them (`mismatched`). It changes no sale. */
export function compareSums(sales: readonly PosSale[]): { compared: number; mismatched: number } {
  return { compared: sales.length, mismatched: sales.filter(isMismatched).length };
}
