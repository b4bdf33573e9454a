import { withdrawConsent } from "../../shared/api/operations/inAppOnboarding.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { withdrawConsentJournaled } from "../../shared/domain/onboarding/withdrawConsentJournaled.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(withdrawConsent, async ({ principal }) => {
  const user = invitedUser(principal);
  await withdrawConsentJournaled({ table: serviceTable(), bucket: serviceBucket() }, user);
  return json(await onboardingView(serviceTable(), user));
});
