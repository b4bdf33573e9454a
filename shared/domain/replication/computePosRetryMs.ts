import type { PosFailure } from "../../pos/connector.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses that double from one failure to the next. */
interface Growth {
  first: number;
  most: number;
  /** the pause after the first failure alone, where another attempt is to confirm it */
  toConfirm?: number;
}

/** Somebody has to change something first; a POS that locks out whom it refuses often is not asked often. */
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

/** A POS that asks to be left alone for longer is asked again all the same. */
const maxRetryAfterMs = 24 * hour;

/**
 * How many milliseconds a replication waits after a failure of its POS: doubling with every failure in a row, less up to
 * a half by chance, so that those who failed together do not come again together. A POS that says how long it wants to
 * be left alone gets that at least, and up to a tenth more.
 *
 * @param attempts failures in a row, this one included
 * @param retryAfter seconds that the POS asks for
 * @param random gives numbers from 0 to below 1
 */
export function computePosRetryMs(
  { failure, retryAfter = 0 }: { failure: PosFailure; retryAfter?: number | undefined },
  attempts: number,
  random: () => number = Math.random,
): number {
  const { first, most, toConfirm } = growths[failure];
  const doubled = Math.min(first * 2 ** (attempts - 1), most);
  const grown = (attempts === 1 && toConfirm ? toConfirm : doubled) * (1 - random() / 2);
  // What a header says may be no number.
  const asked = retryAfter > 0 ? Math.min(retryAfter * second, maxRetryAfterMs) * (1 + random() / 10) : 0;
  return Math.ceil(Math.max(grown, asked));
}
