import type { Clock } from "./clock.ts";

/** The deadline of the work has passed. The writes so far remain, and the next run continues after them. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
}

/**
 * Every long loop must call this function between two iterations.
 *
 * @throws OutOfTimeError once the deadline has passed
 */
export function checkDeadline(clock: Clock, deadline: Date | undefined): void {
  if (deadline && clock.now() >= deadline) throw new OutOfTimeError();
}
