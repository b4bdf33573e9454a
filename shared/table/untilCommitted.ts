import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";
import type { Clock } from "./clock.ts";
import { StaleRankError } from "./rankedList/rankKeeper.ts";

const mostAttempts = 12;

/**
 * Reads, plans and commits again as long as somebody else was faster: as often as the transaction is refused.
 *
 * @param attempt reads everything anew; what it answers is the answer
 * @throws ServiceError "unavailable" when others are faster every time
 */
export async function untilCommitted<T>(clock: Clock, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 0; attempts < mostAttempts; attempts++) {
    if (attempts > 0) await clock.sleep(Math.random() * 25 * 2 ** attempts);
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransactionCanceledException || error instanceof StaleRankError)) throw error;
    }
  }
  throw new ServiceError("unavailable");
}
