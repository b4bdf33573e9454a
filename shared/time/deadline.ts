import type { Clock } from "./clock.ts";

/** The deadline of the work has passed. The writes so far remain, and the next run continues after them. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
}

/** Whether a deadline has passed. */
export const isPast = (clock: Clock, deadline: Date | undefined): boolean =>
  deadline !== undefined && clock.now() >= deadline;

/**
 * Every long loop must call this function between two iterations.
 *
 * @throws OutOfTimeError once the deadline has passed
 */
export function checkDeadline(clock: Clock, deadline: Date | undefined): void {
  if (isPast(clock, deadline)) throw new OutOfTimeError();
}
