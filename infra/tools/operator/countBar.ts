import { SingleBar } from "cli-progress";
import type { Terminal } from "../../cli/runProgram.ts";

/** Counts what is done, where nobody knows how much there is. */
export interface CountBar {
  add(what: string, count: number): void;
  /** Leaves the terminal as it was; may be told more than once. */
  stop(): void;
}

/** A line that counts on a terminal, nothing elsewhere. @param done participle that follows the count */
export function startCountBar(stdout: Terminal["stdout"], done: string): CountBar {
  if (!stdout.isTTY) return { add: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: `  {value} ${done}, now {what}`, hideCursor: true });
  bar.start(0, 0, { what: "…" });
  return { add: (what, count) => bar.increment(count, { what }), stop: () => bar.stop() };
}
