import { SingleBar } from "cli-progress";
import type { Terminal } from "../../cli/runProgram.ts";

/** Counts progress without a known total. */
export interface CountBar {
  add(what: string, count: number): void;
  /** Restores the terminal; may be called repeatedly. */
  stop(): void;
}

/** A counting line on a terminal; no output elsewhere. @param done participle after the count */
export function startCountBar(stdout: Terminal["stdout"], done: string): CountBar {
  if (!stdout.isTTY) return { add: () => undefined, stop: () => undefined };
  const bar = new SingleBar({ format: `  {value} ${done}, now {what}`, hideCursor: true });
  bar.start(0, 0, { what: "…" });
  return { add: (what, count) => bar.increment(count, { what }), stop: () => bar.stop() };
}
