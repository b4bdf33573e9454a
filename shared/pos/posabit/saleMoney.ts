import { sum, wholeCents } from "../conversions/cents.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Item, Sale } from "./answers.ts";

// POSaBIT does not say whether a subtotal is before its discount, nor whether the discount of a sale holds those of its
// lines. What adds up tells; where both ways do, or neither, nothing is taken.

/** What a line comes to, in cents. */
export interface LineMoney {
  item: Item;
  /** before its discount; null where it is not told */
  gross: number | null;
  off: number;
  tax: number | null;
}

/** What a sale comes to, in cents. */
export interface SaleMoney {
  /** before taxes, after discounts */
  subtotal: number | null;
  tax: number | null;
  total: number | null;
  lines: LineMoney[];
  /** of its discounts what no line carries */
  beyond: number;
}

/** Cents by which rounding may part two sums. */
const tolerance = 2;

/**
 * @param isReturn whether amounts count without their signs, of which nobody tells which ones returns have
 * @returns the field that does not tell what it is where the sums leave it open
 */
export function moneyOf(row: Sale, isReturn: boolean): SaleMoney | { field: string; reason: string } {
  const inCents = (amount: string | null) => {
    const found = wholeCents(amount);
    return found !== null && isReturn ? Math.abs(found) : found;
  };
  const lines: LineMoney[] = [];
  for (const item of row.items) {
    const { off, net, tax } = netOf(item, inCents, 0);
    if (net === "unclear") return { field: "items", reason: "unclear_discount" };
    lines.push({ item, gross: net === null ? null : net + off, off, tax });
  }
  const { off, net, tax, total } = netOf(row, inCents, lines.length);
  if (net === "unclear") return { field: "sub_total", reason: "unclear_discount" };
  const beyond = beyondLines(off, net, lines);
  if (beyond === null) return { field: "discount", reason: "unclear_discount" };
  return { subtotal: net, tax, total, lines, beyond };
}

type Amounts = Pick<Sale | Item, "sub_total" | "discount" | "tax" | "total">;

/** What a sale or a line comes to after its discount, before taxes: as its subtotal says, or that less the discount. */
function netOf(row: Amounts, inCents: (amount: string | null) => number | null, lines: number) {
  const [sub, tax, total] = [inCents(row.sub_total), inCents(row.tax), inCents(row.total)];
  const off = Math.abs(wholeCents(row.discount) ?? 0);
  const net = (): number | null | "unclear" => {
    if (sub === null) return total === null ? null : total - (tax ?? 0);
    if (off === 0) return sub;
    const way = total === null ? null : nearest(total - (tax ?? 0), [sub, sub - off], lines);
    if (way === null) return "unclear";
    observeGuess("subtotal beside a discount", way === sub ? "after it" : "before it");
    return way;
  };
  return { off, net: net(), tax, total };
}

/**
 * The discount of a sale beyond those of its lines, which may be a part of it or stand beside it.
 *
 * @returns null where that is open
 */
function beyondLines(off: number, subtotal: number | null, lines: readonly LineMoney[]): number | null {
  const offLines = sum(lines.map((line) => line.off));
  if (offLines === 0) return off;
  const gross = lines.map((line) => line.gross);
  if (subtotal === null || gross.includes(null)) return off === offLines ? 0 : null;
  const all = nearest(sum(gross) - subtotal, [off, off + offLines], lines.length);
  // A sale cannot have less off than its lines have.
  if (all === null || all < offLines) return null;
  observeGuess("discount of a sale", all === off ? "holds those of lines" : "beside those of lines");
  return all - offLines;
}

/** The one of two amounts that is a third one but for rounding, if it is nearer than the other. */
function nearest(told: number, [one, other]: readonly [number, number], lines: number): number | null {
  const [toOne, toOther] = [Math.abs(one - told), Math.abs(other - told)];
  if (toOne === toOther || Math.min(toOne, toOther) > tolerance + lines / 2) return null;
  return toOne < toOther ? one : other;
}
