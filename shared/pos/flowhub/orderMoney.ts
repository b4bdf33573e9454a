import { log } from "../../aws/log.ts";
import { cents, fine, sum, wholeCents } from "../conversions/cents.ts";
import type { Order } from "./answers.ts";

/** Which unit amounts are in that stand outside an order's totals; those are cents. */
export type Unit = "cents" | "dollars";

/** The unit of an order's lines: the one in which they add up to its subtotal, with or without its discounts. */
export function lineUnit({ itemsInCart, totals }: Order): Unit | null {
  const subtotal = wholeCents(totals.subtotal) ?? 0;
  const discounts = Math.abs(wholeCents(totals.totaldiscounts) ?? 0);
  return unitOf(
    itemsInCart.filter(({ voided }) => !voided).map(({ totalPrice }) => totalPrice),
    [subtotal, subtotal + discounts],
  );
}

/** The unit of an order's payments: the one in which they add up to its final total. */
export function paymentUnit({ payments, totals }: Order): Unit | null {
  return unitOf(
    payments.map(({ amount }) => amount),
    [wholeCents(totals.finaltotal) ?? 0],
  );
}

/** Null where neither fits; cents where both do, or there are no amounts. */
function unitOf(amounts: readonly (string | null)[], totals: readonly number[]): Unit | null {
  const asDollars = Math.abs(sum(amounts.map(cents)));
  const isNear = (amount: number) =>
    totals.some((total) => Math.abs(amount - Math.abs(total)) <= Math.max(2, Math.abs(total) * 0.02));
  if (amounts.length === 0 || isNear(asDollars / 100)) return "cents";
  return isNear(asDollars) ? "dollars" : null;
}

/**
 * Tells the operator how many orders of a page have lines or payments that add up in neither unit. They are taken for
 * cents, which is a hundredth of what dollars would be.
 */
export function warnOfUnclearUnits(posType: string, orders: readonly Order[]): void {
  const unclear = orders.filter((row) => lineUnit(row) === null || paymentUnit(row) === null).length;
  if (unclear > 0) {
    log.warn("orders whose amounts are neither cents nor dollars", { pos_type: posType, unclear, of: orders.length });
  }
}

/** An amount in whole cents, which it is taken for where its unit is not known. */
export function inCents(amount: string | null, unit: Unit | null): number | null {
  return unit === "dollars" ? cents(amount) : wholeCents(amount);
}

/** The price of one unit, which may have fractions of a cent. */
export function finelyInCents(amount: string | null, unit: Unit | null): number | null {
  return amount === null ? null : fine(Number(amount) * (unit === "dollars" ? 100 : 1));
}
