import * as z from "zod";
import { crbStatus } from "./codes.ts";
import { requirement } from "./requirement.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A CRB's answers to its onboarding template (docs/spec.md#templates-and-answers). */
export const crbTemplate = z
  .strictObject({
    id: uuid.describe("The CRB's `template_result_id`"),
    org_id: uuid.describe("The CRB"),
    template_id: uuid.describe("The template"),
    template_version: z.string().describe("Version answered"),
    name: z.string().describe("Name of the template"),
    description: z.string().optional().describe("Description of the template"),
    last_updated: dateTime.describe("Last change"),
    start_date: dateTime.optional().describe("First answer or document"),
    submitted_date: dateTime.optional().describe("Entered an `…_awaiting_review` status"),
    submitted_by: uuid.optional().describe("Who submitted"),
    status: crbStatus.describe("The CRB's `status`"),
    reviewed_by: uuid.optional().describe("Who reviewed"),
    review_date: dateTime.optional().describe("Review finished"),
    review_start_date: dateTime.nullable().describe("Entered `bank_review_in_progress`"),
    disconnected_on: dateTime.nullable().describe("Entered `bank_disconnected`"),
    standard_requirements: z.array(requirement).describe("Document requirements with their documents"),
    custom_requirements: z
      .array(
        z.strictObject({
          id: z.string().describe("Id of the question"),
          label: z.string().describe("Question"),
          value: z.string().nullable().describe("Answer"),
          doc_metadata: z
            .array(
              z.strictObject({
                id: z.string().describe("Id of the file"),
                file_name: z.string().nullable().describe("File name as uploaded"),
                upload_date: z.string().nullable().describe("Time of upload"),
              }),
            )
            .optional()
            .describe("Uploaded files"),
        }),
      )
      .describe("Answers to the free questions"),
  })
  .meta({ id: "CrbTemplate", description: "A CRB's answers to its onboarding template" });

export type CrbTemplate = z.output<typeof crbTemplate>;
