import { isSameSum, sum } from "../../money/sums.ts";

// A POS reports some amounts of a sale twice, such as in the lines and in the total. If the two amounts differ, the
// connector misreads a field or its unit.

interface Part {
  flat_amount: number | null;
}

interface Fee extends Part {
  included_in_subtotal: boolean | null;
}

/** The amounts of a sale (docs/spec.md#sales), in cents. Both a POS record and an API record have them. */
export interface SaleAmounts {
  type: "retail" | "wholesale";
  subtotal: number | null;
  total_discounts: number | null;
  tax_paid: number | null;
  total_paid: number | null;
  line_items: readonly {
    num_units: number | null;
    price_per_unit: number | null;
    line_item_discounts: readonly Part[];
    line_item_taxes: readonly Part[];
    line_item_fees: readonly Fee[];
  }[];
  discounts: readonly Part[];
  taxes: readonly Part[];
  fees: readonly Fee[];
  /** an API record has no payment of unknown amount */
  payments: readonly { amount_paid: number | null }[];
  /** wholesale only */
  invoice?: { open_balance: number | null };
}

const amountsOf = (parts: readonly Part[]) => parts.map(({ flat_amount }) => flat_amount);

/** All fees of a sale and of its lines. */
export const feesOf = ({ fees, line_items }: SaleAmounts): Fee[] => [
  ...fees,
  ...line_items.flatMap(({ line_item_fees }) => line_item_fees),
];

/** The sum of fees. `isIncluded` selects the fees that the subtotal includes, or all other fees. */
function sumFees(sale: SaleAmounts, isIncluded: boolean): number {
  const fees = feesOf(sale).filter(({ included_in_subtotal }) => Boolean(included_in_subtotal) === isIncluded);
  return sum(amountsOf(fees));
}

/** Whether the subtotal, the taxes and the fees outside the subtotal add up to the paid total. */
export function addsUp(sale: SaleAmounts): boolean {
  const { subtotal, tax_paid, total_paid } = sale;
  if (subtotal === null || total_paid === null) return true;
  return isSameSum(subtotal + (tax_paid ?? 0) + sumFees(sale, false), total_paid);
}

/** The total less the open balance of the invoice; null if the POS does not report one of them. */
export function paidAmount({ total_paid, invoice }: Pick<SaleAmounts, "total_paid" | "invoice">): number | null {
  const open = invoice ? invoice.open_balance : 0;
  return total_paid === null || open === null ? null : total_paid - open;
}

/** Whether the payments add up to the paid amount; true if an amount is unknown. */
export function isPaidFor(sale: SaleAmounts): boolean {
  const [paid, amounts] = [paidAmount(sale), sale.payments.map(({ amount_paid }) => amount_paid)];
  return paid === null || amounts.includes(null) || isSameSum(sum(amounts), paid);
}

/** Whether the reported taxes of a sale and its lines add up to the paid tax. */
export function isTaxedAsReported({ tax_paid, taxes, line_items }: SaleAmounts): boolean {
  const parts = amountsOf([...taxes, ...line_items.flatMap(({ line_item_taxes }) => line_item_taxes)]);
  return tax_paid === null || parts.length === 0 || isSameSum(sum(parts), tax_paid, parts.length);
}

/**
 * Whether the lines, before or after discounts, and the included fees add up to the subtotal. Prices may include tax. Lines
 * without a price or a number of units cannot be compared: true.
 */
export function linesAddUp(sale: SaleAmounts): boolean {
  const { subtotal, tax_paid, total_discounts, discounts, line_items } = sale;
  const prices = line_items.map(({ num_units, price_per_unit }) =>
    num_units === null || price_per_unit === null ? null : num_units * price_per_unit,
  );
  if (subtotal === null || prices.length === 0 || prices.includes(null)) return true;
  const gross = sum(prices) + sumFees(sale, true);
  const off = sum(amountsOf([...discounts, ...line_items.flatMap(({ line_item_discounts }) => line_item_discounts)]));
  return [0, off, total_discounts ?? 0].some((less) =>
    [subtotal, subtotal + (tax_paid ?? 0)].some((net) => isSameSum(gross - less, net, prices.length)),
  );
}

/** Whether amounts of a sale that its POS reports twice differ by more than rounding. */
export const isMismatched = (sale: SaleAmounts): boolean =>
  ![addsUp, isPaidFor, isTaxedAsReported, linesAddUp].every((fits) => fits(sale));
