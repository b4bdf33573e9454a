import { sum } from "../../pos/framework/conversions/cents.ts";
import { isSameSum } from "../../pos/framework/conversions/sums.ts";
import type { PosSale } from "../../pos/posRecords.ts";

// A POS reports some amounts of a sale twice, such as in the lines and in the total. If the two amounts differ, the connector
// misreads a field or its unit.

const amountsOf = (parts: readonly { flat_amount: number | null }[]) => parts.map(({ flat_amount }) => flat_amount);

/** The sum of fees of a sale and its lines. `isIncluded` selects the fees that the subtotal includes, or all other fees. */
function feesOf({ fees, line_items }: PosSale, isIncluded: boolean): number {
  const all = [...fees, ...line_items.flatMap(({ line_item_fees }) => line_item_fees)];
  return sum(amountsOf(all.filter(({ included_in_subtotal }) => Boolean(included_in_subtotal) === isIncluded)));
}

/** Whether the subtotal, the taxes and the fees outside the subtotal add up to the paid total. */
export function addsUp(sale: PosSale): boolean {
  const { subtotal, tax_paid, total_paid } = sale;
  if (subtotal === null || total_paid === null) return true;
  return isSameSum(subtotal + (tax_paid ?? 0) + feesOf(sale, false), total_paid);
}

/** Whether the payments and the open balance of the invoice add up to the total. */
export function isPaidFor(sale: PosSale): boolean {
  if (sale.total_paid === null) return true;
  const open = sale.type === "wholesale" ? (sale.invoice.open_balance ?? 0) : 0;
  return isSameSum(sum(sale.payments.map(({ amount_paid }) => amount_paid)) + open, sale.total_paid);
}

/** Whether the reported taxes of a sale and its lines add up to the paid tax. */
export function isTaxedAsReported({ tax_paid, taxes, line_items }: PosSale): boolean {
  const parts = amountsOf([...taxes, ...line_items.flatMap(({ line_item_taxes }) => line_item_taxes)]);
  return tax_paid === null || parts.length === 0 || isSameSum(sum(parts), tax_paid, parts.length);
}

/**
 * Whether the lines, before or after discounts, and the included fees add up to the subtotal. Prices may include tax. If a line
 * lacks its price or its number of units, the lines cannot be compared and the result is true.
 */
export function linesAddUp(sale: PosSale): boolean {
  const { subtotal, tax_paid, total_discounts, discounts, line_items } = sale;
  const prices = line_items.map(({ num_units, price_per_unit }) =>
    num_units === null || price_per_unit === null ? null : num_units * price_per_unit,
  );
  if (subtotal === null || prices.length === 0 || prices.includes(null)) return true;
  const gross = sum(prices) + feesOf(sale, true);
  const off = sum(amountsOf([...discounts, ...line_items.flatMap(({ line_item_discounts }) => line_item_discounts)]));
  return [0, off, total_discounts ?? 0].some((less) =>
    [subtotal, subtotal + (tax_paid ?? 0)].some((net) => isSameSum(gross - less, net, prices.length)),
  );
}

/** Counts the compared sales (`compared`) and the sales with mismatched amounts among them (`odd`). It changes no sale. */
export function compareSums(sales: readonly PosSale[]): { compared: number; odd: number } {
  const odd = sales.filter((sale) => ![addsUp, isPaidFor, isTaxedAsReported, linesAddUp].every((fits) => fits(sale)));
  return { compared: sales.length, odd: odd.length };
}
