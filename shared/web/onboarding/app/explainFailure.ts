import type { ErrorCode } from "../../../api/errorCodes.ts";
import { failureMessage } from "../../browser/failureMessage.ts";
import { Rejection } from "../../browser/failures.ts";

const changed = "This was changed at the same time, by another person or in another tab. Please try again.";

/** The messages of causes that several steps share, by code (docs/spec.md#error-codes). */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  concurrent_changes: changed,
  connection_changed: changed,
  consent_missing: "Please read the terms and give consent first.",
  pos_not_connected: changed,
};

/** The causes of a wait that `Retry-After` ends. */
const delays: Readonly<Partial<Record<ErrorCode, string>>> = {
  pos_check_limit:
    "Too many wrong credentials were entered, so these were not checked, and nothing was stored. Please make sure that they are right.",
  restoring: "The records of your business are being restored.",
};

/**
 * The message for the visitor about a failed call.
 *
 * @param support the support address
 */
export function explainFailure(failure: unknown, support: string): string {
  if (!(failure instanceof Rejection)) return failureMessage(failure, support);
  const code = failure.code as ErrorCode;
  const delay = delays[code];
  if (!delay) return messages[code] ?? failureMessage(failure, support);
  const end = new Date(Date.now() + failure.retryAfter * 1_000);
  return `${delay} Please try again after ${end.toLocaleTimeString(undefined, { timeStyle: "short" })}.`;
}

/**
 * Whether a failure means that the link no longer works. The status does not show this: a firewall, a proxy and the store of
 * the files respond with 401 or 403, too.
 */
export const endsLink = (failure: unknown): boolean => failure instanceof Rejection && failure.code === "unauthorized";
