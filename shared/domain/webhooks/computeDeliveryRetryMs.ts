const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/**
 * Milliseconds to the next attempt after the first failure, after the second failure, and so on. After the last of these
 * pauses, attempts are hourly (docs/spec.md#webhook-delivery).
 */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour];

/** The endpoint is disabled if all attempts to deliver one event fail for this time (docs/spec.md#webhook-delivery). */
export const maxTryingMs = 3 * 24 * hour;

/**
 * Milliseconds to the next attempt, with 10 % jitter. With the jitter, deliveries that failed at the same time are retried at
 * different times.
 *
 * @param attempt number of failed attempts of the event, from 1
 * @param random returns numbers from 0 to below 1
 */
export const computeDeliveryRetryMs = (attempt: number, random: () => number): number =>
  Math.round((pauses[attempt - 1] ?? hour) * (0.9 + random() / 5));
