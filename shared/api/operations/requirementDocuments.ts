import { defineOperation, E4, readsAsProvider, writesAsProvider, writesAsReviewer } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { addDocument, documentAdded, documentStatus, upload, uploadCreation } from "../schemas/documentRequests.ts";
import { listOf } from "../schemas/list.ts";
import { documentToReview, requirement } from "../schemas/requirement.ts";
import { exampleCrb } from "./exampleCrb.ts";
import { exampleRequirement } from "./exampleRequirement.ts";
import { exampleIds, exampleList } from "./examples.ts";

const exampleAdded = { document_id: exampleIds.document, updated_requirement_response: exampleRequirement };

const statusFollows = "Once the CRB has been `svc_approved`, its `status` follows from its documents.";

const noMore = {
  description:
    "The requirement is archived and takes no documents, or the invited users have added the maximum number of documents.",
  examples: {
    archived: { code: "requirement_archived", message: "The requirement is archived and takes no documents." },
    tooMany: {
      code: "document_limit",
      message:
        "Invited users have added 200 documents, including deleted ones, which is the maximum. Contact the service provider.",
    },
  },
} as const;

export const addRequirementDocument = defineOperation({
  handler: "onboarding/addRequirementDocument",
  routes: [
    {
      operationId: "addRequirementDocument",
      method: "PUT",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents",
      ...writesAsReviewer,
    },
    {
      operationId: "addOnboardingDocument",
      method: "PUT",
      path: "/onboarding/requirements/{requirement_id}/documents",
      caller: "invitedUser",
      summary: "Add a document as an invited user",
      tag: "In-app Onboarding",
    },
  ],
  tag: "CRB Templates",
  summary: "Add a document to a requirement",
  description: `Send the content as base64 in the JSON body, at most 5,242,880 bytes when decoded. On AWS the body of a file above about 4.7 MB is too large and gets 413; \`createDocumentUpload\` takes every file up to the limit. A new document is \`pending\`. It never replaces another one; the same file name may occur twice. ${statusFollows}`,
  query: noQuery,
  body: addDocument,
  requests: {
    pdf: {
      summary: "A PDF with an empty page",
      body: {
        file_name: "retail-license.pdf",
        file_type: "application/pdf",
        base64:
          "JVBERi0xLjQKMSAwIG9iajw8L1BhZ2VzIDIgMCBSPj5lbmRvYmogMiAwIG9iajw8L0tpZHNbMyAwIFJdL0NvdW50IDE+PmVuZG9iaiAzIDAgb2JqPDwvTWVkaWFCb3hbMCAwIDYxMiA3OTJdPj5lbmRvYmogdHJhaWxlcjw8L1Jvb3QgMSAwIFI+Pgo=",
      },
    },
  },
  secrets: ["body.base64"],
  holdsDocument: true,
  success: { schema: documentAdded, description: "The requirement with the document", example: exampleAdded },
  errors: [...E4, 409],
  rejections: {
    409: noMore,
    422: {
      description: "An identifier, or the name, type or content of the document, is invalid.",
      examples: {
        name: {
          fields: {
            "body.file_name": { message: "must have an extension that matches file_type", value: "license.docx" },
          },
        },
        content: { fields: { "body.base64": { message: "must be at most 5242880 bytes when decoded" } } },
      },
    },
  },
  permissionSets: ["documents:add"],
});

export const listDocumentsToReview = defineOperation({
  handler: "onboarding/listDocumentsToReview",
  routes: [
    {
      operationId: "listDocumentsToReview",
      path: "/service-providers/{sp_id}/documents-to-review",
      ...readsAsProvider,
    },
  ],
  tag: "CRB Templates",
  summary: "List the documents that wait for review",
  description:
    "Lists the `pending` documents of all CRBs of the service provider, the document that was uploaded last first. A document leaves the list with its review or deletion, or when the association of its CRB ends. Review it with `updateRequirementDocumentStatus`.",
  query: pagedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  businessField: "crb_id",
  success: {
    schema: listOf(documentToReview),
    description: "A page of documents",
    example: exampleList({
      crb_id: exampleIds.crb,
      crb_name: exampleCrb.name,
      requirement_id: exampleIds.requirement,
      requirement_name: exampleRequirement.name,
      category: exampleRequirement.category,
      required: true,
      document: exampleRequirement.documents[0],
    }),
  },
  errors: E4,
  permissionSets: ["documentsToReview:list"],
});

