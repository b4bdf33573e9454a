import * as z from "zod";
import { crbStatuses } from "../enumerations.ts";
import { requirement } from "./requirement.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A CRB's answers to its onboarding template (contract 9.18). */
export const crbTemplate = z
  .strictObject({
    id: uuid.describe("The CRB's `template_result_id`"),
    org_id: uuid.describe("The CRB"),
    template_id: uuid,
    template_version: z.string().describe("Version answered"),
    name: z.string(),
    description: z.string().optional(),
    last_updated: dateTime,
    start_date: dateTime.optional().describe("First answer or document"),
    submitted_date: dateTime.optional().describe("Entered an `…_awaiting_review` status"),
    submitted_by: uuid.optional(),
    status: z.enum(crbStatuses).describe("The CRB's status"),
    reviewed_by: uuid.optional(),
    review_date: dateTime.optional().describe("Review finished"),
    review_start_date: dateTime.nullable().describe("Entered `bank_review_in_progress`"),
    disconnected_on: dateTime.nullable(),
    standard_requirements: z.array(requirement).describe("Document requirements with their documents"),
    custom_requirements: z
      .array(
        z.strictObject({
          id: z.string(),
          label: z.string().describe("Question"),
          value: z.string().nullable().describe("Answer"),
          doc_metadata: z
            .array(
              z.strictObject({
                id: z.string(),
                file_name: z.string().nullable(),
                upload_date: z.string().nullable(),
              }),
            )
            .optional()
            .describe("Uploaded files"),
        }),
      )
      .describe("Answers to the free questions"),
  })
  .meta({ id: "CrbTemplate" });

export type CrbTemplate = z.output<typeof crbTemplate>;
