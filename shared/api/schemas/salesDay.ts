import * as z from "zod";
import { paymentTypes } from "../enumerations.ts";
import { digest } from "./digest.ts";
import { cents, count, date, dateTime, uuid } from "./scalars.ts";

const paymentSum = z
  .strictObject({
    type: z.enum(paymentTypes).describe("Means of payment; `unknown` also holds sales that list no payment"),
    count: count.describe("Number of payments"),
    amount: cents.describe("Cents paid by this means"),
  })
  .meta({ id: "SalesDayPayments", description: "The payments of a sales day by one means of payment" });

const customerSum = z
  .strictObject({
    count: count.describe("Number of records"),
    total_paid: cents.describe("Cents: sum of their `total_paid`"),
  })
  .meta({ id: "SalesDayCustomers", description: "The records of a sales day whose customers have one type" });

const complianceSum = customerSum.meta({
  id: "SalesDayCompliance",
  description: "The retail records of a sales day with one compliance status",
});

/** The totals of one business day (docs/spec.md#sales-days). */
export const salesDay = z
  .strictObject({
    crb_id: uuid.describe("Owning CRB"),
    date: date.describe("Business day: the day of `local_date` of its sales"),
    timezone: z.string().describe("The CRB's time zone"),
    sales: count.describe("Number of records with the transaction type `sale`"),
    returns: count.describe("Number of records with the transaction type `return`"),
    adjustments: count.describe("Number of records with the transaction type `adjustment`"),
    subtotal: cents.describe(
      "Cents: sum of `subtotal`. Amounts of returns are negative, so every sum is net of returns",
    ),
    total_discounts: cents.describe("Cents: sum of `total_discounts`"),
    fees: cents.describe("Cents: sum of all fees of the sales and of their lines"),
    tax_paid: cents.describe("Cents: sum of `tax_paid`"),
    total_paid: cents.describe("Cents: sum of `total_paid`"),
    by_payment: z
      .array(paymentSum)
      .describe("Payments by means of payment, without the means that no payment of the day has"),
    by_customer_type: z
      .strictObject({
        medical: customerSum.describe("Medical customers"),
        rec: customerSum.describe("Adult-use customers"),
        unknown: customerSum.describe("Customers without a known type, and records without a customer"),
      })
      .describe("Records by type of customer"),
    gross_sales: cents.describe("Cents: sum of `total_paid` of all records but returns"),
    by_compliance: z
      .strictObject({
        unchecked: complianceSum.describe("Nothing is claimed"),
        svc_checked: complianceSum.describe("The rules that apply were checked, and none is broken"),
        warning: complianceSum.describe("With a warning, and no exception"),
        red_flag: complianceSum.describe("With an exception"),
      })
      .describe("Retail records by `compliance_status`, no legal advice; wholesale records count in none"),
    rules_version: z
      .string()
      .nullable()
      .describe("Version of the sale rules that checked all sales of the day; null if it is not known"),
    invoiced: cents.describe("Cents: sum of `invoice.total`; 0 for retail"),
    open_balance: cents.describe("Cents: sum of `invoice.open_balance`; 0 for retail"),
    unknown_amounts: count.describe(
      "Number of records that lack an amount. If it is above 0, the sums are lower bounds",
    ),
    unknown_subtotals: count.describe("Number of records that lack `subtotal`"),
    unknown_totals: count.describe("Number of records that lack `total_paid`"),
    unknown_paid_amounts: count.describe(
      "Number of records that lack `total_paid` or, for wholesale, `invoice.open_balance`. If it is above 0, `by_payment` may lack payments",
    ),
    mismatched: count.describe("Number of records whose parts do not add up to their totals"),
    records: count.describe("Number of all records of the day"),
    digest: digest.describe("Digest of the records of the day"),
    data_as_of: dateTime
      .nullable()
      .describe("All sales that the POS had at this time are stored, except rejected ones; null if unknown"),
    complete: z
      .boolean()
      .describe("Whether the day is over and all of its sales in the POS are stored, except rejected ones"),
    completed_date: dateTime.nullable().describe("When the day became complete for the first time; null before"),
    revision: count.describe("Number of stored changes of the day since `completed_date`"),
    svc_updated_date: dateTime.describe("When the totals last changed in the service"),
  })
  .meta({ id: "SalesDay", description: "The totals of a CRB's sales on one business day" });

export type SalesDay = z.output<typeof salesDay>;
