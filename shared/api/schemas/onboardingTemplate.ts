import * as z from "zod";
import {
  customFieldTypes,
  requirementCategories,
  requirementTypes,
  smartRuleActions,
  smartRuleOperators,
} from "../enumerations.ts";
import { dateTime, uuid } from "./scalars.ts";

const attachments = z
  .array(z.strictObject({ id: z.string().describe("Id of the file"), file_name: z.string().describe("File name") }))
  .describe("Attached files");

const smartRule = z
  .strictObject({
    action: z.enum(smartRuleActions).describe("Whether to show or to hide"),
    conditions: z
      .array(
        z.strictObject({
          operator: z.enum(smartRuleOperators).describe("The comparison"),
          targetFieldId: z.string().describe("The question whose answer decides"),
          targetValue: z.string().optional().describe("The value to compare with"),
        }),
      )
      .describe("The conditions; all must hold"),
  })
  .meta({ id: "SmartRule", description: "A rule that shows or hides a question or section" });

const customField = z.strictObject({
  id: z.string().describe("Id of the question"),
  label: z.string().describe("Question"),
  type: z.enum(customFieldTypes).describe("Kind of input"),
  required: z.boolean().optional().describe("Whether an answer is required"),
  helpText: z.string().optional().describe("Hint"),
  paragraph: z.string().optional().describe("Text of `displayContent`"),
  smart_rule: smartRule.optional(),
  attachments: attachments.optional(),
});

const customFieldSection = z.strictObject({
  section_id: z.string().describe("Id of the section"),
  label: z.string().describe("Heading"),
  description: z.string().optional().describe("Text below the heading"),
  order: z.number().describe("Position"),
  smart_rule: smartRule.optional(),
  fields: z.array(customField).describe("Questions"),
});

const documentRequirement = z.strictObject({
  requirement_id: uuid.describe("The requirement"),
  name: z.string().describe("Name of the document"),
  description: z.string().describe("Description of the document"),
  category: z.enum(requirementCategories).describe("Subject"),
  type: z.enum(requirementTypes).describe("Origin of the requirement"),
  required: z.boolean().describe("Whether the document is required"),
  archived: z.boolean().optional().describe("Whether the requirement is no longer in use"),
  attachments: attachments.optional(),
});

/** The requirements of a service provider for its new CRBs (docs/spec.md#templates-and-answers). */
export const onboardingTemplate = z
  .strictObject({
    template_id: uuid.describe("The template"),
    date_created: dateTime.describe("Time of creation"),
    date_updated: dateTime.describe("Time of the last change"),
    created_by: z.string().describe("Author"),
    updated_by: z.string().describe("Last editor"),
    published_date: dateTime.optional().describe("When it was published"),
    published_by: z.string().optional().describe("Publisher"),
    version: z.string().describe("Current version; `draft` while changes are unpublished"),
    name: z.string().describe("Internal name"),
    description: z.string().describe("Internal description"),
    custom_field_sections: z.array(customFieldSection).describe("Sections of further questions"),
    document_requirements: z.array(documentRequirement).describe("Required documents"),
  })
  .meta({
    id: "OnboardingTemplate",
    description: "The documents and questions that a service provider requires of a new CRB",
  });

export type OnboardingTemplate = z.output<typeof onboardingTemplate>;
