import { defineOperation, E4 } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { crbTemplate } from "../schemas/crbTemplate.ts";
import { addDocument, documentAdded, documentStatus, newUpload, upload } from "../schemas/documentRequests.ts";
import { listOf } from "../schemas/list.ts";
import { onboardingTemplate } from "../schemas/onboardingTemplate.ts";
import { requirement } from "../schemas/requirement.ts";
import { exampleIds, exampleList } from "./examples.ts";

const exampleRequirement = {
  requirement_id: exampleIds.requirement,
  name: "State cannabis business licence",
  description: "Current licence of the state's cannabis authority.",
  category: "license",
  required: true,
  archived: false,
  requirement_version: "3",
  status: "pending",
  date_created: "2026-02-11T18:22:40.000Z",
  date_updated: "2026-02-12T16:05:09.000Z",
  documents: [
    {
      id: exampleIds.document,
      status: "pending",
      uploaded_by: "e857f54f-cc4c-4981-9e78-71a37cdd607d",
      upload_date: "2026-02-12T16:05:09.000Z",
      file_name: "retail-licence.pdf",
    },
  ],
} as const;

export const listOnboardingTemplates = defineOperation({
  handler: "onboarding/listOnboardingTemplates",
  routes: [
    {
      operationId: "listOnboardingTemplates",
      method: "GET",
      path: "/service-providers/{sp_id}/onboarding-templates",
      caller: "serviceProvider",
      scope: "service-provider:read",
    },
  ],
  tag: "Service Provider",
  summary: "List the onboarding templates",
  description: "The service provider's own and the service's standard template, the newest change first.",
  query: pagedQuery,
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
  capabilities: ["table:read"],
});

export const getCrbOnboardingTemplate = defineOperation({
  handler: "onboarding/getCrbOnboardingTemplate",
  routes: [
    {
      operationId: "getCrbOnboardingTemplate",
      method: "GET",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template",
      caller: "serviceProvider",
      scope: "service-provider:read",
    },
  ],
  tag: "CRB Templates",
  summary: "Read a CRB's answers to its onboarding template",
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
      status: "bank_awaiting_review",
      review_start_date: null,
      disconnected_on: null,
      standard_requirements: [exampleRequirement],
      custom_requirements: [{ id: "armored-car", label: "Do you use an armored car service?", value: "Yes" }],
    },
  },
  errors: E4,
  capabilities: ["table:read"],
});

const exampleAdded = { document_id: exampleIds.document, updated_requirement_response: exampleRequirement };

export const addRequirementDocument = defineOperation({
  handler: "onboarding/addRequirementDocument",
  routes: [
    {
      operationId: "addRequirementDocument",
      method: "PUT",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "CRB Templates",
  summary: "Add a document to a requirement",
  description:
    "The content goes as base64 in the JSON body, 5,242,880 bytes at most when decoded. A new document is `pending`. Adding never replaces; the same file name may occur twice. Larger bodies than the platform carries are refused with 413: `createDocumentUpload` takes every file up to the limit.",
  query: noQuery,
  body: addDocument,
  secrets: ["body.base64"],
  success: { schema: documentAdded, description: "The requirement with the document", example: exampleAdded },
  errors: [...E4, 409, 413],
  capabilities: ["table:read", "table:write", "documents:write"],
});

export const updateRequirementDocumentStatus = defineOperation({
  handler: "onboarding/updateRequirementDocumentStatus",
  routes: [
    {
      operationId: "updateRequirementDocumentStatus",
      method: "PUT",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "CRB Templates",
  summary: "Review a document of a requirement",
  description:
    "From `pending` to `approved` or `archived`, from `approved` to `pending` or `archived`, from `archived` to `pending`; the same status again changes nothing; every other move is refused with 409. Going back to `pending` clears who reviewed it and when.",
  query: noQuery,
  body: documentStatus,
  success: { schema: requirement, description: "The requirement after the change", example: exampleRequirement },
  errors: [...E4, 409],
  capabilities: ["table:read", "table:write"],
});

export const deleteRequirementDocument = defineOperation({
  handler: "onboarding/deleteRequirementDocument",
  routes: [
    {
      operationId: "deleteRequirementDocument",
      method: "DELETE",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "CRB Templates",
  summary: "Delete a document of a requirement",
  description:
    "In every status. The document stays listed as a document of the CRB, with `deleted` true; its content is removed within a day.",
  query: noQuery,
  success: {
    schema: requirement,
    description: "The requirement after the deletion",
    example: { ...exampleRequirement, status: "not_started", documents: [] },
  },
  errors: [...E4],
  capabilities: ["table:read", "table:write", "documents:write"],
});

export const createDocumentUpload = defineOperation({
  handler: "onboarding/createDocumentUpload",
  routes: [
    {
      operationId: "createDocumentUpload",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/document-uploads",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "CRB Templates",
  summary: "Begin an upload of a document",
  description:
    "Answers a link that takes a PUT of the file itself, with this type as `Content-Type` and of this length, within 900 seconds; then `completeDocumentUpload` makes it a document. An upload that is never completed is removed after a day.",
  query: noQuery,
  body: newUpload,
  success: {
    schema: upload,
    description: "Where to send the file",
    example: {
      document_id: exampleIds.document,
      upload_link:
        "https://documents.s3.us-east-1.amazonaws.com/uploads/6Ff1T8xMSYGeeHGjfN1gfQ?X-Amz-Expires=900&X-Amz-Signature=3f1c",
      expires_at: 1772536500000,
    },
  },
  errors: [...E4, 409],
  capabilities: ["table:read", "table:write", "documents:sign"],
});

export const completeDocumentUpload = defineOperation({
  handler: "onboarding/completeDocumentUpload",
  routes: [
    {
      operationId: "completeDocumentUpload",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/document-uploads/{document_id}",
      caller: "serviceProvider",
      scope: "service-provider:write",
    },
  ],
  tag: "CRB Templates",
  summary: "Complete an upload of a document",
  description:
    "Checks what was uploaded as `addRequirementDocument` checks a content, and makes it a document. Repeated, it answers the same. Refused with 422 on `path.document_id` while nothing is uploaded, and when the content is not of the type named.",
  query: noQuery,
  success: { schema: documentAdded, description: "The requirement with the document", example: exampleAdded },
  errors: [...E4, 409],
  capabilities: ["table:read", "table:write", "documents:read", "documents:write"],
});
