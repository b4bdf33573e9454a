import { cents, sum } from "../conversions/cents.ts";
import type { PosFee } from "../posRecords.ts";
import type { Line, Order } from "./answers.ts";

/** What an order comes to, after what came back, in cents. */
export interface OrderMoney {
  subtotal: number | null;
  tax: number | null;
  total: number | null;
  /** those that the total holds, or all where it does not tell */
  fees: PosFee[];
}

/** Cents by which rounding may part two sums. */
const tolerance = 2;

/** Whether something of an order came back, as far as its documented fields tell. */
export function hasReturns({ order_lines, total_returns }: Order): boolean {
  return (cents(total_returns) ?? 0) !== 0 || order_lines.some(({ qty_returned }) => (qty_returned ?? 0) !== 0);
}

/** What was kept of a line: 1 for all of it; null where its numbers cannot be. */
export function keptShare({ order_qty, qty_returned }: Line): number | null {
  const returned = qty_returned ?? 0;
  if (returned === 0) return 1;
  return order_qty === null || returned < 0 || returned > order_qty ? null : 1 - returned / order_qty;
}

/**
 * The amounts of an order without returns. The subtotal is documented to be after the discounts of lines; which fees are
 * in the total, and whether a discount of the order is off the subtotal, is told by what adds up.
 *
 * @param beyond discount of the order beyond those of its lines
 */
export function moneyOf(row: Order, beyond: number): OrderMoney {
  const [sub, tax, total] = [cents(row.sub_total_price), cents(row.taxes), cents(row.total_price)];
  const [all = []] = feesOf(row);
  if (sub === null) {
    return { subtotal: total === null ? null : total - (tax ?? 0) - amount(all), tax, total, fees: all };
  }
  for (const subtotal of new Set([sub, sub - beyond])) {
    const fees = feesOf(row).find((fees) => isNear(subtotal + (tax ?? 0) + amount(fees), total, row));
    if (fees) return { subtotal, tax, total, fees };
  }
  return { subtotal: sub, tax, total, fees: all };
}

/**
 * The amounts of an order of which something came back. Flourish does not say whether the subtotal, the tax and the total
 * are as ordered or hold the return already: whichever way alone adds up is taken, and what does not hold it is lessened.
 *
 * @returns null where no way adds up, or several do
 */
export function keptMoney(row: Order, beyond: number): OrderMoney | null {
  const [sub, tax, total] = [cents(row.sub_total_price), cents(row.taxes) ?? 0, cents(row.total_price)];
  const [ordered, kept] = [netOf(row, () => 1), netOf(row, keptShare)];
  if (sub === null || total === null || ordered === null || kept === null || beyond > 0) return null;
  if (!isNear(sub, ordered, row) && !isNear(sub, kept, row)) return null;
  const back = ordered - kept;
  const taxKept = ordered === 0 ? tax : Math.round((tax * kept) / ordered);
  const told = Math.abs(cents(row.total_returns) ?? 0);
  // By what the tax is: not paid back at all, lessened already, or as ordered and paid back with the rest.
  const ways = [
    { tax, returned: back },
    { tax, returned: back + (kept === 0 ? 0 : Math.round((tax * back) / kept)) },
    { tax: taxKept, returned: back + tax - taxKept },
  ].filter(({ returned }) => told === 0 || isNear(told, returned, row) || (kept === 0 && tax === 0));
  const found = new Map<string, OrderMoney>();
  for (const way of ways) {
    for (const total1 of [total, total - (told || way.returned)]) {
      const fees = feesOf(row).find((fees) => isNear(kept + way.tax + amount(fees), total1, row));
      const money = { subtotal: kept, tax: row.taxes === null ? null : way.tax, total: total1 };
      if (fees) found.set(JSON.stringify(money), { ...money, fees });
    }
  }
  const [money, ...others] = found.values();
  return money && others.length === 0 ? money : null;
}

/** What lines come to after their discounts; null where one does not tell. */
function netOf({ order_lines }: Order, shareOf: (line: Line) => number | null): number | null {
  const nets = order_lines.map((line) => {
    const [share, price] = [shareOf(line), line.unit_price];
    if (share === null || price === null || line.order_qty === null) return null;
    return Math.round((line.order_qty * Number(price) * 100 - (cents(line.discount_price) ?? 0)) * share);
  });
  return nets.includes(null) ? null : sum(nets);
}

/** All fees, and then fewer: not all may be in the total. */
function feesOf({ delivery_fee, total_charges }: Order): PosFee[][] {
  const [delivery, charges] = [feeOf("Delivery", delivery_fee), feeOf("Charges", total_charges)];
  return [[...delivery, ...charges], delivery, charges, []];
}

function feeOf(fee_name: string, dollars: string | null): PosFee[] {
  const flat_amount = cents(dollars) ?? 0;
  return flat_amount === 0 ? [] : [{ fee_name, percent_amount: null, flat_amount, included_in_subtotal: false }];
}

const amount = (fees: readonly PosFee[]) => sum(fees.map(({ flat_amount }) => flat_amount));

function isNear(one: number, other: number | null, { order_lines }: Order): boolean {
  return other !== null && Math.abs(one - other) <= tolerance + order_lines.length / 2;
}
