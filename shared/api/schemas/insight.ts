import * as z from "zod";
import { insightCodes, insightUnits, settingLimits } from "../../insights/insightCodes.ts";
import { decidedStatuses, insightStatuses } from "../enumerations.ts";
import { cursorPageOf } from "./cursorPage.ts";
import { digest } from "./digest.ts";
import { person } from "./person.ts";
import { printable } from "./requestFields.ts";
import { count, date, dateTime, openEnum, uuid } from "./scalars.ts";

const noSar =
  "Never write here what a suspicious activity report says, or whether there is one: its confidentiality is required by law";

export const insightCode = openEnum(insightCodes, { id: "InsightCode", description: "What an insight is about" });
const insightStatus = z
  .enum(insightStatuses)
  .meta({
    id: "InsightStatus",
    description: "The state of an insight: `withdrawn` if it does not hold any more, otherwise the last decision",
  });
export const decidedStatus = z.enum(decidedStatuses);

const note = z.string().trim().min(1).max(500);

const decision = z
  .strictObject({
    date: dateTime.describe("When it was made"),
    status: decidedStatus.describe("The status that the decision gave the insight"),
    note: note.describe(`The reason. ${noSar}`),
    decided_by: uuid.describe("`client_id` of the credential"),
    decided_by_person: person.nullable().describe("The person who decided; null for programs"),
    occurrence: count.describe("The occurrence of the insight that was decided"),
  })
  .meta({ id: "InsightDecision", description: "A decision on an insight" });

const latestFigures = z
  .strictObject({
    as_of: date.describe("The last day on which it held; of a code that holds once a month, in that month"),
    measured: z.number().describe("What that day or period has, in `unit`"),
    expected: z.number().nullable().describe("What it is compared with, in `unit`"),
    sentence: z.string().describe("That day in one or two sentences"),
    ended_on: date.nullable().describe("The first day on which it held no more; null if none is known"),
  })
  .meta({ id: "LatestFigures", description: "The newest figures of a state that an insight found at its beginning" });

export const insight = z
  .strictObject({
    id: uuid.describe("Id of the insight, the same for the same code, CRB and period"),
    crb_id: uuid.describe("The CRB"),
    code: insightCode,
    start_date: date.describe("First day of the period"),
    end_date: date.describe("Last day of the period"),
    measured: z.number().describe("What the period has, in `unit`"),
    expected: z
      .number()
      .nullable()
      .describe("What it is compared with, in `unit`; null if that is about other businesses"),
    unit: openEnum(insightUnits, { id: "InsightUnit", description: "What `measured` and `expected` count" }),
    criterion: z.string().describe("When the code holds, with the threshold of that time"),
    sentence: z.string().describe("The insight in one or two sentences, with its figures"),
    latest: latestFigures
      .nullable()
      .describe(
        "The newest figures of a state that lasts, such as cash at the business. `measured` stays that of the first day. Null for other codes",
      ),
    inputs: z
      .strictObject({
        days: z
          .array(
            z
              .strictObject({
                start_date: date.describe("First day"),
                end_date: date.describe("Last day"),
                digest: digest.describe("Digest of the sales of these days, the sum of the days' digests"),
              })
              .meta({ id: "InsightDays", description: "Days that an insight was computed from" }),
          )
          .describe("The days that were compared, with their digests"),
        sale_ids: z.array(uuid).describe("Sales that it is about, at most 20"),
        sales: z
          .array(
            z
              .strictObject({
                id: uuid.describe("The sale"),
                pos_sale_id: z.string().nullable().describe("Its id in the POS, as on the receipt"),
                rules: z
                  .array(
                    z
                      .strictObject({
                        id: z.string().describe("Id, such as `CO.adult.minimum_age`"),
                        name: z.string().describe("Name in words"),
                      })
                      .meta({ id: "InsightRule", description: "A rule that a sale breaks" }),
                  )
                  .describe("Rules that it breaks with an exception, alone or with the other sales"),
              })
              .meta({ id: "InsightSale", description: "A sale of the day `start_date` that an insight is about" }),
          )
          .describe("The sales of `sale_ids`, with their receipts and the rules that they break"),
        license_id: z.string().nullable().describe("The license that it is about"),
        licenses: z
          .array(
            z
              .strictObject({
                id: z.string().describe("The license"),
                number: z.string().nullable().describe("Its number, as in `license_identifier`"),
              })
              .meta({ id: "InsightLicense", description: "A linked license that an insight is about" }),
          )
          .describe("The linked licenses that it is about; of a variance with the state those that are connected"),
      })
      .meta({ id: "InsightInputs", description: "What an insight was computed from" })
      .describe("What it was computed from"),
    status: insightStatus,
    occurrence: count.describe("1, or more if it was withdrawn and holds again"),
    revision: count.describe("Rises with every change. Send it with a decision"),
    raised_date: dateTime.describe("When it was raised, the last time"),
    withdrawn_date: dateTime.nullable().describe("When it was withdrawn, if it is"),
    history: z.array(decision).describe("The decisions, the oldest first, at most 50"),
  })
  .meta({ id: "Insight", description: "Something unusual about a CRB that a person should decide on" });

