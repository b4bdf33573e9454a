import { getOnboardingPosCredentialsSchema } from "../../shared/api/operations/inAppOnboarding.ts";
import { json } from "../../shared/http/answer.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { invitedUser } from "../../shared/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/onboarding/onboardingView.ts";
import { posCredentialsSchema } from "../../shared/pos/posCredentialsSchema.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getOnboardingPosCredentialsSchema, async ({ grant }) => {
  const { business } = await onboardingView(serviceTable(), invitedUser(grant));
  return json(posCredentialsSchema(business.business_type));
});
