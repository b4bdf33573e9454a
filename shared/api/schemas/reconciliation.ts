import * as z from "zod";
import { reconciliationStatuses, unclearPaymentTypes } from "../enumerations.ts";
import { bankDay } from "./deposit.ts";
import { cents, count, date } from "./scalars.ts";

const maxCents = 2 ** 31 - 1;
const neverCash = z
  .array(z.enum(unclearPaymentTypes))
  .describe("Unclear means of payment that are certainly no cash at this business");
const tolerance = "Greatest difference in cents that is still `within`, if it is above `tolerance_percent`";
const percent = "The same in percent of the upper value of the cash sales since the count; the greater one holds";
const maxDays = "Days that cash may stay at the business before it is `cash_outstanding`";

/** Fields that are not sent stay as they are. */
export const reconciliationSettingsRequest = z
  .strictObject({
    since: bankDay.nullable().exactOptional().describe("First day to compare; null for the first complete sales day"),
    never_cash: neverCash
      .refine((types) => new Set(types).size === types.length, { error: "must name each means once" })
      .exactOptional(),
    tolerance_amount: z.int().min(0).max(maxCents).exactOptional().describe(tolerance),
    tolerance_percent: z.int().min(0).max(100).exactOptional().describe(percent),
    max_days_without_deposit: z.int().min(1).max(365).exactOptional().describe(maxDays),
  })
  .meta({ id: "ReconciliationSettingsRequest", description: "Settings of the reconciliation to change" });

export const reconciliationSettings = z
  .strictObject({
    since: date.nullable().describe("First day to compare; null for the first complete sales day"),
    never_cash: neverCash,
    tolerance_amount: cents.describe(tolerance),
    tolerance_percent: count.describe(percent),
    max_days_without_deposit: count.describe(maxDays),
  })
  .meta({ id: "ReconciliationSettings", description: "How the deposits of a CRB are compared with its sales" });

export type ReconciliationSettings = z.output<typeof reconciliationSettings>;

const sold = "Cents paid in cash on sales of the day, net of returns";

export const reconciliationDay = z
  .strictObject({
    date: date.describe("Business day"),
    cash_sales_low: cents.describe(`${sold}: the least, if no unclear payment was cash`),
    cash_sales_high: cents.describe(`${sold}: the most, if every unclear payment was cash`),
    card_sales: cents.describe("Cents paid by `debit` and `credit`"),
    cash_deposited: cents.describe("Cents of the `cash` deposits that count on the day"),
    card_settled: cents.describe("Cents of the `card` deposits that count on the day"),
    balance_low: cents
      .nullable()
      .describe(
        "Cents of cash that should be at the business at the end of the day: the least; null before a count, and while a paid amount since then is unknown",
      ),
    balance_high: cents.nullable().describe("The most; null like `balance_low`"),
    counted: date.nullable().describe("Day of the cash count that the balance starts from; null like `balance_low`"),
    count_difference: cents
      .nullable()
      .describe(
        "Cents that the cash count of the day is outside what could be there: below 0 cash is missing, above 0 there is too much; null without a count, and if nothing was known before it",
      ),
    days_since_deposit: count
      .nullable()
      .describe("Days since the last day with a deposit of cash; null if there is none"),
    complete: z.boolean().describe("Whether the sales day is complete"),
    revision: count.describe("Number of changes of the day's own sales, deposits or count; it never falls"),
    status: z.enum(reconciliationStatuses).describe("What the comparison says"),
  })
  .meta({ id: "ReconciliationDay", description: "The cash that a CRB sold and deposited on a business day" });

export type ReconciliationDay = z.output<typeof reconciliationDay>;
