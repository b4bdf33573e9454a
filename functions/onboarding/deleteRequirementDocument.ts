import { deleteRequirementDocument } from "../../shared/api/operations/requirementDocuments.ts";
import { serviceBucket } from "../../shared/documents/bucket.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { deleteDocument } from "../../shared/onboarding/deleteDocument.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteRequirementDocument, async ({ path, grant }) => {
  return json(await deleteDocument(serviceTable(), serviceBucket(), path, grant.clientId));
});
