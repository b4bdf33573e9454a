import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";
import type { Clock } from "../time/clock.ts";

/** Somebody else was writing while this was read: it is no one state. Read again. */
export class StaleReadError extends Error {
  override readonly name: string = "StaleReadError";
}

/** With pauses of 400 ms at most, between them they take 7 s at most, half of that on average. */
const mostAttempts = 20;
const longestPause = 400;

/**
 * Reads, plans and commits again as long as somebody else was faster: as often as the transaction is refused, or a read
 * is stale.
 *
 * @param attempt reads everything anew; what it answers is the answer. Told whether it is the last one
 * @throws ServiceError "unavailable" when others are faster every time
 */
export async function untilCommitted<T>(clock: Clock, attempt: (isLast: boolean) => Promise<T>): Promise<T> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    if (attempts > 0) await clock.sleep(Math.random() * Math.min(longestPause, 25 * 2 ** attempts));
    try {
      return await attempt(attempts === mostAttempts - 1);
    } catch (error) {
      if (!(error instanceof TransactionCanceledException || error instanceof StaleReadError)) throw error;
    }
  }
  throw new ServiceError("unavailable");
}
