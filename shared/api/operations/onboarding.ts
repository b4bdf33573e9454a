import { defineOperation, E4, readsAsProvider } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { crbTemplate } from "../schemas/crbTemplate.ts";
import { listOf } from "../schemas/list.ts";
import { onboardingTemplate } from "../schemas/onboardingTemplate.ts";
import { exampleRequirement } from "./exampleRequirement.ts";
import { exampleIds, exampleList } from "./examples.ts";

export const listOnboardingTemplates = defineOperation({
  handler: "onboarding/listOnboardingTemplates",
  routes: [
    {
      operationId: "listOnboardingTemplates",
      path: "/service-providers/{sp_id}/onboarding-templates",
      ...readsAsProvider,
    },
  ],
  tag: "Service Provider",
  summary: "List the onboarding templates",
  description:
    "Lists the service provider's own templates and the service's standard template, the one that changed last first.",
  query: pagedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: {
    schema: listOf(onboardingTemplate),
    description: "A page of templates",
    example: exampleList({
      template_id: exampleIds.template,
      date_created: "2025-11-03T15:40:00.000Z",
      date_updated: "2026-01-20T17:12:30.000Z",
      created_by: "dana.whitfield",
      updated_by: "dana.whitfield",
      published_date: "2026-01-20T17:12:30.000Z",
      published_by: "dana.whitfield",
      version: "3",
      name: "Dispensary onboarding",
      description: "For licensed retail businesses.",
      custom_field_sections: [
        {
          section_id: "cash",
          label: "Cash",
          order: 1,
          fields: [
            { id: "armored-car", label: "Do you use an armored car service?", type: "radio", required: true },
            {
              id: "armored-car-company",
              label: "Which one?",
              type: "textSingleLine",
              smart_rule: {
                action: "Show",
                conditions: [{ operator: "Is Equal To", targetFieldId: "armored-car", targetValue: "Yes" }],
              },
            },
          ],
        },
      ],
      document_requirements: [
        {
          requirement_id: exampleIds.requirement,
          name: exampleRequirement.name,
          description: exampleRequirement.description,
          category: exampleRequirement.category,
          type: "business_license",
          required: true,
        },
      ],
    }),
  },
  errors: E4,
  permissionSets: ["templates:list"],
});

export const getCrbOnboardingTemplate = defineOperation({
  handler: "onboarding/getCrbOnboardingTemplate",
  routes: [
    {
      operationId: "getCrbOnboardingTemplate",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template",
      ...readsAsProvider,
    },
  ],
  tag: "CRB Templates",
  summary: "Read a CRB's answers to its onboarding template",
  description:
    "Returns the required documents, the added documents with their review status, and the CRB's answers to the other questions.",
  query: noQuery,
  success: {
    schema: crbTemplate,
    description: "The answers, with the documents of each requirement",
    example: {
      id: exampleIds.templateResult,
      org_id: exampleIds.crb,
      template_id: exampleIds.template,
      template_version: "3",
      name: "Dispensary onboarding",
      description: "For licensed retail businesses.",
      last_updated: "2026-02-12T16:05:09.000Z",
      start_date: "2026-02-12T16:05:09.000Z",
      submitted_date: "2026-02-12T16:05:09.000Z",
      submitted_by: "e857f54f-cc4c-4981-9e78-71a37cdd607d",
      submitted_by_person: null,
      status: "bank_awaiting_review",
      review_start_date: null,
      disconnected_on: null,
      standard_requirements: [exampleRequirement],
      custom_requirements: [{ id: "armored-car", label: "Do you use an armored car service?", value: "Yes" }],
    },
  },
  errors: E4,
  permissionSets: ["onboarding:read"],
});
