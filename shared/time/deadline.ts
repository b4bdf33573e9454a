import type { Clock } from "./clock.ts";

/** The time of a piece of work is over. What is written stays written, and whoever does the work next goes on with it. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
}

/**
 * To be called by every loop of a piece of work between two of its turns.
 *
 * @throws OutOfTimeError once the deadline is past
 */
export function checkDeadline(clock: Clock, deadline: Date | undefined): void {
  if (deadline && clock.now() >= deadline) throw new OutOfTimeError();
}
