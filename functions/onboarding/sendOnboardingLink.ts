import { sendOnboardingLink } from "../../shared/api/operations/inAppOnboarding.ts";
import { requestNewLink } from "../../shared/domain/invitations/requestNewLink.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";

export const handler = endpoint(sendOnboardingLink, async ({ body }) => {
  await requestNewLink(body.email, body.crb_id);
  return json({});
});