export type Insight = z.input<typeof insight>;

export const insightPage = cursorPageOf(insight, "by status, then the gravest and the oldest first");

const saleChecks = z
  .strictObject({
    start_date: date.describe("First of 28 days"),
    end_date: date.describe("The newest complete day of the last computation"),
    sales: count.describe("Retail records of the complete days"),
    unchecked: count.describe("Those with the `compliance_status` `unchecked`"),
    reasons: z
      .array(
        z
          .strictObject({
            reason: z
              .string()
              .describe(
                "`no_sale` or `time_missing` for a record that no rule checks; else the `why` of the first rule about age, limits or adult use that was not evaluated, as in `explainCrbSaleChecks`; `no_rule` if none applies",
              ),
            sales: count.describe("Number of retail records"),
          })
          .meta({ id: "UncheckedSales", description: "The unchecked retail records with one reason" }),
      )
      .describe("`unchecked` by reason, the most frequent first"),
  })
  .meta({ id: "SaleCheckCounts", description: "How many sales the rules could check" });

export const crbInsightPage = insightPage
  .extend({
    judged_since: date
      .nullable()
      .describe(
        "The first day that was ever judged; earlier days never raise an insight. Null before the first computation",
      ),
    sale_checks: saleChecks
      .nullable()
      .describe("How many sales of the newest 28 days could not be checked. Null before the first computation"),
  })
  .meta({ id: "CrbInsightPage", description: "A page of the insights of a CRB" });

export const insightDecision = z
  .strictObject({
    status: decidedStatus.describe("The decision"),
    note: printable(500, { hasLines: true }).describe(`The reason. ${noSar}`),
    revision: z.int().min(1).describe("`revision` of the insight that was read"),
  })
  .meta({ id: "InsightDecisionRequest", description: "A decision on an insight" });

const settingsOf = (code: (typeof insightCodes)[number]) => {
  const { threshold, history, isWhole } = settingLimits[code];
  return z
    .strictObject({
      enabled: z.boolean().describe("Whether insights of this code are raised and withdrawn"),
      threshold: threshold
        ? (isWhole ? z.int() : z.number()).min(threshold[0]).max(threshold[1]).describe("The threshold of the code")
        : z
            .number()
            .nullable()
            .refine((value) => value === null, "must be null: the code has no threshold")
            .describe("Always null: the code holds for any such case"),
      minimum_history: z.int().min(history[0]).max(history[1]).describe("How much history the code needs"),
    })
    .describe(`Settings of \`${code}\``);
};

type Code = (typeof insightCodes)[number];
const shape = Object.fromEntries(insightCodes.map((code) => [code, settingsOf(code)])) as Record<
  Code,
  ReturnType<typeof settingsOf>
>;

/** The settings of all codes. */
export const insightSettings = z
  .strictObject(shape)
  .meta({ id: "InsightSettings", description: "For each code whether it is enabled, its threshold and its history" });

/** A code that is not sent gets the default settings. */
export const insightSettingsRequest = z
  .strictObject(shape)
  .partial()
  .meta({ id: "InsightSettingsRequest", description: "Settings by code; a code that is missing gets the default" });
