import { json } from "../../shared/api/answer.ts";
import { endpoint } from "../../shared/api/endpoint.ts";
import { updateRequirementDocumentStatus } from "../../shared/api/operations/requirementDocuments.ts";
import { reviewDocument } from "../../shared/onboarding/reviewDocument.ts";
import { serviceTable } from "../../shared/table/client.ts";

export const handler = endpoint(updateRequirementDocumentStatus, async ({ path, body, grant }) => {
  return json(await reviewDocument(serviceTable(), path, body.status, grant.clientId));
});
