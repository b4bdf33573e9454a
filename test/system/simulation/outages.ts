import { TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../../../shared/api/errors.ts";
import { LeaseHeldError } from "../../../shared/domain/replication/withReplicationLease.ts";
import { isConflict, LaggingIndexError } from "../../../shared/store/retryOnConflict.ts";

/** Errors that callers wait out. The rules allow no others. */
function isOutage(error: unknown): boolean {
  const { kind, name, code } = (error ?? {}) as { kind?: string; name?: string; code?: string };
  return kind === "unavailable" || name === "TimeoutError" || code === "ECONNRESET";
}

/**
 * The outages that ended some work. Outages that no accident explains are faults: any in calm times. At any time it
 * is a fault if a writer or reader lost every attempt against others, since no actor writes for so long a time.
 */
export class Outages {
  readonly faults: string[] = [];
  /** whether accidents have ended */
  isCalm = false;

  /**
   * Judges an error if it is an outage.
   *
   * @returns whether it is one
   */
  take(error: unknown): boolean {
    if (!isOutage(error)) return false;
    const cause = error instanceof ServiceError ? error.cause : error;
    const codes = codesOf(cause);
    // A delayed transaction locks its items until it ends.
    const isLocked = codes.includes("TransactionConflict") || cause instanceof TransactionConflictException;
    // A lag of ten seconds outlasts all attempts of a reader, and is no accident.
    const isLagging = cause instanceof LaggingIndexError;
    const isContention = codes.length > 0 ? codes.includes("ConditionalCheckFailed") : isConflict(cause) && !isLagging;
    // A run that takes longer than an erasure waits for its lease is no fault at any time.
    const isWaiting = cause instanceof LeaseHeldError;
    if (!isLocked && !isWaiting && ((this.isCalm && !isLagging) || isContention)) {
      const { name = "no reason" } = (cause ?? {}) as { name?: string };
      this.faults.push(`unavailable because of ${[name, ...new Set(codes)].join(" ")}`);
    }
    return true;
  }
}

const codesOf = (cause: unknown): string[] => {
  const { CancellationReasons: reasons = [] } = (cause ?? {}) as { CancellationReasons?: { Code?: string }[] };
  return reasons.flatMap(({ Code }) => Code ?? []);
};
