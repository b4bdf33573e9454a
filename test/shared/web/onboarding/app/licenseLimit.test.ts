import { expect, test } from "vitest";
import { getOnboarding } from "../../../../../shared/api/operations/inAppOnboarding.ts";
import type { Onboarding } from "../../../../../shared/api/schemas/onboarding.ts";
import { Rejection } from "../../../../../shared/web/browser/failures.ts";
import { licenseLimit } from "../../../../../shared/web/onboarding/app/licenseLimit.ts";

const onboarding = getOnboarding.success.example as unknown as Onboarding;
const messageOf = (code: string) => licenseLimit(new Rejection(409, { code }), onboarding);

test("only a business with the maximum number of licenses reads that it can add no more", () => {
  expect(messageOf("license_limit")).toContain(`Please contact ${onboarding.service_provider.name}.`);
  expect(messageOf("concurrent_changes")).toBeUndefined();
});
