import { cents } from "../conversions/cents.ts";
import { instantOrDay } from "../conversions/instants.ts";
import { returned, voided } from "../conversions/reversals.ts";
import { emptySaleLine, type PosLineItem, type PosSale, type PosWholesaleSale } from "../posRecords.ts";
import { companyOfSale } from "../reading/companyRecord.ts";
import { observeGuess } from "../reading/observed.ts";
import type { Made } from "../reading/recordsOf.ts";
import type { Adjustment, Invoice, Line } from "./answers.ts";

/** Intacct gives `No Value` to what is posted and comes to 0. */
const postedStates = new Set(["posted", "paid", "partially paid", "no value"]);
const undoneStates = new Set(["reversed", "voided"]);
/** Of a document that is not posted yet, or never will be; and of one that reverses another, whose own state says so. */
const unpostedStates = new Set([
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

/** Whether a document matters only where it is stored as a sale, which it undoes. */
export const isUndone = (row: Adjustment) => isIn(undoneStates, row);

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
  if (isIn(unpostedStates, row)) return [];
  if (!isIn(postedStates, row) && !isUndone(row)) return { field: "STATE", reason: "unknown_status" };
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

/** Intacct states the amount of a line, but no number of units: the price of one is unknown. */
function lineItem({ ITEMID, ITEMNAME }: Line): PosLineItem {
  return { ...emptySaleLine, pos_product_id: ITEMID, product_name: ITEMNAME };
}
