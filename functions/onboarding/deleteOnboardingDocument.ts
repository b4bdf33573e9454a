import { deleteOnboardingDocument } from "../../shared/api/operations/inAppOnboarding.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { deleteDocument } from "../../shared/domain/onboarding/deleteDocument.ts";
import { deletableByUsers } from "../../shared/domain/onboarding/documentsOfUsers.ts";
import { requirementFor } from "../../shared/domain/onboarding/invitedUser.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(deleteOnboardingDocument, async ({ path, principal }) => {
  const permit = await deletableByUsers(serviceTable(), path.crb_id);
  const requirement = await deleteDocument(serviceTable(), serviceBucket(), path, undefined, permit);
  return json(await requirementFor(serviceTable(), principal, requirement));
});
