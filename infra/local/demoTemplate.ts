import type { OnboardingTemplate } from "../../shared/api/schemas/onboardingTemplate.ts";

/** The demo bank's template: the documents that every bank requires, and questions with display rules. */
export const demoTemplate: OnboardingTemplate = {
  template_id: "0d4b7a52-6c1e-4f0b-9a53-2f1f6f0c7e11",
  date_created: "2025-09-15T16:20:00.000Z",
  date_updated: "2026-02-02T18:45:12.000Z",
  created_by: "dana.whitfield",
  updated_by: "dana.whitfield",
  published_date: "2026-02-02T18:45:12.000Z",
  published_by: "dana.whitfield",
  version: "4",
  name: "Cannabis account opening",
  description: "For retail and wholesale businesses with a license in good standing.",
  custom_field_sections: [
    {
      section_id: "business",
      label: "Your business",
      description: "So that we know what to expect on your account.",
      order: 1,
      fields: [
        {
          id: "welcome",
          label: "Before you begin",
          type: "displayContent",
          paragraph: "Have your license, your last two tax returns and your cash procedures at hand.",
        },
        { id: "products", label: "What do you sell?", type: "textMultiLine", required: true },
        { id: "opened", label: "When did you first open?", type: "date", required: true },
        { id: "monthly-cash", label: "How much cash do you take in a month?", type: "textSingleLine", required: true },
      ],
    },
    {
      section_id: "cash",
      label: "Cash handling",
      order: 2,
      smart_rule: { action: "Hide", conditions: [{ operator: "Is Empty", targetFieldId: "monthly-cash" }] },
      fields: [
        {
          id: "armored-car",
          label: "Do you use an armored car service?",
          type: "radio",
          required: true,
          helpText: "Yes or No",
        },
        {
          id: "armored-car-company",
          label: "Which company?",
          type: "textSingleLine",
          required: true,
          smart_rule: {
            action: "Show",
            conditions: [{ operator: "Is Equal To", targetFieldId: "armored-car", targetValue: "Yes" }],
          },
        },
        {
          id: "cash-plan",
          label: "How will cash get to the bank?",
          type: "textMultiLine",
          required: true,
          smart_rule: {
            action: "Show",
            conditions: [{ operator: "Is Not Equal To", targetFieldId: "armored-car", targetValue: "Yes" }],
          },
        },
        { id: "vault-photo", label: "A picture of your vault", type: "file" },
      ],
    },
  ],
  document_requirements: [
    {
      requirement_id: "b0a71c3e-5d92-4e08-9b46-2c7f81d05e61",
      name: "State cannabis license",
      description: "One document for each license that you hold.",
      ...{ category: "license", type: "business_license", required: true },
    },
    {
      requirement_id: "b1b82d4f-6ea3-4f19-8c57-3d80920e6f72",
      name: "Key employee licenses",
      description: "Licenses or badges of everyone who manages the business.",
      ...{ category: "license", type: "employee_license", required: false },
    },
    {
      requirement_id: "b2c93e50-7fb4-402a-9d68-4e91a31f7083",
      name: "Employer identification number",
      description: "Letter of the Internal Revenue Service that assigns the number (CP 575 or 147C).",
      ...{ category: "legal", type: "svc_standard", required: true },
    },
    {
      requirement_id: "b3da4f61-80c5-413b-8e79-5fa2b4208194",
      name: "Articles of organization or incorporation",
      description: "As filed with the secretary of state, with all amendments.",
      ...{ category: "legal", type: "svc_standard", required: true },
    },
    {
      requirement_id: "b4eb5072-91d6-424c-9f8a-60b3c53192a5",
      name: "Proof of insurance",
      description: "Certificate of general liability and property insurance.",
      ...{ category: "insurance", type: "svc_standard", required: true },
    },
    {
      requirement_id: "b5fc6183-a2e7-435d-a09b-71c4d642a3b6",
      name: "Cash handling procedures",
      description: "How cash is counted, stored and moved, and by whom.",
      ...{ category: "operational", type: "bank_custom", required: true },
    },
    {
      requirement_id: "b60d7294-b3f8-446e-81ac-82d5e753b4c7",
      name: "Paper signature card",
      description: "Required until 2025.",
      ...{ category: "operational", type: "bank_custom", required: false, archived: true },
    },
  ],
};
