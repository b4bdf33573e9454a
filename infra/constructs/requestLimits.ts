import { exchangeToken } from "../../shared/api/operations/authentication.ts";
import { sendOnboardingLink } from "../../shared/api/operations/inAppOnboarding.ts";
import type { StageName, StageSettings } from "../stages/stages.ts";

// Shared by the limits of WAF and those of the local stage.

/** Seconds after which a throttled caller's next try makes sense: WAF counts anew every few seconds. */
export const retryAfter = 30;

/** Seconds over which each of the limits counts. */
export const windows = {
  perCredential: 60,
  tokenExchangesPerAddress: 300,
  withoutCredentialPerAddress: 60,
  perAddress: 60,
} as const;

/** The largest share of a stage's throttle that one source address may use. */
const maxShareOfAddress = 1 / 4;

/** The errors in a stage's limits for an address, each with its correction; empty if they are valid. */
export function addressLimitIssues(name: StageName, { aws }: StageSettings): string[] {
  if (!aws) return [];
  const max = Math.floor(aws.throttle.rate * windows.perAddress * maxShareOfAddress);
  const settings = ["requestsPerAddress", "requestsWithoutCredentialPerAddress"] as const;
  return settings.flatMap((setting) =>
    aws[setting] <= max
      ? []
      : [
          `Lower ${setting} of stage ${name} in infra/stages/stages.ts to ${max}, a quarter of its throttle, or raise the throttle: one address must not use up the throttle of all callers.`,
        ],
  );
}

/**
 * The paths, decoded and normalized, of what needs no credential and is counted by address: also behind the name of a
 * stage, where the API has no name of its own. No other routes end like these two.
 */
export const countedPaths = `(${exchangeToken.routes[0].path}|${sendOnboardingLink.routes[0].path})/?$`;

/**
 * The form of an `Authorization` header that can be a credential, in lower case and with each run of white space as one
 * space. Without a match the service answers 401 everywhere but at the token exchange, which has a lower limit for each
 * address.
 */
export const credentialForm = "^ ?(bearer )?(sk|at|iv)_[a-z0-9_-]{65} ?$";
