import { deleteOnboardingDocument } from "../../shared/api/operations/inAppOnboarding.ts";
import { serviceBucket } from "../../shared/documents/bucket.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { deleteDocument } from "../../shared/onboarding/deleteDocument.ts";
import { deletableByUsers } from "../../shared/onboarding/documentsOfUsers.ts";
import { requirementFor } from "../../shared/onboarding/invitedUser.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteOnboardingDocument, async ({ path, grant }) => {
  const permit = await deletableByUsers(serviceTable(), path.crb_id);
  const requirement = await deleteDocument(serviceTable(), serviceBucket(), path, undefined, permit);
  return json(requirementFor(grant, requirement));
});
