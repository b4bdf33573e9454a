import { connectOnboardingPos } from "../../shared/api/operations/inAppOnboarding.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { connectByUser } from "../../shared/onboarding/connectByUser.ts";
import { invitedUser } from "../../shared/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/onboarding/onboardingView.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(connectOnboardingPos, async ({ body, grant }) => {
  const user = invitedUser(grant);
  await connectByUser(serviceTable(), user.crbId, body);
  return json(await onboardingView(serviceTable(), user));
});
