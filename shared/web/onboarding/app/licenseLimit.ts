import type { Onboarding } from "../../../api/schemas/onboarding.ts";
import { Rejection } from "../../browser/failures.ts";

/** The message of a failure because the business has as many licenses as it can; undefined for any other failure. */
export function licenseLimit(failure: unknown, { service_provider: provider }: Onboarding): string | undefined {
  if (!(failure instanceof Rejection && failure.code === "license_limit")) return undefined;
  return `No more licenses can be added here. Please contact ${provider.name}.`;
}
