import { isSameSum, sum } from "../../../money/sums.ts";
import { paidAmount } from "../../../store/salesDays/saleAmounts.ts";
import { type PosFee, type PosSale, posFee } from "../../posRecords.ts";
import { chooseReading, flatSum } from "./sums.ts";

/** An amount in cents, of either sign, that a POS states next to the amounts of a sale, such as a tip. */
export interface NamedCharge {
  fee_name: string;
  amount: number | null;
}

/**
 * Adds the charges that explain why the amounts of a sale differ (docs/spec.md#sales). A POS does not say where it counts a
 * tip or a fee of a payment: only in the payments, also in the total, or nowhere. So a charge becomes a fee in two cases:
 *
 * - The payments exceed the total by the charge. The total then increases by the charge, because the customer paid it.
 * - The total exceeds the subtotal, the tax and the fees by the charge. The total does not change.
 *
 * If several sets of charges explain a difference, the amount is certain but the name is not: the fee then has no name. A
 * difference that no charge explains stays, so that the sale counts as mismatched.
 *
 * @param sale a sale or a return; a voided sale has no differences
 */
export function addNamedCharges<Sale extends PosSale>(sale: Sale, charges: readonly NamedCharge[]): Sale {
  const { total_paid: total, subtotal, tax_paid, payments, fees, line_items } = sale;
  const named = charges.flatMap(({ fee_name, amount }) => (amount ? [{ fee_name, amount: Math.abs(amount) }] : []));
  if (total === null || named.length === 0) return sale;
  const sign = total < 0 || (total === 0 && sale.transaction_type === "return") ? -1 : 1;
  const outside = [...fees, ...line_items.flatMap(({ line_item_fees }) => line_item_fees)].filter(
    ({ included_in_subtotal }) => !included_in_subtotal,
  );
  const parts = subtotal === null ? null : subtotal + (tax_paid ?? 0) + flatSum(outside);
  const ofTotal = parts === null ? none : explaining(named, (total - parts) * sign);
  const left = named.filter((charge) => !ofTotal.charges.includes(charge));
  const [paid, stated] = [paidAmount(sale), payments.map(({ amount_paid }) => amount_paid)];
  const onTop = paid === null || stated.includes(null) ? none : explaining(left, (sum(stated) - paid) * sign);
  const added = [...ofTotal.fees, ...onTop.fees].map((fee) => ({ ...fee, flat_amount: (fee.flat_amount ?? 0) * sign }));
  if (added.length === 0) return sale;
  const more = flatSum(onTop.fees) * sign;
  return {
    ...sale,
    total_paid: total + more,
    fees: [...fees, ...added],
    ...(sale.type === "wholesale" && {
      invoice: { ...sale.invoice, total: sale.invoice.total === null ? null : sale.invoice.total + more },
    }),
  };
}

interface Explanation {
  charges: readonly NamedCharge[];
  fees: PosFee[];
}

const none: Explanation = { charges: [], fees: [] };

/** The charges, as fees, whose sum is the difference; none if the difference is rounding, or if no charges have this sum. */
function explaining(charges: readonly { fee_name: string; amount: number }[], difference: number): Explanation {
  if (difference <= 0 || isSameSum(difference, 0)) return none;
  const readings = subsets(charges).map((chosen) => ({ chosen, total: sum(chosen.map(({ amount }) => amount)) }));
  const found = chooseReading(
    readings.filter(({ total }) => total > 0),
    difference,
  );
  if (!found) return none;
  const same = readings.filter(({ total }) => total === found.total).map(({ chosen }) => namesOf(chosen));
  const fees =
    new Set(same).size > 1
      ? [posFee(null, found.total)]
      : found.chosen.map(({ fee_name, amount }) => posFee(fee_name, amount));
  return { charges: found.chosen, fees };
}

const namesOf = (charges: readonly NamedCharge[]) => JSON.stringify(charges.map(({ fee_name }) => fee_name));

function subsets<Item>(items: readonly Item[]): Item[][] {
  const [first, ...others] = items;
  return first === undefined ? [[]] : subsets(others).flatMap((some) => [some, [first, ...some]]);
}