export const updateRequirementDocumentStatus = defineOperation({
  handler: "onboarding/updateRequirementDocumentStatus",
  routes: [
    {
      operationId: "updateRequirementDocumentStatus",
      method: "PUT",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}",
      ...writesAsReviewer,
    },
  ],
  tag: "CRB Templates",
  summary: "Review a document of a requirement",
  description: `Allowed changes are from \`pending\` to \`approved\` or \`archived\`, from \`approved\` to \`pending\` or \`archived\`, and from \`archived\` to \`pending\`. The same status again changes nothing; every other change gets 409. With \`archived\` you can send a \`review_note\`, which invited users see; if the document is required, they also get a mail. Going back to \`pending\` clears the reviewer, the time of the review and the note. ${statusFollows}`,
  query: noQuery,
  body: documentStatus,
  requests: {
    approval: { summary: "Approve", body: { status: "approved" } },
    rejection: {
      summary: "Archive with a note",
      body: { status: "archived", review_note: "The second page is missing. Please scan both pages." },
    },
  },
  success: {
    schema: requirement,
    description: "The requirement after the change",
    example: {
      ...exampleRequirement,
      status: "approved",
      date_updated: "2026-02-13T10:31:44.000Z",
      documents: [
        {
          ...exampleRequirement.documents[0],
          status: "approved",
          reviewed_by: "e857f54f-cc4c-4981-9e78-71a37cdd607d",
          reviewed_by_person: null,
          review_date: "2026-02-13T10:31:44.000Z",
        },
      ],
    },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The document cannot go from its current status to the new one.",
      examples: {
        approval: { code: "status_not_allowed", message: "A document cannot go from archived to approved." },
      },
    },
  },
  permissionSets: ["onboarding:change", "notices:request"],
});

export const deleteRequirementDocument = defineOperation({
  handler: "onboarding/deleteRequirementDocument",
  routes: [
    {
      operationId: "deleteRequirementDocument",
      method: "DELETE",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/documents/{document_id}",
      ...writesAsProvider,
    },
  ],
  tag: "CRB Templates",
  summary: "Delete a document of a requirement",
  description: `Deletes the document, whatever its status. It stays listed as a document of the CRB, with \`deleted\` true; its content is removed within a day. A second deletion gets 404. ${statusFollows}`,
  query: noQuery,
  success: {
    schema: requirement,
    description: "The requirement after the deletion",
    example: { ...exampleRequirement, status: "not_started", documents: [] },
  },
  errors: [...E4, 409],
  permissionSets: ["documents:remove"],
});

export const createDocumentUpload = defineOperation({
  handler: "onboarding/createDocumentUpload",
  routes: [
    {
      operationId: "createDocumentUpload",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/document-uploads",
      ...writesAsReviewer,
    },
    {
      operationId: "createOnboardingUpload",
      method: "POST",
      path: "/onboarding/requirements/{requirement_id}/document-uploads",
      caller: "invitedUser",
      summary: "Begin an upload as an invited user",
      tag: "In-app Onboarding",
    },
  ],
  tag: "CRB Templates",
  summary: "Begin an upload of a document",
  description:
    "Returns a link for one PUT of the file's bytes within 900 seconds. The PUT must have this type as `Content-Type`, the header `If-None-Match: *`, and exactly this length. Then call `completeDocumentUpload` to make the file a document. If a file was sent already, the link responds with 412: to send another file, begin another upload. An upload that is never completed is removed after a day. The link also ends with the association.",
  query: noQuery,
  body: uploadCreation,
  requests: {
    pdf: {
      summary: "A scan of about 5 MB",
      body: { file_name: "retail-license.pdf", file_type: "application/pdf", size: 5_120_416 },
    },
  },
  success: {
    schema: upload,
    description: "The link to send the file to",
    example: {
      document_id: exampleIds.document,
      upload_link:
        "https://documents.s3.us-east-1.amazonaws.com/uploads/6Ff1T8xMSYGeeHGjfN1gfQ?X-Amz-Expires=900&X-Amz-Signature=3f1c",
      expires_at: 1772536500000,
    },
  },
  errors: [...E4, 409],
  rejections: { 409: noMore },
  permissionSets: ["uploads:plan"],
});

export const completeDocumentUpload = defineOperation({
  handler: "onboarding/completeDocumentUpload",
  routes: [
    {
      operationId: "completeDocumentUpload",
      method: "POST",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/onboarding-template/requirements/{requirement_id}/document-uploads/{document_id}",
      ...writesAsReviewer,
    },
    {
      operationId: "completeOnboardingUpload",
      method: "POST",
      path: "/onboarding/requirements/{requirement_id}/document-uploads/{document_id}",
      caller: "invitedUser",
      summary: "Complete an upload as an invited user",
      tag: "In-app Onboarding",
    },
  ],
  tag: "CRB Templates",
  summary: "Complete an upload of a document",
  description: `Checks the uploaded content like \`addRequirementDocument\` and makes it a document. A repetition gets the same response. 422 on \`path.document_id\` means that no file was uploaded yet, or that the content does not match the type; in the second case begin another upload. ${statusFollows}`,
  query: noQuery,
  success: { schema: documentAdded, description: "The requirement with the document", example: exampleAdded },
  errors: [...E4, 409],
  rejections: {
    409: noMore,
    422: {
      description:
        "An identifier is invalid, no file was uploaded yet, or the uploaded file differs from the announced one.",
      examples: {
        nothing: {
          fields: {
            "path.document_id": {
              message: "names an upload without a file yet; send the file to its upload_link first",
              value: exampleIds.document,
            },
          },
        },
        content: {
          fields: {
            "path.document_id": {
              message: "names an upload whose content does not match its file_type; begin another upload",
              value: exampleIds.document,
            },
          },
        },
      },
    },
  },
  permissionSets: ["documents:add", "uploads:complete"],
});
