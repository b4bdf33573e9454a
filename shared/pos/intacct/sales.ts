import { cents } from "../conversions/cents.ts";
import { instantOrDay } from "../conversions/instants.ts";
import { returned, voided } from "../conversions/reversals.ts";
import type { PosLineItem, PosSale, PosWholesaleSale } from "../posRecords.ts";
import { companyOfSale } from "../reading/companyRecord.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Adjustment, Invoice, Line } from "./answers.ts";

const posted = new Set(["posted", "paid", "partially paid"]);
const undone = new Set(["reversed", "voided"]);
/** What is not posted yet, or never will be; and what only reverses another one, which says so itself. */
const unposted = new Set([
  "analyzing",
  "draft",
  "pending",
  "pending approval",
  "submitted",
  "partially approved",
  "unapproved",
  "declined",
  "rejected",
  "reversal",
]);

const isIn = (states: ReadonlySet<string>, { STATE }: Adjustment) =>
  states.has(STATE?.toLowerCase().replace(/\s+/g, " ") ?? "");

/** What undoes a sale that was stored before, and is none otherwise. */
export const isUndone = (row: Adjustment) => isIn(undone, row);

/** @param timezone of the business, in which a day alone is meant */
export function invoiceRecords(row: Invoice, timezone: string): Made<PosSale> {
  return recordsOf(row, row.RECORDNO, row.lines.map(lineItem), timezone);
}

/** A credit memo is a return, a debit memo an adjustment. */
export function adjustmentRecords(row: Adjustment, timezone: string): Made<PosSale> {
  const made = recordsOf(row, `adjustment-${row.RECORDNO}`, [], timezone);
  if ("reason" in made || isUndone(row)) return made;
  return made.map((sale) => {
    const { total_paid } = sale;
    if (total_paid === null || total_paid >= 0) return { ...sale, transaction_type: "adjustment" };
    return returned({ ...sale, payments: [{ type: "other", amount_paid: total_paid }] });
  });
}

function recordsOf(row: Adjustment, id: string, line_items: PosLineItem[], timezone: string): Made<PosWholesaleSale> {
  if (isIn(unposted, row)) return [];
  if (!isIn(posted, row) && !isUndone(row)) return { field: "STATE", reason: "unknown_status" };
  if (!isInDollars(row)) {
    observeGuess("currency of a sale", "not dollars, left out");
    return [];
  }
  const date = instantOrDay(row.WHENCREATED, timezone);
  if (date === null) return { field: "WHENCREATED", reason: "no_instant" };
  const sale = saleOf(row, id, line_items, date);
  return [isUndone(row) ? voided(sale) : sale];
}

/** Both the currency of the sale and that of the books, in which the totals are; none told is dollars. */
function isInDollars({ CURRENCY, BASECURR }: Adjustment): boolean {
  return [CURRENCY, BASECURR].every((currency) => (currency ?? "USD").toUpperCase() === "USD");
}

/** Intacct tells no tax apart, so there is no subtotal either. */
function saleOf(row: Adjustment, pos_sale_id: string, line_items: PosLineItem[], date: string): PosWholesaleSale {
  const [total, paid] = [cents(row.TOTALENTERED), cents(row.TOTALPAID) ?? 0];
  return {
    type: "wholesale",
    pos_sale_id,
    completed_by_replicated: true,
    subtotal: null,
    total_discounts: null,
    tax_paid: null,
    total_paid: total,
    date,
    transaction_type: "sale",
    employee_id: null,
    line_items,
    discounts: [],
    taxes: [],
    payments: paid === 0 ? [] : [{ type: "unknown", amount_paid: paid }],
    fees: [],
    customer: companyOfSale(row.CUSTOMERID),
    invoice: {
      id: row.RECORDID,
      pos_customer_id: row.CUSTOMERID,
      memo: row.DESCRIPTION,
      open_balance: cents(row.TOTALDUE),
      total,
    },
  };
}

/** Of a line Intacct tells the amount, but no number of units: its price stays open. */
function lineItem({ ITEMID, ITEMNAME }: Line): PosLineItem {
  return {
    pos_product_id: ITEMID,
    product_name: ITEMNAME,
    num_units: null,
    price_per_unit: null,
    grams: null,
    product_type: null,
    cannabis_product: null,
    line_item_discounts: [],
    line_item_taxes: [],
    line_item_fees: [],
  };
}
