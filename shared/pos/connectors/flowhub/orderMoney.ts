import { sum } from "../../../money/sums.ts";
import { log } from "../../../platform/aws/log.ts";
import { dollarsToCents, fine, wholeCents } from "../../framework/conversions/cents.ts";
import { chooseReading } from "../../framework/conversions/sums.ts";
import { observeGuess } from "../../framework/observer.ts";
import type { Order } from "./responses.ts";

/** The unit of an order's totals, lines and payments. */
export type Unit = "cents" | "dollars";

/**
 * The unit of an order's amounts, by the rules of docs/pos/flowhub.md#cents-or-dollars.
 *
 * @returns "either" if no rule decides; "neither" if two rules contradict each other, if the lines are in another unit than
 * the subtotal, or the payments in another unit than the total
 */
export function unitOf({ totals, itemsInCart, payments }: Order): Unit | "either" | "neither" {
  const items = itemsInCart.filter(({ voided }) => !voided);
  const lines = items.map(({ totalPrice }) => totalPrice);
  const paid = payments.map(({ amount }) => amount);
  const amounts = [...Object.values(totals), ...lines, ...paid].filter((amount) => amount !== null);
  if (amounts.every((amount) => Number(amount) === 0)) return "dollars";
  const [subtotal, discounts] = [size(totals.subtotal), size(totals.totaldiscounts)];
  const isMixed =
    isHundredfold(sumOf(lines), [subtotal, subtotal + discounts]) ||
    isHundredfold(sumOf(paid), [size(totals.finaltotal)]);
  if (isMixed) return "neither";
  const taxes = items.flatMap(({ tax }) => tax.map(({ thisTaxInPennies }) => wholeCents(thisTaxInPennies)));
  const off = items.flatMap(({ itemDiscounts }) =>
    itemDiscounts.map(({ penniesOff, dollarsOff }) => wholeCents(penniesOff) || dollarsToCents(dollarsOff)),
  );
  const hasFraction = amounts.some((amount) => !Number.isInteger(Number(amount)));
  const decided: (Unit | null)[] = [
    hasFraction ? "dollars" : null,
    unitByPennies(taxes, size(totals.totaltaxes)),
    unitByPennies(off, discounts),
  ];
  const units = new Set<Unit>(decided.filter((unit) => unit !== null));
  const [unit = "either"] = units;
  return units.size > 1 ? "neither" : unit;
}

/**
 * The unit of each order of a page, in the same order. An order that does not show its unit gets the unit of the other
 * orders, because all orders are of the same shop. If no order shows a unit, all amounts are read as dollars, and a log
 * entry states the number of these orders.
 *
 * @returns null for an order that must be rejected: its amounts contradict each other, or it does not show its unit and the
 * other orders have different units
 */
export function unitsOf(posType: string, orders: readonly Order[]): (Unit | null)[] {
  const found = orders.map(unitOf);
  const shown = new Set(found.filter((unit) => unit === "cents" || unit === "dollars"));
  const [ofOthers = "dollars"] = shown;
  const unclear = shown.size === 0 ? found.filter((unit) => unit === "either").length : 0;
  if (unclear > 0) log.warn("orders whose amounts may be cents are read as dollars", { pos_type: posType, unclear });
  for (const unit of found) observeGuess("unit of an order", unit === "either" ? `${ofOthers}, as others` : unit);
  return found.map((unit) => {
    if (unit === "either") return shown.size > 1 ? null : ofOthers;
    return unit === "neither" ? null : unit;
  });
}

/** The unit of a total whose parts are in pennies; null if they add up in neither unit, or if a sum is 0. */
function unitByPennies(parts: readonly (number | null)[], total: number): Unit | null {
  const pennies = Math.abs(sum(parts));
  if (pennies === 0 || total === 0) return null;
  const readings = [
    { unit: "cents", total },
    { unit: "dollars", total: total * 100 },
  ] as const;
  return chooseReading(readings, pennies, parts.length)?.unit ?? null;
}

/** Whether an amount is close to one of the other amounts only after a conversion between dollars and cents. */
function isHundredfold(amount: number, others: readonly number[]): boolean {
  const isAny = (scale: number) => others.some((other) => isAbout(amount * scale, other));
  return amount !== 0 && !isAny(1) && (isAny(100) || isAny(1 / 100));
}

/** Maximum relative difference in one unit: cash is rounded up, and lines may lack a cart discount. */
const maxDifference = 0.02;
const isAbout = (one: number, other: number) => other !== 0 && Math.abs(one - other) <= Math.abs(other) * maxDifference;
const size = (amount: string | null) => Math.abs(Number(amount ?? 0));
const sumOf = (amounts: readonly (string | null)[]) => Math.abs(sum(amounts.map(Number)));

export function inCents(amount: string | null, unit: Unit): number | null {
  return unit === "dollars" ? dollarsToCents(amount) : wholeCents(amount);
}

/** The price of one unit, which may have fractions of a cent. */
export function finelyInCents(amount: string | null, unit: Unit): number | null {
  return amount === null ? null : fine(Number(amount) * (unit === "dollars" ? 100 : 1));
}
