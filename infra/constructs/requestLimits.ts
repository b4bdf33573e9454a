import { exchangeToken } from "../../shared/api/operations/authentication.ts";
import { sendOnboardingLink } from "../../shared/api/operations/inAppOnboarding.ts";
import type { StageName, StageSettings } from "../stages/stages.ts";

// Both WAF's limits and the local stage's limits use these values.

/** Seconds after which a throttled caller can retry: WAF recounts every few seconds. */
export const retryAfter = 30;

/** Seconds over which each limit counts. */
export const windows = {
  perCredential: 60,
  tokenExchangesPerAddress: 300,
  withoutCredentialPerAddress: 60,
  perAddress: 60,
} as const;

/** The largest share of a stage's throttle that one source address may use. */
const maxShareOfAddress = 1 / 4;

/** The errors in a stage's limits for a source address, each with its correction; empty if the limits are valid. */
export function addressLimitIssues(name: StageName, { aws }: StageSettings): string[] {
  if (!aws) return [];
  const max = Math.floor(aws.throttle.rate * windows.perAddress * maxShareOfAddress);
  const settings = ["requestsPerAddress", "requestsWithoutCredentialPerAddress"] as const;
  return settings.flatMap((setting) =>
    aws[setting] <= max
      ? []
      : [
          `Lower ${setting} of stage ${name} in infra/stages/stages.ts to ${max}, a quarter of its throttle, or raise the throttle: one IP address must not use up the throttle of all callers.`,
        ],
  );
}

/**
 * Matches the decoded, normalized paths of the two operations that need no credential and whose requests are counted by
 * source address. The pattern matches the end of a path, since all paths start with the stage's name if the API has no
 * domain name. No other routes end like these two.
 */
export const countedPaths = `(${exchangeToken.routes[0].path}|${sendOnboardingLink.routes[0].path})/?$`;

/**
 * Matches an `Authorization` header that can be a credential, in lower case and with each run of white space as one
 * space. Without a match, the service answers 401, except at the token exchange, which has a lower limit for each
 * source address.
 */
export const credentialForm = "^ ?(bearer )?(sk|at|iv)_[a-z0-9_-]{65} ?$";
