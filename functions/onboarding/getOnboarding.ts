import { getOnboarding } from "../../shared/api/operations/inAppOnboarding.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(getOnboarding, async ({ principal }) =>
  json(await onboardingView(serviceTable(), invitedUser(principal))),
);
