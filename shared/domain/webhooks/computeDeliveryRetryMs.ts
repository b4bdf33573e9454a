const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Milliseconds to the next attempt, after the first failure, the second, and so on; then hourly (docs/spec.md#webhook-delivery). */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour];

/** How long (milliseconds) an event is tried in vain, before its endpoint is disabled (docs/spec.md#webhook-delivery). */
export const maxTryingMs = 3 * 24 * hour;

/**
 * Milliseconds to the next attempt, a tenth more or less by chance, so that what has failed together does not come together.
 *
 * @param attempt how often it has failed, from 1
 * @param random gives numbers from 0 to below 1
 */
export const computeDeliveryRetryMs = (attempt: number, random: () => number): number =>
  Math.round((pauses[attempt - 1] ?? hour) * (0.9 + random() / 5));
