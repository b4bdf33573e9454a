import { SingleBar } from "cli-progress";
import type { Terminal } from "../../cli/runProgram.ts";

/** How far something is that takes a known time. */
export interface TimeBar {
  /** @param seconds that are still to come */
  left(seconds: number): void;
  /** Leaves the terminal as it was. */
  stop(): void;
}

/** A bar on a terminal, nothing elsewhere. */
export function startTimeBar(stdout: Terminal["stdout"], seconds: number): TimeBar {
  if (!stdout.isTTY) return { left: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: "  {bar} {left} s left", hideCursor: true, clearOnComplete: true, barsize: 40 });
  bar.start(seconds, 0, { left: seconds });
  return {
    left: (left) => bar.update(seconds - left, { left: Math.ceil(left) }),
    stop: () => bar.stop(),
  };
}
