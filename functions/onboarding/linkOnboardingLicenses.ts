import { linkOnboardingLicenses } from "../../shared/api/operations/inAppOnboarding.ts";
import { serviceBucket } from "../../shared/domain/documents/bucket.ts";
import { linkEnteredNumbers } from "../../shared/domain/linkedLicenses/linkEnteredNumbers.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(linkOnboardingLicenses, async ({ principal, body }) => {
  const user = invitedUser(principal);
  const table = serviceTable();
  const { unmatched, unconfirmed } = await linkEnteredNumbers({ table, bucket: serviceBucket() }, user, body);
  return json({
    ...(await onboardingView(table, user)),
    unmatched_licenses: unmatched,
    unconfirmed_licenses: unconfirmed,
  });
});
