import { Rejection, Unreachable } from "./failures.ts";

/**
 * A failure in words, for the visitor.
 *
 * @param support the support address
 */
export function wordsOf(failure: unknown, support: string): string {
  if (failure instanceof Unreachable) {
    return "The service cannot be reached. Please check your connection and try again. Nothing is lost.";
  }
  const status = failure instanceof Rejection ? failure.status : 0;
  if (status === 429) return "These were many requests at once. Please wait a minute and try again.";
  if (status === 503) return "The service is busy. Nothing is lost: please try again in a minute.";
  if (status === 413) return "This is more than the service takes at once.";
  return `Something went wrong on our side. Please try again; if it stays so, write to ${support}.`;
}

/** Turns a field's message, such as `must not be empty`, into a sentence. */
export const sentence = (message: string): string => `This ${message.replace(/\.$/, "")}.`;

/**
 * Formats a day in the visitor's locale.
 *
 * @param date ISO 8601
 */
export const day = (date: string): string => new Date(date).toLocaleDateString(undefined, { dateStyle: "long" });
