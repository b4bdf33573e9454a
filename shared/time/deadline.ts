import type { Clock } from "./clock.ts";

/** The deadline of the work has passed. Everything written so far remains, and the next run continues from there. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";
}

/**
 * Call it in every long loop, between two iterations.
 *
 * @throws OutOfTimeError once the deadline has passed
 */
export function checkDeadline(clock: Clock, deadline: Date | undefined): void {
  if (deadline && clock.now() >= deadline) throw new OutOfTimeError();
}
