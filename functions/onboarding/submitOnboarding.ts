import { submitOnboarding as operation } from "../../shared/api/operations/inAppOnboarding.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { submitOnboarding } from "../../shared/domain/onboarding/submitOnboarding.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(operation, async ({ principal }) => {
  const user = invitedUser(principal);
  await submitOnboarding(serviceTable(), user);
  return json(await onboardingView(serviceTable(), user));
});
