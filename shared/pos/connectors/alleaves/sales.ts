import { isSameSum, sum } from "../../../money/sums.ts";
import type { Rejection } from "../../connector.ts";
import { dollarsToCents, dollarsToFineCents, fine } from "../../framework/conversions/cents.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import {
  emptySale,
  emptySaleCustomer,
  emptySaleLine,
  type PosLineItem,
  type PosRetailSale,
  type PosSale,
} from "../../posRecords.ts";
import type { Order, OrderItem } from "./responses.ts";

const undoing = /cancel|void/i;
const returning = /return|refund/i;
const completeStatuses: ReadonlySet<string> = new Set(["complete", "completed", "delivered"]);
/** Statuses of orders that are not yet sales. */
const openStatuses: ReadonlySet<string> = new Set(["open", "pending", "submitted", "confirmed", "ready"]);

/** Whether an order is marked as void or canceled. Such an order keeps its status. */
const isMarkedUndone = (row: Order) => row.void === true || row.cancel === true;

/**
 * Whether an order is incomplete or canceled. Such an order voids its stored sale, and is dropped if no sale is stored. A
 * complete order that is marked as void was sold, so its void is stored in any case.
 */
export function isUndone(row: Order): boolean {
  if (row.cancel === true || row.complete === false || undoing.test(row.status ?? "")) return true;
  return row.void === true && row.complete !== true;
}

/** Reads a complete order as a sale. Rejects an order whose status is unknown or contradicts `complete`. */
export function saleRecords(row: Order): RecordsOrRejection<PosSale> {
  if (row.date_created === null) return { field: "date_created", reason: "no_instant" };
  const rejection = isMarkedUndone(row) ? null : statusRejection(row);
  if (rejection) return rejection;
  const sale = saleOf(row, row.date_created);
  if (isMarkedUndone(row) || isUndone(row)) return [voided(sale)];
  if ((sale.total_paid ?? 0) < 0) return [returned(sale)];
  // The total may be the amount of the sale or the amount of the returned goods.
  return returning.test(row.status ?? "") ? { field: "status", reason: "unclear_return" } : [sale];
}

/** The reason to reject an order that is not marked as void or canceled; null if its status is clear. */
function statusRejection({ complete, status }: Order): Rejection | null {
  if (complete === null) return { field: "complete", reason: "unknown_status" };
  if (status === null) return null;
  // The order does not state which part of the sale was undone.
  if (/partial/i.test(status) && undoing.test(status)) return { field: "status", reason: "unclear_void" };
  const known = complete ? completeStatuses : openStatuses;
  const isKnown = known.has(status.toLowerCase()) || undoing.test(status) || returning.test(status);
  return isKnown ? null : { field: "status", reason: "unknown_status" };
}

/** Sets only the total, because the names of Alleaves's fields for tax, discounts and payments are not known. */
function saleOf(row: Order, date: string): PosRetailSale {
  const total = dollarsToCents(row.total);
  const isPaid = row.paid_in_full !== false && total !== null && total !== 0;
  const customer = row.id_customer !== null && Number(row.id_customer) <= 0 ? null : row.id_customer;
  return {
    ...emptySale,
    type: "retail",
    pos_sale_id: row.id_order,
    total_paid: total,
    date,
    line_items: linesOf(row),
    payments: isPaid ? [{ type: "unknown", amount_paid: total }] : [],
    customer: { ...emptySaleCustomer, pos_customer_id: customer, type: customerTypeOf(row.use_type) },
  };
}

/** `adult` is in client code; the other values are assumptions. */
const customerTypeOf = statusFinder({ rec: "adult, adult use", medical: "medical, medical use" });

/** The lines of an order: equal rows are added up, because each row is one unit. */
function linesOf(row: Order): PosLineItem[] {
  const isByUnit = pricesAreOfUnits(row);
  const equal = Map.groupBy(row.items, (item) =>
    JSON.stringify([item.id_inventory_item, item.item, priceOf(item), unitsOf(item) === 1]),
  );
  return [...equal.values()].flatMap((items) =>
    items
      .slice(0, 1)
      .map((item) => ({
        ...emptySaleLine,
        pos_product_id: item.id_inventory_item,
        product_name: item.item,
        num_units: fine(sum(items.map(unitsOf))),
        price_per_unit: isByUnit || unitsOf(item) === 1 ? dollarsToFineCents(priceOf(item)) : null,
      })),
  );
}

/** The number of units of a row: one, unless the row states another number. */
const unitsOf = ({ quantity }: OrderItem) => quantity ?? 1;

/** The price of a row before tax. An overridden price may be 0. */
const priceOf = ({ price_override, price }: OrderItem) => price_override ?? price;

/**
 * Whether the prices of an order's rows are certainly prices of one unit. This is certain if every row has one unit,
 * or if the sum of units times price over all rows equals the order's total. Taxes and discounts make this sum differ
 * from the total, so the result is then false.
 */
function pricesAreOfUnits({ items, total }: Order): boolean {
  if (items.every((item) => unitsOf(item) === 1)) return true;
  const gross = sum(items.map((item) => unitsOf(item) * (dollarsToCents(priceOf(item)) ?? Number.NaN)));
  const isIt = isSameSum(gross, dollarsToCents(total) ?? Number.NaN, items.length);
  observeGuess("price of an order's line", isIt ? "per unit" : "unknown");
  return isIt;
}
