import { TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { ServiceError } from "../../../shared/api/errors.ts";
import { isConflict } from "../../../shared/store/retryOnConflict.ts";

/** What a caller waits out: the rules let nothing else through. */
function isOutage(error: unknown): boolean {
  const { kind, name, code } = (error ?? {}) as { kind?: string; name?: string; code?: string };
  return kind === "unavailable" || name === "TimeoutError" || code === "ECONNRESET";
}

/**
 * The outages with which work ended. Those that no accident explains are faults: all in calm times, and at any time that of
 * a writer or reader whose every attempt lost against others, since nobody writes for so long.
 */
export class Outages {
  readonly faults: string[] = [];
  /** no accidents happen any more */
  isCalm = false;

  /** @returns whether an error is an outage, which is judged then */
  take(error: unknown): boolean {
    if (!isOutage(error)) return false;
    const cause = error instanceof ServiceError ? error.cause : error;
    const codes = codesOf(cause);
    // A transaction that is delayed locks its items until it ends.
    const isLocked = codes.includes("TransactionConflict") || cause instanceof TransactionConflictException;
    const isContention = codes.length > 0 ? codes.includes("ConditionalCheckFailed") : isConflict(cause);
    if (!isLocked && (this.isCalm || isContention)) {
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
