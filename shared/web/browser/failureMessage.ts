import { Rejection, Unreachable } from "./failures.ts";

/**
 * The message for the visitor about a failed call.
 *
 * @param support the support address
 */
export function failureMessage(failure: unknown, support: string): string {
  if (failure instanceof Unreachable) {
    return "The service cannot be reached. Please check your connection and try again. Nothing is lost.";
  }
  const status = failure instanceof Rejection ? failure.status : 0;
  if (status === 429) return "Too many requests were sent at once. Please wait a minute and try again.";
  if (status === 503) return "The service is busy. Nothing is lost. Please try again in a minute.";
  if (status === 413) return "This is larger than the service accepts.";
  return `Something went wrong on our side. Please try again. If it happens again, write to ${support}.`;
}
