import { unlinkOnboardingLicense } from "../../shared/api/operations/inAppOnboarding.ts";
import { unlinkByUser } from "../../shared/domain/linkedLicenses/unlinkLicense.ts";
import { invitedUser } from "../../shared/domain/onboarding/invitedUser.ts";
import { onboardingView } from "../../shared/domain/onboarding/onboardingView.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";

export const handler = endpoint(unlinkOnboardingLicense, async ({ path, principal }) => {
  const user = invitedUser(principal);
  await unlinkByUser(serviceTable(), { ...user, licenseId: path.license_id });
  return json(await onboardingView(serviceTable(), user));
});
