import { TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { log } from "../platform/aws/log.ts";
import type { Clock } from "../time/clock.ts";
import { checkDeadline } from "../time/deadline.ts";

/** Somebody else was writing while this was read: it is no one state. Read again. */
export class StaleReadError extends Error {
  override readonly name: string = "StaleReadError";
}

/** With pauses of 400 ms at most, between them they take 7 s at most, half of that on average. */
const maxAttempts = 20;

/** How long somebody waits for others. */
export interface RetryOptions {
  /** milliseconds; pauses double from 50 up to it, each less a random part */
  maxPauseMs?: number;
  /** milliseconds for which it is tried in any case, however many tries that takes */
  minTotalMs?: number;
  /** after which nothing is tried again */
  deadline?: Date | undefined;
}

/** How long work that is refused is tried again: the one policy of all who write to the table, or read beside writers. */
export class RetryPolicy {
  readonly #clock: Clock;
  readonly #maxPauseMs: number;
  /** Epoch milliseconds up to which no try is the last one. */
  readonly #goesOnUntil: number;
  readonly #deadline: Date | undefined;
  #failed = 0;

  constructor(clock: Clock, { maxPauseMs = 400, minTotalMs: atLeast = 0, deadline }: RetryOptions = {}) {
    this.#clock = clock;
    this.#maxPauseMs = maxPauseMs;
    this.#goesOnUntil = atLeast > 0 ? clock.now().getTime() + atLeast : 0;
    this.#deadline = deadline;
  }

  /** Whether the present try is the last one, unless it gets somewhere. */
  get isLast(): boolean {
    return this.#isOver(this.#failed + 1);
  }

  /** A part of the work went through: what is left has all tries again. */
  progressed(): void {
    this.#failed = 0;
  }

  /**
   * Waits before another try.
   *
   * @param failure why the last one failed, for the log
   * @param minMs the shortest pause
   * @throws ServiceError "unavailable" when there is none; OutOfTimeError when the deadline is past
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

/** Whether a failure is one of somebody else who was faster: the same may go through when it is planned anew. */
export function isConflict(error: unknown): boolean {
  if (error instanceof StaleReadError || error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
  return codes.every((code) => code !== "ValidationError" && code !== "ItemCollectionSizeLimitExceeded");
}

/** Error names and cancellation reasons by which DynamoDB says that a partition or the table has no units left. */
const throttlingCodes = new Set([
  "ProvisionedThroughputExceeded",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingError",
  "ThrottlingException",
]);

/** Whether DynamoDB throttled a call: a smaller one may succeed. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return error.CancellationReasons?.some(({ Code = "" }) => throttlingCodes.has(Code)) ?? false;
  }
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof Error && throttlingCodes.has(cause.name);
}

/** Whether a transaction was refused because the condition of one of its writes does not hold. */
export function isUnmet(error: unknown, write: number): boolean {
  const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : [];
  return reasons?.[write]?.Code === "ConditionalCheckFailed";
}

/**
 * Reads, plans and commits again as long as somebody else was faster: as often as the transaction is refused, or a read
 * is stale.
 *
 * @param attempt reads everything anew; what it answers is the answer. Told whether it is the last one
 * @throws ServiceError "unavailable" when others are faster every time; OutOfTimeError when the deadline is past
 */
export function retryOnConflict<T>(
  clock: Clock,
  attempt: (isLast: boolean) => Promise<T>,
  retryOptions: RetryOptions = {},
): Promise<T> {
  return repeat(clock, attempt, isConflict, retryOptions);
}

/**
 * Makes a call again as long as the table throttles or cannot be reached: for work that can wait longer than a caller.
 *
 * @throws ServiceError "unavailable" when it lasts; OutOfTimeError when the deadline is past
 */
export function retryOnOutage<T>(clock: Clock, call: () => Promise<T>, retryOptions: RetryOptions): Promise<T> {
  return repeat(clock, call, (error) => error instanceof ServiceError && error.kind === "unavailable", retryOptions);
}

async function repeat<T>(
  clock: Clock,
  attempt: (isLast: boolean) => Promise<T>,
  isPassing: (error: unknown) => boolean,
  retryOptions: RetryOptions,
): Promise<T> {
  const tries = new RetryPolicy(clock, retryOptions);
  for (;;) {
    try {
      return await attempt(tries.isLast);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await tries.pause(error);
    }
  }
}
