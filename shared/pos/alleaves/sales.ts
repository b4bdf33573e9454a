import { cents, finelyInCents, sum } from "../conversions/cents.ts";
import { returned, voided } from "../conversions/reversals.ts";
import type { PosLineItem, PosRetailSale, PosSale } from "../posRecords.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Order, OrderItem } from "./answers.ts";

/** Cents by which rounding may part two sums. */
const tolerance = 2;

const undoing = /cancel|void/i;

/** What undoes a sale that was stored before, and is none otherwise: no words of the status are promised. */
export const isUndone = ({ complete, status }: Order) => complete === false || undoing.test(status ?? "");

/** An order that is complete is a sale. Whether it is cannot be left open. */
export function saleRecords(row: Order): Made<PosSale> {
  if (row.complete === null) return { field: "complete", reason: "unknown_status" };
  if (row.date_created === null) return { field: "date_created", reason: "no_instant" };
  const status = row.status ?? "";
  // Which part of it, is not told.
  if (/partial/i.test(status) && undoing.test(status)) return { field: "status", reason: "unclear_void" };
  const sale = saleOf(row, row.date_created);
  if (isUndone(row)) return [voided(sale)];
  if ((sale.total_paid ?? 0) < 0) return [returned(sale)];
  // Its total may be that of the sale, or of what came back.
  return /return|refund/i.test(status) ? { field: "status", reason: "unclear_return" } : [sale];
}

/**
 * A sale of which no more is known than its total: which fields hold the tax, the discounts and the payments is not, so
 * that nothing is said of them.
 */
function saleOf(row: Order, date: string): PosRetailSale {
  const total = cents(row.total);
  const isPaid = row.paid_in_full !== false && total !== null && total !== 0;
  const customer = row.id_customer !== null && Number(row.id_customer) <= 0 ? null : row.id_customer;
  return {
    type: "retail",
    pos_sale_id: row.id_order,
    completed_by_replicated: true,
    subtotal: null,
    total_discounts: null,
    tax_paid: null,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: null,
    line_items: row.items.map(lineItem(isByUnit(row))),
    discounts: [],
    taxes: [],
    payments: isPaid ? [{ type: "unknown", amount_paid: total }] : [],
    fees: [],
    customer: { pos_customer_id: customer, type: null, dob: null, id_type: null, id_expiration_date: null },
  };
}

/**
 * Whether the price of each row is surely that of one unit: nothing tells whether it is that of them all, but by units the
 * rows come to the order's total. Taxes and discounts hide it.
 */
function isByUnit({ items, total }: Order): boolean {
  if (items.every(({ quantity }) => quantity === 1)) return true;
  const gross = sum(items.map(({ quantity, price }) => (quantity ?? Number.NaN) * (cents(price) ?? Number.NaN)));
  const isIt = Math.abs(gross - (cents(total) ?? Number.NaN)) <= tolerance + items.length / 2;
  observeGuess("price of an order's row", isIt ? "of a unit" : "not told");
  return isIt;
}

const lineItem =
  (isByUnit: boolean) =>
  ({ id_item, item, quantity, price }: OrderItem): PosLineItem => ({
    pos_product_id: id_item,
    product_name: item,
    num_units: quantity,
    price_per_unit: isByUnit || quantity === 1 ? finelyInCents(price) : null,
    grams: null,
    product_type: null,
    cannabis_product: null,
    line_item_discounts: [],
    line_item_taxes: [],
    line_item_fees: [],
  });
