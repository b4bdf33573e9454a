import * as z from "zod";
import {
  customFieldTypes,
  requirementCategories,
  requirementTypes,
  smartRuleActions,
  smartRuleOperators,
} from "../enumerations.ts";
import { dateTime, uuid } from "./scalars.ts";

const attachments = z.array(z.strictObject({ id: z.string(), file_name: z.string() }));

const smartRule = z
  .strictObject({
    action: z.enum(smartRuleActions),
    conditions: z
      .array(
        z.strictObject({
          operator: z.enum(smartRuleOperators),
          targetFieldId: z.string(),
          targetValue: z.string().optional(),
        }),
      )
      .describe("All must hold"),
  })
  .describe("When to show or hide");

const customField = z.strictObject({
  id: z.string(),
  label: z.string().describe("Question"),
  type: z.enum(customFieldTypes),
  required: z.boolean().optional(),
  helpText: z.string().optional(),
  paragraph: z.string().optional().describe("Text of `displayContent`"),
  smart_rule: smartRule.optional(),
  attachments: attachments.optional(),
});

const customFieldSection = z.strictObject({
  section_id: z.string(),
  label: z.string().describe("Heading"),
  description: z.string().optional(),
  order: z.number().describe("Position"),
  smart_rule: smartRule.optional(),
  fields: z.array(customField),
});

const documentRequirement = z.strictObject({
  requirement_id: uuid,
  name: z.string(),
  description: z.string(),
  category: z.enum(requirementCategories),
  type: z.enum(requirementTypes),
  required: z.boolean().describe("Must be met"),
  archived: z.boolean().optional().describe("No longer asked for"),
  attachments: attachments.optional(),
});

/** What a service provider asks of the CRBs that it takes on (contract 9.17). */
export const onboardingTemplate = z
  .strictObject({
    template_id: uuid,
    date_created: dateTime,
    date_updated: dateTime,
    created_by: z.string(),
    updated_by: z.string(),
    published_date: dateTime.optional(),
    published_by: z.string().optional(),
    version: z.string().describe("Current version; `draft` while changes are unpublished"),
    name: z.string(),
    description: z.string(),
    custom_field_sections: z.array(customFieldSection).describe("Groups of free questions"),
    document_requirements: z.array(documentRequirement).describe("Documents asked for"),
  })
  .meta({ id: "OnboardingTemplate" });

export type OnboardingTemplate = z.output<typeof onboardingTemplate>;
