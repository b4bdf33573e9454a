import * as z from "zod";
import { matterCodes } from "../../insights/insightCodes.ts";
import {
  crbStatuses,
  linkedLicenseStatuses,
  reconciliationStatuses,
  replicationStates,
  states,
} from "../enumerations.ts";
import { cents, count, date, dateTime, openEnum, uuid } from "./scalars.ts";

const overviewDay = z
  .strictObject({
    date: date.describe("Business day in the CRB's time zone"),
    total_paid: cents.describe("Cents: sum of `total_paid`, net of returns"),
    cash_sales_low: cents.describe("Cents paid in cash, net of returns: the least, if no unclear payment was cash"),
    cash_sales_high: cents.describe("The most, if every unclear payment was cash"),
    unknown_totals: count.describe(
      "Number of records that lack `total_paid`. If it is above 0, the sum is a lower bound",
    ),
    unknown_paid_amounts: count.describe(
      "Number of records whose payments may be missing. If it is above 0, the most is not known, and the least is a lower bound",
    ),
    complete: z.boolean().describe("Whether the sales day is complete"),
  })
  .meta({ id: "OverviewDay", description: "A sales day in the overview" });

const matter = z
  .strictObject({
    code: openEnum(matterCodes, {
      id: "MatterCode",
      description: "What matters: the code of open insights, documents that wait, a license's or the data's state",
    }),
    since: z.string().describe("Since when, a day or an instant: of the oldest one, if there are several"),
    count: count.describe("How many there are"),
    id: z
      .string()
      .nullable()
      .describe(
        "The insight, the document or the license to open, the oldest one; null if the matter is the data's state",
      ),
  })
  .meta({ id: "Matter", description: "Something about a CRB that needs a decision or attention" });

/** A CRB in the overview of its service provider (docs/spec.md#overview). */
export const crbOverview = z
  .strictObject({
    crb_id: uuid.describe("The CRB"),
    name: z.string().describe("Its name"),
    dba: z.string().nullable().describe("The name under which it does business"),
    state: z.enum(states).describe("Its US state"),
    status: z.enum(crbStatuses).describe("Its status"),
    as_of: dateTime
      .nullable()
      .describe(
        "The figures below were right at this time. Insights and documents are as of the request. Null before the first computation, some minutes after the creation; then `data`, `flagged_sales` and `license` are null",
      ),
    data: z
      .strictObject({
        state: z.enum(replicationStates).describe("The gravest state of the replications of its kinds of records"),
        data_as_of: dateTime.nullable().describe("All sales that the POS had at this time are stored; null if unknown"),
      })
      .nullable()
      .describe("How fresh its records are"),
    sales_days: z
      .array(overviewDay)
      .describe("The newest seven sales days of the last 30 days, newest first; fewer if there are fewer"),
    flagged_sales: z
      .strictObject({
        red_flag: count.describe("Sales with an exception"),
        warning: count.describe("Sales with warnings and no exception"),
        svc_checked: count.describe("Sales that were checked, and break no rule"),
        unchecked: count.describe("Retail records that could not be checked. `listCrbInsights` has the reasons"),
        since: date.describe("First day of the window"),
      })
      .nullable()
      .describe("Sales of the last 30 days that rules flag"),
    license: z
      .strictObject({
        status: z
          .enum(linkedLicenseStatuses)
          .nullable()
          .describe("The gravest status of its linked licenses; null without one"),
        count: count.describe("Number of linked licenses"),
        next_expiry: date.nullable().describe("The earliest expiry that is still to come; null if none is known"),
      })
      .nullable()
      .describe("Its linked licenses"),
    balance: z
      .strictObject({
        date: date.describe("The newest reconciliation day that is compared; the newest one if none is"),
        status: z.enum(reconciliationStatuses).describe("What the comparison says"),
        balance_low: cents
          .nullable()
          .describe("The least cash that should be at the business, in cents; null before a count"),
        balance_high: cents.nullable().describe("The most; null before a count"),
        days_since_deposit: count.nullable().describe("Days since the last deposit of cash; null if there is none"),
      })
      .nullable()
      .describe("Cash sold and deposited; null without deposits, counts and settings"),
    open_insights: count.describe("Number of open insights"),
    documents_to_review: count.describe("Number of documents that wait for review"),
    matters: z.array(matter).describe("What matters, the gravest first"),
  })
  .meta({ id: "CrbOverview", description: "A CRB in the overview" });

export type CrbOverview = z.output<typeof crbOverview>;
export type Matter = CrbOverview["matters"][number];
