import { defineOperation, E4, readsAsProvider } from "../operation.ts";
import { noQuery, pagedQuery } from "../parameters.ts";
import { document, downloadLink } from "../schemas/document.ts";
import { listOf } from "../schemas/list.ts";
import { exampleIds, exampleList } from "./examples.ts";

const exampleDocument = {
  id: exampleIds.document,
  org_id: exampleIds.crb,
  storage_key: `${exampleIds.crb}/Jq2vXcT0mS8yR4bW6kZ1nH3pL5dF7gA9eU0iO2tY4sM`,
  file_name: "retail-license.pdf",
  uploaded_by: "e857f54f-cc4c-4981-9e78-71a37cdd607d",
  uploaded_by_person: null,
  upload_date: "2026-02-12T16:05:09.000Z",
  deleted: false,
};

export const getCrbDocumentDownload = defineOperation({
  handler: "documents/getCrbDocumentDownload",
  routes: [
    {
      operationId: "getCrbDocumentDownload",
      path: "/service-providers/{sp_id}/crbs/{crb_id}/documents/{doc_id}/download",
      ...readsAsProvider,
    },
  ],
  tag: "Documents",
  summary: "Get links to a document's content",
  description:
    "The links need no credential. They are valid for 3600 seconds, but not longer than the association. `download_link` returns the content as base64 text, `file_link` the file itself. A deleted document gets 404.",
  query: noQuery,
  success: {
    schema: downloadLink,
    description: "The document with its links",
    example: {
      ...exampleDocument,
      download_link: `https://documents.s3.us-east-1.amazonaws.com/${exampleDocument.storage_key}?X-Amz-Expires=3600&X-Amz-Signature=9b07`,
      file_link: `https://documents.s3.us-east-1.amazonaws.com/${exampleDocument.storage_key}.file?X-Amz-Expires=3600&X-Amz-Signature=2c41`,
      expires_at: 1772539200000,
    },
  },
  errors: E4,
  permissionSets: ["documents:read", "documents:sign"],
});

export const listDocuments = defineOperation({
  handler: "documents/listDocuments",
  routes: [
    { operationId: "listDocuments", method: "GET", path: "/crbs/{crb_id}/documents", caller: "crb", scope: "crb:read" },
  ],
  tag: "Documents",
  summary: "List the documents of the CRB",
  description:
    "Lists the files that were added to the requirements of the onboarding template, newest first. Deleted documents stay listed, with `deleted` true.",
  query: pagedQuery,
  requests: { page: { summary: "The first 100 records", query: { limit: "100" } } },
  success: { schema: listOf(document), description: "A page of documents", example: exampleList(exampleDocument) },
  errors: E4,
  permissionSets: ["documents:list"],
});

export const getDocument = defineOperation({
  handler: "documents/getDocument",
  routes: [
    {
      operationId: "getDocument",
      method: "GET",
      path: "/crbs/{crb_id}/documents/{doc_id}",
      caller: "crb",
      scope: "crb:read",
    },
  ],
  tag: "Documents",
  summary: "Read a document's record",
  description: "A deleted document stays readable, with `deleted` true.",
  query: noQuery,
  success: { schema: document, description: "The document, deleted or not", example: exampleDocument },
  errors: E4,
  permissionSets: ["documents:read"],
});
