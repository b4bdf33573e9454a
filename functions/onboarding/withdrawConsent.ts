import { withdrawConsent } from "../../shared/api/operations/inAppOnboarding.ts";
import { serviceBucket } from "../../shared/documents/bucket.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { invitedUser } from "../../shared/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/onboarding/onboardingView.ts";
import { withdrawNoted } from "../../shared/onboarding/withdrawNoted.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(withdrawConsent, async ({ grant }) => {
  const user = invitedUser(grant);
  await withdrawNoted({ table: serviceTable(), bucket: serviceBucket() }, user);
  return json(await onboardingView(serviceTable(), user));
});
