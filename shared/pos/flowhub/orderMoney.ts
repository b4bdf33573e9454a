import { cents, fine, sum, wholeCents } from "../conversions/cents.ts";
import type { Order } from "./answers.ts";

/** Which unit amounts are in that stand outside an order's totals; those are cents. */
export type Unit = "cents" | "dollars";

/** The unit of an order's lines: the one in which they add up to its subtotal, with or without its discounts. */
export function lineUnit({ itemsInCart, totals }: Order): Unit {
  const subtotal = wholeCents(totals.subtotal) ?? 0;
  const discounts = Math.abs(wholeCents(totals.totaldiscounts) ?? 0);
  return unitOf(
    itemsInCart.filter(({ voided }) => !voided).map(({ totalPrice }) => totalPrice),
    [subtotal, subtotal + discounts],
  );
}

/** The unit of an order's payments: the one in which they add up to its final total. */
export function paymentUnit({ payments, totals }: Order): Unit {
  return unitOf(
    payments.map(({ amount }) => amount),
    [wholeCents(totals.finaltotal) ?? 0],
  );
}

/** Cents where neither fits, or both. */
function unitOf(amounts: readonly (string | null)[], totals: readonly number[]): Unit {
  const asDollars = Math.abs(sum(amounts.map(cents)));
  const isNear = (amount: number) =>
    totals.some((total) => Math.abs(amount - Math.abs(total)) <= Math.max(2, Math.abs(total) * 0.02));
  return isNear(asDollars / 100) || !isNear(asDollars) ? "cents" : "dollars";
}

/** An amount in whole cents. */
export function inCents(amount: string | null, unit: Unit): number | null {
  return unit === "dollars" ? cents(amount) : wholeCents(amount);
}

/** The price of one unit, which may have fractions of a cent. */
export function finelyInCents(amount: string | null, unit: Unit): number | null {
  return amount === null ? null : fine(Number(amount) * (unit === "dollars" ? 100 : 1));
}
