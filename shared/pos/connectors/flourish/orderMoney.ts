import { isSameSum, sum } from "../../../money/sums.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { chooseReading, flatSum, subtract } from "../../framework/conversions/sums.ts";
import { type PosFee, posFee } from "../../posRecords.ts";
import type { Line, Order } from "./responses.ts";

/** The amounts of an order after returns, in cents. */
export interface OrderMoney {
  subtotal: number | null;
  tax: number | null;
  total: number | null;
  /** the part of the order's discount that is not in the discounts of its lines */
  discount: number;
  /** fees that the total contains; all fees if it is unknown which fees the total contains */
  fees: PosFee[];
}

/** Whether any part of an order was returned. */
export function hasReturns({ order_lines, total_returns }: Order): boolean {
  return (
    (dollarsToCents(total_returns) ?? 0) !== 0 || order_lines.some(({ qty_returned }) => (qty_returned ?? 0) !== 0)
  );
}

/** The part of a line that was not returned, from 0 to 1; null if its quantities contradict each other. */
export function keptShare({ order_qty, qty_returned }: Line): number | null {
  const returned = qty_returned ?? 0;
  if (returned === 0) return 1;
  return order_qty === null || returned < 0 || returned > order_qty ? null : 1 - returned / order_qty;
}

/**
 * The amounts of an order without returns. Flourish documents that the subtotal is after the discounts of lines. It
 * does not document which fees the total contains. Only some of the documented examples repeat the order's discount in
 * the lines. So each combination is computed, and the combination that adds up to the total is used. If no combination
 * adds up, the subtotal stays unchanged, the discount is reduced by the discounts of the lines, and all fees count.
 */
export function moneyOf(row: Order): OrderMoney {
  const [sub, tax, total] = [
    dollarsToCents(row.sub_total_price),
    dollarsToCents(row.taxes),
    dollarsToCents(row.total_price),
  ];
  const asRead = { discount: discountOf(row), fees: allFees(row) };
  if (sub === null) {
    return { subtotal: subtract(total, [tax, flatSum(asRead.fees)]), tax, total, ...asRead };
  }
  const readings = feesOf(row).flatMap((fees) =>
    discountReadings(row).map(({ discount, off }) => {
      const subtotal = sub - off;
      return { subtotal, discount, fees, total: subtotal + (tax ?? 0) + flatSum(fees) };
    }),
  );
  const { subtotal, discount, fees } = chooseReading(readings, total, row.order_lines.length) ?? {
    subtotal: sub,
    ...asRead,
  };
  return { subtotal, tax, total, discount, fees };
}

/** An order's discount less the discounts of its lines, for orders whose lines repeat parts of the order's discount. */
function discountOf({ total_discounts, order_lines }: Order): number {
  return Math.max(0, (dollarsToCents(total_discounts) ?? 0) - amountOffLines(order_lines));
}

const amountOffLines = (lines: readonly Line[]) => sum(lines.map((line) => dollarsToCents(line.discount_price)));

/** The readings of an order's discount. `off` is the part that must still be subtracted from the subtotal. */
function discountReadings(row: Order): { discount: number; off: number }[] {
  const [beyondLines, whole] = [discountOf(row), dollarsToCents(row.total_discounts) ?? 0];
  return [
    { discount: beyondLines, off: 0 },
    { discount: beyondLines, off: beyondLines },
    { discount: whole, off: whole },
  ];
}

/**
 * The amounts of an order with returns. Flourish does not document whether the subtotal, the tax and the total still
 * contain the returned goods. If an amount contains returned goods, the returns are subtracted from the amount.
 *
 * @returns null unless exactly one combination of these possibilities adds up to the total
 */
export function keptMoney(row: Order): OrderMoney | null {
  const [sub, tax, total] = [
    dollarsToCents(row.sub_total_price),
    dollarsToCents(row.taxes) ?? 0,
    dollarsToCents(row.total_price),
  ];
  const [ordered, kept] = [netOf(row, () => 1), netOf(row, keptShare)];
  if (sub === null || total === null || ordered === null || kept === null || discountOf(row) > 0) return null;
  const isSame = (one: number, other: number) => isSameSum(one, other, row.order_lines.length);
  if (!isSame(sub, ordered) && !isSame(sub, kept)) return null;
  const back = ordered - kept;
  const taxKept = ordered === 0 ? tax : Math.round((tax * kept) / ordered);
  const stated = Math.abs(dollarsToCents(row.total_returns) ?? 0);
  // Three cases: the tax was not refunded; the stated tax is already reduced; the stated tax is the tax of the whole order,
  // and a part was refunded.
  const ways = [
    { tax, returned: back },
    { tax, returned: back + (kept === 0 ? 0 : Math.round((tax * back) / kept)) },
    { tax: taxKept, returned: back + tax - taxKept },
  ].filter(({ returned }) => stated === 0 || isSame(stated, returned) || (kept === 0 && tax === 0));
  const found = new Map<string, OrderMoney>();
  for (const way of ways) {
    for (const keptTotal of [total, total - (stated || way.returned)]) {
      const fees = feesOf(row).find((fees) => isSame(kept + way.tax + flatSum(fees), keptTotal));
      const money = { subtotal: kept, tax: row.taxes === null ? null : way.tax, total: keptTotal, discount: 0 };
      if (fees) found.set(JSON.stringify(money), { ...money, fees });
    }
  }
  const [money, ...others] = found.values();
  return money && others.length === 0 ? money : null;
}

/** The sum of the lines after their discounts; null if a line lacks its quantity or price. */
function netOf({ order_lines }: Order, shareOf: (line: Line) => number | null): number | null {
  const nets = order_lines.map((line) => {
    const [share, price] = [shareOf(line), line.unit_price];
    if (share === null || price === null || line.order_qty === null) return null;
    return Math.round((line.order_qty * Number(price) * 100 - (dollarsToCents(line.discount_price) ?? 0)) * share);
  });
  return nets.includes(null) ? null : sum(nets);
}

/** The possible sets of fees in a total. The set of all fees comes first. */
function feesOf(row: Order): PosFee[][] {
  const [delivery, charges] = [feeOf("Delivery", row.delivery_fee), feeOf("Charges", row.total_charges)];
  return [[...delivery, ...charges], delivery, charges, []];
}

const allFees = (row: Order) => feesOf(row)[0] ?? [];

function feeOf(fee_name: string, dollars: string | null): PosFee[] {
  const flat_amount = dollarsToCents(dollars) ?? 0;
  return flat_amount === 0 ? [] : [posFee(fee_name, flat_amount)];
}
