import { log } from "../../aws/log.ts";
import { cents, fine, sum, wholeCents } from "../conversions/cents.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Order } from "./answers.ts";

/** In which unit an order's totals, its lines and its payments are: one for all of them. */
export type Unit = "cents" | "dollars";

/** Cents by which rounding may part two sums. */
const tolerance = 2;

/**
 * The unit in which an order's amounts are, by what only one reading of them satisfies (docs/pos/flowhub.md):
 *
 * - a fraction in a total, in what a line comes to, or in a payment: dollars;
 * - the taxes of the lines, which are always pennies, are the order's: as they are, or a hundredfold;
 * - the same of what was taken off, in pennies too.
 *
 * @returns "either" where nothing tells; "neither" where one tells against the other, or where lines and subtotal, or
 * payments and total, are a hundredfold of each other
 */
export function unitOf({ totals, itemsInCart, payments }: Order): Unit | "either" | "neither" {
  const items = itemsInCart.filter(({ voided }) => !voided);
  const lines = items.map(({ totalPrice }) => totalPrice);
  const paid = payments.map(({ amount }) => amount);
  const amounts = [...Object.values(totals), ...lines, ...paid].filter((amount) => amount !== null);
  if (amounts.every((amount) => Number(amount) === 0)) return "dollars";
  const [subtotal, discounts] = [size(totals.subtotal), size(totals.totaldiscounts)];
  const isMixed =
    areHundredfold(sumOf(lines), [subtotal, subtotal + discounts]) ||
    areHundredfold(sumOf(paid), [size(totals.finaltotal)]);
  if (isMixed) return "neither";
  const taxes = sum(items.flatMap(({ tax }) => tax.map(({ thisTaxInPennies }) => wholeCents(thisTaxInPennies))));
  const off = sum(
    items.flatMap(({ itemDiscounts }) =>
      itemDiscounts.map(({ penniesOff, dollarsOff }) => wholeCents(penniesOff) || cents(dollarsOff)),
    ),
  );
  const told = new Set<Unit>([
    ...(amounts.some((amount) => !Number.isInteger(Number(amount))) ? (["dollars"] as const) : []),
    ...fitting(Math.abs(taxes), size(totals.totaltaxes)),
    ...fitting(Math.abs(off), discounts),
  ]);
  const [unit = "either"] = told;
  return told.size > 1 ? "neither" : unit;
}

/**
 * The unit of each order of a page, in its order. One that tells none is read as the others of the page are, which are
 * the same shop's; where these tell none either, as dollars, and the operator is told how many.
 *
 * @returns null where an order is to be rejected: its own amounts, or the others', contradict each other
 */
export function unitsOf(posType: string, orders: readonly Order[]): (Unit | null)[] {
  const found = orders.map(unitOf);
  const told = new Set(found.filter((unit) => unit === "cents" || unit === "dollars"));
  const [ofOthers = "dollars"] = told;
  const unclear = told.size === 0 ? found.filter((unit) => unit === "either").length : 0;
  if (unclear > 0) log.warn("orders whose amounts may be cents are read as dollars", { pos_type: posType, unclear });
  for (const unit of found) observeGuess("unit of an order", unit === "either" ? `${ofOthers}, as others` : unit);
  return found.map((unit) => {
    if (unit === "either") return told.size > 1 ? null : ofOthers;
    return unit === "neither" ? null : unit;
  });
}

/** The units in which a total may be, of which the parts are told in pennies; none where both fit, or neither. */
function fitting(pennies: number, total: number): Unit[] {
  const isAsIs = Math.abs(pennies - total) <= tolerance;
  const isHundredth = Math.abs(pennies - total * 100) <= tolerance;
  if (isAsIs === isHundredth || pennies === 0) return [];
  return [isAsIs ? "cents" : "dollars"];
}

/** Whether an amount is one of those only when it is in another unit. */
function areHundredfold(amount: number, others: readonly number[]): boolean {
  const isAny = (scale: number) => others.some((other) => isNear(amount * scale, other));
  return amount !== 0 && !isAny(1) && (isAny(100) || isAny(1 / 100));
}

const isNear = (one: number, other: number) => other !== 0 && Math.abs(one - other) <= Math.abs(other) * 0.02;
const size = (amount: string | null) => Math.abs(Number(amount ?? 0));
const sumOf = (amounts: readonly (string | null)[]) => Math.abs(sum(amounts.map(Number)));

/** An amount in whole cents. */
export function inCents(amount: string | null, unit: Unit): number | null {
  return unit === "dollars" ? cents(amount) : wholeCents(amount);
}

/** The price of one unit, which may have fractions of a cent. */
export function finelyInCents(amount: string | null, unit: Unit): number | null {
  return amount === null ? null : fine(Number(amount) * (unit === "dollars" ? 100 : 1));
}
