import { getOnboardingPosCredentialsSchema } from "../../shared/api/operations/inAppOnboarding.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { posCredentialsSchema } from "../../shared/pos/posCredentialsSchema.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getOnboardingPosCredentialsSchema, async ({ principal }) => {
  const { business } = await onboardingView(serviceTable(), invitedUser(principal));
  return json(posCredentialsSchema(business.business_type));
});
