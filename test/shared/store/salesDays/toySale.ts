import type { Sale } from "../../../../shared/store/salesDays/dayFigures.ts";

/** The amounts of a paid retail sale of one line, as a POS with complete data reports them. */
export function toyAmounts(total: number) {
  const line = { num_units: 1, price_per_unit: total };
  return {
    transaction_type: "sale",
    subtotal: total,
    total_discounts: 0,
    tax_paid: 0,
    total_paid: total,
    line_items: [{ ...line, line_item_discounts: [], line_item_taxes: [], line_item_fees: [] }],
    discounts: [],
    taxes: [],
    fees: [],
    payments: [{ type: "cash", amount_paid: total }],
  } satisfies Omit<Sale, "type" | "customer">;
}
