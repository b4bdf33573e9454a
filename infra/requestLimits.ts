import { exchangeToken } from "../shared/api/operations/authentication.ts";
import { sendOnboardingLink } from "../shared/api/operations/inAppOnboarding.ts";

/** What the limits of WAF and those of the local stage have in common (contract 12). */

/** Seconds after which a throttled caller's next try makes sense: WAF counts anew every few seconds. */
export const retryAfter = 30;

/** Seconds over which each of the limits counts. */
export const windows = { perCredential: 60, tokenExchangesPerAddress: 300, perAddress: 60 } as const;

/**
 * The paths, decoded and normalized, of what needs no credential and is counted by address: also behind the name of a
 * stage, where the API has no name of its own. No other routes end like these two.
 */
export const countedPaths = `(${exchangeToken.routes[0].path}|${sendOnboardingLink.routes[0].path})/?$`;
