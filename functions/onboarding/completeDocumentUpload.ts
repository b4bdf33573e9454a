import { completeDocumentUpload } from "../../shared/api/operations/requirementDocuments.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { completeUpload } from "../../shared/domain/onboarding/completeUpload.ts";
import { requirementFor } from "../../shared/domain/onboarding/invitedUser.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(completeDocumentUpload, async ({ path, principal }) => {
  const requirement = await completeUpload(serviceTable(), serviceBucket(), path);
  const shown = await requirementFor(serviceTable(), principal, requirement);
  return json({ document_id: path.document_id, updated_requirement_response: shown });
});
