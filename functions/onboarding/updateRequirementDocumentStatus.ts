import { updateRequirementDocumentStatus } from "../../shared/api/operations/requirementDocuments.ts";
import { toPerson } from "../../shared/api/schemas/person.ts";
import { reviewDocument } from "../../shared/domain/onboarding/reviewDocument.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(updateRequirementDocumentStatus, async ({ path, body, principal }) => {
  return json(await reviewDocument(serviceTable(), path, body, principal.clientId, toPerson(principal.person)));
});
