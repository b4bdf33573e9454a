import { statSync } from "node:fs";
import { SingleBar } from "cli-progress";
import type { Terminal } from "../../cli/runProgram.ts";

/** Shows the progress of a file: bytes checked, then bytes read, rows processed, and records stored. */
export interface FileBar {
  checked(bytes: number): void;
  bytes(read: number): void;
  rows(count: number): void;
  stored(count: number): void;
  /** Restores the terminal; may be called repeatedly. */
  stop(): void;
}

/** A progress bar on a terminal; no output elsewhere. */
export function startFileBar(file: string, stdout: Terminal["stdout"]): FileBar {
  if (!stdout.isTTY) return { checked: nothing, bytes: nothing, rows: nothing, stored: nothing, stop: nothing };
  const bar = new SingleBar({
    format: "  {bar} {percentage}%{checked} {rows} rows{stored}",
    hideCursor: true,
    barsize: 40,
  });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  bar.start(Math.max(1, size), 0, { checked: "", rows: 0, stored: "" });
  return {
    checked: (bytes) => bar.update(bytes, { checked: " checked," }),
    bytes: (read) => bar.update(read, { checked: "" }),
    rows: (count) => bar.update({ rows: count }),
    stored: (count) => bar.update({ stored: `, ${count} licenses stored` }),
    stop: () => bar.stop(),
  };
}

const nothing = () => undefined;
