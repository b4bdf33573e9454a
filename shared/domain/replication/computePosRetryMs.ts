import type { PosFailure } from "../../pos/connector.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Limits of a pause that doubles with each failure, in milliseconds. */
interface Growth {
  first: number;
  most: number;
  /** the pause after the first failure, if a second attempt has to confirm the failure */
  toConfirm?: number;
}

/** For failures that only a person can fix. The pauses are long, because a POS may lock out callers that it rejects often. */
const standing: Growth = { first: hour, most: 12 * hour };
const refused: Growth = { ...standing, toConfirm: 20 * minute };
const passing: Growth = { first: minute, most: hour };
const short: Growth = { first: 5 * second, most: hour };

const growths: Readonly<Record<PosFailure, Growth>> = {
  credentialsRefused: refused,
  locationGone: refused,
  notPermitted: standing,
  limited: short,
  unreachable: passing,
  notUnderstood: passing,
};

/** Maximum pause that Retry-After can demand. Longer values are cut to this maximum. */
const maxRetryAfterMs = 24 * hour;

/**
 * Milliseconds that a replication waits after a failure of its POS. The pause doubles with each failure in a row, and is then
 * reduced at random by up to half. So CRBs that failed at the same time do not retry at the same time. If the POS sent
 * Retry-After, the pause is at least `retryAfter`, increased at random by up to a tenth.
 *
 * @param attempts failures in a row, including this one
 * @param retryAfter seconds from the POS's Retry-After header
 * @param random returns numbers from 0 to below 1
 */
export function computePosRetryMs(
  {
    failure,
    retryAfter = 0,
    maxPauseMs = Number.POSITIVE_INFINITY,
  }: { failure: PosFailure; retryAfter?: number | undefined; maxPauseMs?: number | undefined },
  attempts: number,
  random: () => number = Math.random,
): number {
  const { first, most, toConfirm } = growths[failure];
  const doubled = Math.min(first * 2 ** (attempts - 1), most);
  const grown = (attempts === 1 && toConfirm ? toConfirm : doubled) * (1 - random() / 2);
  // The value of the header is not always a number.
  const requestedMs = retryAfter > 0 ? Math.min(retryAfter * second, maxRetryAfterMs) * (1 + random() / 10) : 0;
  return Math.ceil(Math.min(Math.max(grown, requestedMs), maxPauseMs));
}
