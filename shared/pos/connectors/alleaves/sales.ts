import { isSameSum, sum } from "../../../money/sums.ts";
import { dollarsToCents, dollarsToFineCents } from "../../framework/conversions/cents.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptySaleCustomer,
  emptySaleLine,
  type PosLineItem,
  type PosRetailSale,
  type PosSale,
} from "../../posRecords.ts";
import type { Order, OrderItem } from "./responses.ts";

const undoing = /cancel|void/i;
const returning = /return|refund/i;
const completeStatuses: ReadonlySet<string> = new Set(["complete", "completed"]);
/** Statuses of orders that are not yet sales. */
const openStatuses: ReadonlySet<string> = new Set(["open", "pending", "confirmed", "ready"]);

/** Whether an order is incomplete or canceled. Such an order voids its stored sale, and is dropped if no sale is stored. */
export const isUndone = ({ complete, status }: Order) => complete === false || undoing.test(status ?? "");

/** Reads a complete order as a sale. Rejects an order whose status is unknown or contradicts `complete`. */
export function saleRecords(row: Order): RecordsOrRejection<PosSale> {
  if (row.complete === null) return { field: "complete", reason: "unknown_status" };
  if (row.date_created === null) return { field: "date_created", reason: "no_instant" };
  const status = row.status ?? "";
  // The order does not state which part of the sale was undone.
  if (/partial/i.test(status) && undoing.test(status)) return { field: "status", reason: "unclear_void" };
  const known = row.complete ? completeStatuses : openStatuses;
  const isKnown = known.has(status.toLowerCase()) || undoing.test(status) || returning.test(status);
  if (row.status !== null && !isKnown) return { field: "status", reason: "unknown_status" };
  const sale = saleOf(row, row.date_created);
  if (isUndone(row)) return [voided(sale)];
  if ((sale.total_paid ?? 0) < 0) return [returned(sale)];
  // The total may be the amount of the sale or the amount of the returned goods.
  return returning.test(status) ? { field: "status", reason: "unclear_return" } : [sale];
}

/** Sets only the total, because the names of Alleaves's fields for tax, discounts and payments are not known. */
function saleOf(row: Order, date: string): PosRetailSale {
  const total = dollarsToCents(row.total);
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
    customer: { ...emptySaleCustomer, pos_customer_id: customer },
  };
}

/**
 * Whether the prices of an order's lines are certainly prices of one unit. This is certain if every line has one unit,
 * or if the sum of units times price over all lines equals the order's total. Taxes and discounts make this sum differ
 * from the total, so the result is then false.
 */
function isByUnit({ items, total }: Order): boolean {
  if (items.every(({ quantity }) => quantity === 1)) return true;
  const gross = sum(
    items.map(({ quantity, price }) => (quantity ?? Number.NaN) * (dollarsToCents(price) ?? Number.NaN)),
  );
  const isIt = isSameSum(gross, dollarsToCents(total) ?? Number.NaN, items.length);
  observeGuess("price of an order's line", isIt ? "per unit" : "unknown");
  return isIt;
}

const lineItem =
  (isByUnit: boolean) =>
  ({ id_item, item, quantity, price }: OrderItem): PosLineItem => ({
    ...emptySaleLine,
    pos_product_id: id_item,
    product_name: item,
    num_units: quantity,
    price_per_unit: isByUnit || quantity === 1 ? dollarsToFineCents(price) : null,
  });
