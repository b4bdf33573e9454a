import { TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { log } from "../platform/aws/log.ts";
import type { Clock } from "../time/clock.ts";
import { checkDeadline } from "../time/deadline.ts";

/** A read is inconsistent because of a concurrent write. The caller must read again. */
export class StaleReadError extends Error {
  override readonly name: string = "StaleReadError";
}

/** An index does not show new records yet. DynamoDB usually updates it within seconds. The caller must read again. */
export class LaggingIndexError extends StaleReadError {
  override readonly name = "LaggingIndexError";
}

/** Maximum number of attempts. Their pauses (by default 400 ms at most) add up to 7 s at most, on average to half. */
const maxAttempts = 20;

export interface RetryOptions {
  /** maximum pause in milliseconds; pauses are random, and their upper bound doubles from 50 up to this value */
  maxPauseMs?: number;
  /** time in milliseconds for which attempts continue, even beyond the maximum number of attempts */
  minTotalMs?: number;
  deadline?: Date | undefined;
}

/** Decides when and how often failed work is retried, of all writers and of readers that run concurrently with writers. */
export class RetryPolicy {
  readonly #clock: Clock;
  readonly #maxPauseMs: number;
  /** Time (epoch milliseconds) before which no attempt is the last one. */
  readonly #goesOnUntil: number;
  readonly #deadline: Date | undefined;
  #failed = 0;

  constructor(clock: Clock, { maxPauseMs = 400, minTotalMs: atLeast = 0, deadline }: RetryOptions = {}) {
    this.#clock = clock;
    this.#maxPauseMs = maxPauseMs;
    this.#goesOnUntil = atLeast > 0 ? clock.now().getTime() + atLeast : 0;
    this.#deadline = deadline;
  }

  /** Whether the current attempt is the last one, unless it makes progress. */
  get isLast(): boolean {
    return this.#isOver(this.#failed + 1);
  }

  /** Call it after partial progress. The remaining work then gets the full number of attempts again. */
  progressed(): void {
    this.#failed = 0;
  }

  /**
   * Waits before the next attempt, at least `minMs`.
   *
   * @param failure the error of the last attempt, for the log
   * @throws ServiceError "unavailable" after the last attempt; OutOfTimeError after the deadline
   */
  async pause(failure?: unknown, minMs = 0): Promise<void> {
    this.#failed++;
    if (failure instanceof Error) log.debug("retries", { reason: failure.name, failed: this.#failed });
    checkDeadline(this.#clock, this.#deadline);
    if (this.#isOver(this.#failed)) {
      throw new ServiceError("unavailable", { cause: failure instanceof ServiceError ? failure.cause : failure });
    }
    const backoffMs = Math.random() * Math.min(this.#maxPauseMs, 25 * 2 ** this.#failed);
    await this.#clock.sleep(Math.max(minMs, backoffMs));
  }

  #isOver(failed: number): boolean {
    return failed >= maxAttempts && this.#clock.now().getTime() >= this.#goesOnUntil;
  }
}

/** Whether work failed because of a concurrent write. If so, it may succeed if it reads and plans again. */
export const isConflict = (error: unknown): boolean => error instanceof StaleReadError || isTransactionConflict(error);

/** Whether DynamoDB rejected a write because of a concurrent write, or because a condition no longer holds. */
export function isTransactionConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
  return codes.every((code) => code !== "ValidationError" && code !== "ItemCollectionSizeLimitExceeded");
}

/** Whether the table throttled work or could not be reached. */
const isOutage = (error: unknown) => error instanceof ServiceError && error.kind === "unavailable";

/** Whether another attempt at a write may succeed. */
export const isPassing = (error: unknown): boolean => isConflict(error) || isOutage(error);

/** Error names and cancellation reasons with which DynamoDB throttles. */
const throttlingCodes = new Set([
  "ProvisionedThroughputExceeded",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingError",
  "ThrottlingException",
]);

/** Whether DynamoDB throttled a call. If so, a smaller call may succeed. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.some(({ Code = "" }) => throttlingCodes.has(Code)) ?? false;
  }
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof Error && throttlingCodes.has(cause.name);
}

/** Whether a transaction was rejected because the condition of its write with this index does not hold. */
export function isUnmet(error: unknown, write: number): boolean {
  const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : [];
  return reasons?.[write]?.Code === "ConditionalCheckFailed";
}

/** Makes a function that repeats an attempt after the errors for which `isRepeatable` returns true. */
const retryOn =
  (isRepeatable: (error: unknown) => boolean) =>
  async <T>(clock: Clock, attempt: (isLast: boolean) => Promise<T>, retryOptions: RetryOptions = {}): Promise<T> => {
    const tries = new RetryPolicy(clock, retryOptions);
    for (;;) {
      try {
        return await attempt(tries.isLast);
      } catch (error) {
        if (!isRepeatable(error)) throw error;
        await tries.pause(error);
      }
    }
  };

/**
 * Repeats an attempt after a rejected transaction or a stale read. Each call must read everything again. The argument
 * `isLast` says that no other attempt follows.
 *
 * @throws ServiceError "unavailable" if every attempt has a conflict; OutOfTimeError after the deadline
 */
export const retryOnConflict = retryOn(isConflict);

/**
 * Repeats a call while the table throttles or cannot be reached, for work that can wait longer than a request.
 *
 * @throws ServiceError "unavailable" after the last attempt; OutOfTimeError after the deadline
 */
export const retryOnOutage = retryOn(isOutage);
