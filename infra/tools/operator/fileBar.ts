import { statSync } from "node:fs";
import { startProgressBar } from "../../cli/progressBar.ts";
import type { Terminal } from "../../cli/runProgram.ts";

/** Shows the progress of a file: bytes checked, then bytes read, rows processed, and records stored. */
export interface FileBar {
  checked(bytes: number): void;
  bytes(read: number): void;
  rows(count: number): void;
  stored(count: number, total: number): void;
  /** Ends the line; may be called repeatedly. */
  stop(): void;
}

/** A progress bar on a terminal; no output elsewhere. */
export function startFileBar(file: string, stdout: Terminal["stdout"]): FileBar {
  const total = Math.max(1, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const state = { done: 0, verb: "read", rows: 0, stored: "" };
  const progress = () => {
    const { done, verb, rows, stored } = state;
    const percent = Math.min(100, Math.floor((100 * done) / total));
    return { done, total, text: `${percent}% ${verb}, ${rows} rows${stored}` };
  };
  const bar = startProgressBar(stdout, progress());
  const show = (change: Partial<typeof state>) => {
    Object.assign(state, change);
    bar.show(progress());
  };
  return {
    checked: (bytes) => show({ done: bytes, verb: "checked" }),
    bytes: (read) => show({ done: read, verb: "read" }),
    rows: (count) => show({ rows: count }),
    stored: (count, total) => show({ stored: `, ${count} of ${total} licenses stored` }),
    stop: bar.stop,
  };
}
