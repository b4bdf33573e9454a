import { giveConsent as operation } from "../../shared/api/operations/inAppOnboarding.ts";
import { giveConsent } from "../../shared/domain/onboarding/consent.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(operation, async ({ body, principal }) => {
  const user = invitedUser(principal);
  await giveConsent(serviceTable(), user, body.terms_version);
  return json(await onboardingView(serviceTable(), user));
});
