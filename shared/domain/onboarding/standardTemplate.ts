import type { OnboardingTemplate } from "../../api/schemas/onboardingTemplate.ts";

/**
 * The documents that banks require of a cannabis business under the FinCEN guidance on marijuana-related businesses
 * (FIN-2014-G001).
 */
export const standardTemplate: OnboardingTemplate = {
  template_id: "7e1d3b90-5a64-4c28-9f07-d6b2a8c41e35",
  date_created: "2026-01-05T09:00:00.000Z",
  date_updated: "2026-01-05T09:00:00.000Z",
  created_by: "service",
  updated_by: "service",
  published_date: "2026-01-05T09:00:00.000Z",
  published_by: "service",
  version: "1",
  name: "Standard due diligence",
  description: "Documents that a bank needs to take on a cannabis business.",
  custom_field_sections: [],
  document_requirements: [
    {
      requirement_id: "1a6f0c52-83d7-4e19-b5c4-90e27d3fa681",
      name: "State cannabis business license",
      description: "Current license of the state's cannabis authority, one document for each license held.",
      ...{ category: "license", type: "business_license", required: true },
    },
    {
      requirement_id: "2b7e1d63-94c8-4f2a-86d5-a1f38e4ab792",
      name: "Local business license",
      description: "License or permit of the city or county for each place of business, where one is needed.",
      ...{ category: "license", type: "svc_standard", required: false },
    },
    {
      requirement_id: "3c8d2e74-a5b9-403b-97e6-b2a49f5bc8a3",
      name: "Employer identification number",
      description: "Letter of the Internal Revenue Service that assigns the number (CP 575 or 147C).",
      ...{ category: "legal", type: "svc_standard", required: true },
    },
    {
      requirement_id: "4d9c3f85-b6aa-414c-a8f7-c3b5a06cd9b4",
      name: "Articles of organization or incorporation",
      description: "As filed with the secretary of state, with all amendments.",
      ...{ category: "legal", type: "svc_standard", required: true },
    },
    {
      requirement_id: "5eab4096-c79b-425d-b908-d4c6b17deac5",
      name: "Operating agreement or bylaws",
      description: "Signed by all members or adopted by the board.",
      ...{ category: "legal", type: "svc_standard", required: true },
    },
    {
      requirement_id: "6fba51a7-d88c-436e-8a19-e5d7c28efbd6",
      name: "Ownership and control",
      description:
        "Everyone who owns 25 % or more, and one person who controls the business (31 CFR 1010.230), with a copy of an identification of each.",
      ...{ category: "legal", type: "svc_standard", required: true },
    },
    {
      requirement_id: "70c962b8-e97d-447f-9b2a-f6e8d39f0ce7",
      name: "Proof of insurance",
      description: "Certificate of general liability and property insurance, with the present policy period.",
      ...{ category: "insurance", type: "svc_standard", required: true },
    },
    {
      requirement_id: "81d873c9-fa6e-4580-ac3b-07f9e4a01df8",
      name: "Financial statements",
      description: "Balance sheet, profit and loss, and cash flow of the last two years and of this year to date.",
      ...{ category: "financial", type: "svc_standard", required: true },
    },
    {
      requirement_id: "92e784da-0b5f-4691-bd4c-18a0f5b12e09",
      name: "Tax returns",
      description: "Federal and state returns of the last two years.",
      ...{ category: "financial", type: "svc_standard", required: false },
    },
    {
      requirement_id: "a3f695eb-1c40-47a2-8e5d-29b106c23f1a",
      name: "Standard operating procedures",
      description: "Handling of cash, inventory control, security and diversion prevention.",
      ...{ category: "operational", type: "svc_standard", required: true },
    },
  ],
};
