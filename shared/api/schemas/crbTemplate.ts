import * as z from "zod";
import { crbStatus } from "./codes.ts";
import { person } from "./person.ts";
import { requirement } from "./requirement.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A CRB's answers to its onboarding template (docs/spec.md#templates-and-answers). */
export const crbTemplate = z
  .strictObject({
    id: uuid.describe("The CRB's `template_result_id`"),
    org_id: uuid.describe("The CRB"),
    template_id: uuid.describe("The template"),
    template_version: z.string().describe("The answered version of the template"),
    name: z.string().describe("Name of the template"),
    description: z.string().optional().describe("Description of the template"),
    last_updated: dateTime.describe("Time of the last change"),
    start_date: dateTime.optional().describe("Time of the first answer or document"),
    submitted_date: dateTime.optional().describe("When the status became `…_awaiting_review`"),
    submitted_by: uuid.optional().describe("Id of the submitter"),
    submitted_by_person: person
      .nullable()
      .optional()
      .describe("The person who submitted them; null for programs and invited users"),
    status: crbStatus.describe("The CRB's `status`"),
    reviewed_by: uuid.optional().describe("Id of the reviewer"),
    reviewed_by_person: person.nullable().optional().describe("The person who finished the review; null for programs"),
    review_date: dateTime.optional().describe("When the review finished"),
    review_start_date: dateTime.nullable().describe("When the status became `bank_review_in_progress`"),
    disconnected_on: dateTime.nullable().describe("When the status became `bank_disconnected`"),
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
      .describe("Answers to the other questions of the template"),
  })
  .meta({ id: "CrbTemplate", description: "A CRB's answers to its onboarding template" });

export type CrbTemplate = z.output<typeof crbTemplate>;
