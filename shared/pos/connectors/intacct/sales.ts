import { companyOfSale } from "../../framework/companyRecord.ts";
import { dollarsToCents } from "../../framework/conversions/cents.ts";
import { instantOrDay } from "../../framework/conversions/instants.ts";
import { returned, voided } from "../../framework/conversions/reversals.ts";
import { statusFinder } from "../../framework/conversions/statuses.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import { emptySale, type PosSale, type PosWholesaleSale } from "../../posRecords.ts";
import { contentsOf, type InvoiceContents, noContents } from "./invoiceContents.ts";
import type { Adjustment, Invoice } from "./responses.ts";

/**
 * The kind of a document by its state. A document with state `No Value` is posted and has a total of 0. A document with
 * state `Reversal` is not a sale: it reverses another document, whose own state is `Reversed`.
 */
const stateOf = statusFinder({
  posted: "Posted, Paid, Partially Paid, No Value",
  unposted:
    "Analyzing, Draft, Pending, Pending Approval, Submitted, Partially Approved, Unapproved, Declined, Rejected, Reversal",
  undone: "Reversed, Voided",
});

/** Whether a document is reversed or voided. Such a document only voids its stored sale. */
export const isUndone = ({ STATE }: Adjustment) => stateOf(STATE) === "undone";

/** @param timezone of the business, used for a date without a time */
export function invoiceRecords(row: Invoice, timezone: string): RecordsOrRejection<PosSale> {
  return recordsOf(row, row.RECORDNO, contentsOf(row), timezone);
}

/** A credit memo is a return, a debit memo an adjustment. */
export function adjustmentRecords(row: Adjustment, timezone: string): RecordsOrRejection<PosSale> {
  const made = recordsOf(row, `adjustment-${row.RECORDNO}`, noContents, timezone);
  if ("reason" in made || isUndone(row)) return made;
  return made.map((sale) => {
    const { total_paid } = sale;
    if (total_paid === null || total_paid >= 0) return { ...sale, transaction_type: "adjustment" };
    return returned({ ...sale, payments: [{ type: "other", amount_paid: total_paid }] });
  });
}

function recordsOf(
  row: Adjustment,
  id: string,
  contents: InvoiceContents,
  timezone: string,
): RecordsOrRejection<PosWholesaleSale> {
  const state = stateOf(row.STATE);
  if (state === null) return { field: "STATE", reason: "unknown_status" };
  if (state === "unposted") return [];
  if (!isInDollars(row)) {
    observeGuess("currency of a sale", "not dollars, left out");
    return [];
  }
  const date = instantOrDay(row.WHENCREATED, timezone);
  if (date === null) return { field: "WHENCREATED", reason: "no_instant" };
  const sale = saleOf(row, id, contents, date);
  return [isUndone(row) ? voided(sale) : sale];
}

/** Whether the currencies of the document and of the books, in which totals are stated, are dollars or missing. */
function isInDollars({ CURRENCY, BASECURR }: Adjustment): boolean {
  return [CURRENCY, BASECURR].every((currency) => (currency ?? "USD").toUpperCase() === "USD");
}

function saleOf(row: Adjustment, pos_sale_id: string, contents: InvoiceContents, date: string): PosWholesaleSale {
  const [total, paid] = [dollarsToCents(row.TOTALENTERED), dollarsToCents(row.TOTALPAID) ?? 0];
  return {
    ...emptySale,
    type: "wholesale",
    pos_sale_id,
    ...contents,
    total_paid: total,
    date,
    payments: paid === 0 ? [] : [{ type: "unknown", amount_paid: paid }],
    customer: companyOfSale(row.CUSTOMERID),
    invoice: {
      id: row.RECORDID,
      pos_customer_id: row.CUSTOMERID,
      memo: row.DESCRIPTION,
      open_balance: dollarsToCents(row.TOTALDUE),
      total,
    },
  };
}
