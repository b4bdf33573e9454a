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
    action: z.enum(smartRuleActions).describe("What to do"),
    conditions: z
      .array(
        z.strictObject({
          operator: z.enum(smartRuleOperators).describe("How to compare"),
          targetFieldId: z.string().describe("The question whose answer decides"),
          targetValue: z.string().optional().describe("What to compare with"),
        }),
      )
      .describe("All must hold"),
  })
  .meta({ id: "SmartRule", description: "When to show or hide" });

const customField = z.strictObject({
  id: z.string().describe("Id of the question"),
  label: z.string().describe("Question"),
  type: z.enum(customFieldTypes).describe("Kind of input"),
  required: z.boolean().optional().describe("Whether an answer is needed"),
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
  description: z.string().describe("What is asked for"),
  category: z.enum(requirementCategories).describe("Subject"),
  type: z.enum(requirementTypes).describe("Where the requirement comes from"),
  required: z.boolean().describe("Whether it must be met"),
  archived: z.boolean().optional().describe("Whether it is no longer asked for"),
  attachments: attachments.optional(),
});

/** The requirements of a service provider for its new CRBs (docs/spec.md#templates-and-answers). */
export const onboardingTemplate = z
  .strictObject({
    template_id: uuid.describe("The template"),
    date_created: dateTime.describe("Time of creation"),
    date_updated: dateTime.describe("Last change"),
    created_by: z.string().describe("Author"),
    updated_by: z.string().describe("Last editor"),
    published_date: dateTime.optional().describe("When it was published"),
    published_by: z.string().optional().describe("By whom it was published"),
    version: z.string().describe("Current version; `draft` while changes are unpublished"),
    name: z.string().describe("Internal name"),
    description: z.string().describe("Internal description"),
    custom_field_sections: z.array(customFieldSection).describe("Groups of free questions"),
    document_requirements: z.array(documentRequirement).describe("Documents asked for"),
  })
  .meta({ id: "OnboardingTemplate", description: "What a service provider asks of the CRBs that it takes on" });

export type OnboardingTemplate = z.output<typeof onboardingTemplate>;
