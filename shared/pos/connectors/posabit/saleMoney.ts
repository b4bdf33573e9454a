import { isSameSum, sum } from "../../../money/sums.ts";
import type { Rejection } from "../../connector.ts";
import { wholeCents } from "../../framework/conversions/cents.ts";
import { type AmountReading, chooseReading } from "../../framework/conversions/sums.ts";
import { observeGuess } from "../../framework/observer.ts";
import type { Item, Sale } from "./responses.ts";

// POSaBIT does not document three facts: whether a subtotal is before its discount, whether a subtotal includes the
// tax, and whether a sale's discount includes the discounts of its lines. So each combination is computed, and the
// combination whose amounts add up is used. If no combination or more than one combination adds up, the sale is
// rejected.

/** The amounts of a line, in cents. */
export interface LineMoney {
  item: Item;
  /** amount before the line's discount, without tax; null if unknown */
  gross: number | null;
  discount: number;
  tax: number | null;
}

/** The amounts of a sale, in cents. */
export interface SaleMoney {
  /** before taxes, after discounts */
  subtotal: number | null;
  tax: number | null;
  total: number | null;
  lines: LineMoney[];
  /** the part of the sale's discount that its lines do not contain */
  ownDiscount: number;
}

type Amounts = Record<"sub_total" | "discount" | "tax" | "total", number | null>;

interface SubtotalReading extends AmountReading {
  hasTax: boolean;
  isAfterDiscount: boolean;
}

/**
 * @param isReturn whether the sale is a return. The signs of a return's amounts are ignored, because no source
 * documents these signs.
 */
export function moneyOf(row: Sale, isReturn: boolean): SaleMoney | Rejection {
  const sale = amountsOf(row, isReturn);
  const reading = readSale(sale, row.items.length);
  if (reading === null) return { field: "sub_total", reason: sale.discount ? "unclear_discount" : "unclear_tax" };
  const lines: LineMoney[] = [];
  for (const item of row.items) {
    const line = amountsOf(item, isReturn);
    const net = netOfLine(line, reading.hasTax);
    if (net === "unclear") return { field: "items", reason: "unclear_discount" };
    const discount = line.discount ?? 0;
    lines.push({ item, gross: net === null ? null : net + discount, discount, tax: line.tax });
  }
  const { total: subtotal, hasTax } = reading;
  const ownDiscount = ownDiscountOf(sale.discount ?? 0, subtotal, lines);
  if (ownDiscount === null) return { field: "discount", reason: "unclear_discount" };
  // The subtotal includes tax, but the lines do not add up to it: a line may include a tax that it does not state.
  if (hasTax && !addUp(lines, ownDiscount, subtotal)) return { field: "items", reason: "unclear_tax" };
  return { subtotal, tax: sale.tax, total: sale.total, lines, ownDiscount };
}

/** Amounts as whole cents; a discount is never below 0. */
function amountsOf(row: Pick<Sale | Item, keyof Amounts>, isReturn: boolean): Amounts {
  const inCents = (amount: string | null, isUnsigned: boolean) => {
    const found = wholeCents(amount);
    return found !== null && isUnsigned ? Math.abs(found) : found;
  };
  return {
    sub_total: inCents(row.sub_total, isReturn),
    discount: inCents(row.discount, true),
    tax: inCents(row.tax, isReturn),
    total: inCents(row.total, isReturn),
  };
}

/** Reads a sale's subtotal. `total` is before taxes and after discounts; null unless exactly one reading adds up. */
function readSale(
  { sub_total, discount, tax, total }: Amounts,
  lines: number,
): { total: number | null; hasTax: boolean } | null {
  const expected = total === null ? null : total - (tax ?? 0);
  if (sub_total === null) return { total: expected, hasTax: false };
  const readings = readingsOf(sub_total, discount ?? 0, tax ?? 0);
  // Without a discount and a tax, all interpretations of a subtotal are equal, so no total is needed to choose.
  const isPlain = readings.every((reading) => reading.total === sub_total);
  if (expected === null && isPlain) return { total: sub_total, hasTax: false };
  const reading = chooseReading(readings, expected, lines);
  if (reading) observe("a sale", reading);
  return reading;
}

/**
 * The amount of a line before taxes and after its discount. The sale shows whether amounts include the tax (`hasTax`).
 * A line alone does not show this: a total without tax and a subtotal with tax look the same.
 */
function netOfLine({ sub_total, discount, tax, total }: Amounts, hasTax: boolean): number | null | "unclear" {
  const expected = total === null ? null : total - (tax ?? 0);
  if (sub_total === null) return expected;
  const readings = readingsOf(sub_total, discount ?? 0, tax ?? 0).filter((reading) => reading.hasTax === hasTax);
  const reading = discount ? chooseReading(readings, expected) : readings[0];
  if (!reading) return "unclear";
  if (discount) observe("a line", reading);
  return reading.total;
}

function readingsOf(subtotal: number, discount: number, tax: number): SubtotalReading[] {
  return [false, true].flatMap((hasTax) => {
    const net = hasTax ? subtotal - tax : subtotal;
    return [
      { total: net, hasTax, isAfterDiscount: true },
      { total: net - discount, hasTax, isAfterDiscount: false },
    ];
  });
}

function observe(what: string, { hasTax, isAfterDiscount }: SubtotalReading): void {
  const discount = isAfterDiscount ? "after discounts" : "before discounts";
  observeGuess(`subtotal of ${what}`, `${discount}, ${hasTax ? "with" : "without"} tax`);
}

/** The part of a sale's discount that is not in its lines; null unless exactly one interpretation adds up. */
function ownDiscountOf(discount: number, subtotal: number | null, lines: readonly LineMoney[]): number | null {
  const ofLines = sum(lines.map((line) => line.discount));
  if (ofLines === 0) return discount;
  const gross = lines.map((line) => line.gross);
  if (subtotal === null || gross.includes(null)) return discount === ofLines ? 0 : null;
  const readings = [
    { total: discount, own: discount - ofLines, taken: "includes those of lines" },
    { total: discount + ofLines, own: discount, taken: "does not include those of lines" },
  ];
  const reading = chooseReading(readings, sum(gross) - subtotal, lines.length);
  // A sale's discount cannot be smaller than the discounts of its lines.
  if (!reading || reading.own < 0) return null;
  observeGuess("discount of a sale", reading.taken);
  return reading.own;
}

/** Whether the lines of a sale, less all discounts, add up to its subtotal; true if an amount is unknown. */
function addUp(lines: readonly LineMoney[], ownDiscount: number, subtotal: number | null): boolean {
  const gross = lines.map((line) => line.gross);
  if (subtotal === null || lines.length === 0 || gross.includes(null)) return true;
  const discounts = sum(lines.map((line) => line.discount)) + ownDiscount;
  return isSameSum(sum(gross) - discounts, subtotal, lines.length);
}
