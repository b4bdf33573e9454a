import { Rejection, Unreachable } from "./failures.ts";

/** A failure in words, for whoever is at the page. @param support whom they may write to */
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

/** The message of a field, such as `must not be empty`, as a sentence. */
export const sentence = (message: string): string => `This ${message.replace(/\.$/, "")}.`;

/** A day in the words of whoever reads it. @param date ISO 8601 */
export const day = (date: string): string => new Date(date).toLocaleDateString(undefined, { dateStyle: "long" });
