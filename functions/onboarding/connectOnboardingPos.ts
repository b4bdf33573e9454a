import { connectOnboardingPos } from "../../shared/api/operations/inAppOnboarding.ts";
import { connectByUser } from "../../shared/domain/crbs/connectByUser.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(connectOnboardingPos, async ({ body, principal }) => {
  const user = invitedUser(principal);
  await connectByUser(serviceTable(), user.crbId, body);
  return json(await onboardingView(serviceTable(), user));
});
