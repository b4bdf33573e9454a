import { SingleBar } from "cli-progress";
import type { Terminal } from "../../cli/runProgram.ts";

/** The progress of a task with a known duration. */
export interface TimeBar {
  /** @param seconds the remaining time */
  left(seconds: number): void;
  /** Restores the terminal. */
  stop(): void;
}

/** A progress bar on a terminal; elsewhere it prints nothing. */
export function startTimeBar(stdout: Terminal["stdout"], seconds: number): TimeBar {
  if (!stdout.isTTY) return { left: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: "  {bar} {left} s left", hideCursor: true, clearOnComplete: true, barsize: 40 });
  bar.start(seconds, 0, { left: seconds });
  return {
    left: (left) => bar.update(seconds - left, { left: Math.ceil(left) }),
    stop: () => bar.stop(),
  };
}
