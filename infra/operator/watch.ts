import { once } from "node:events";
import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "../local/runProgram.ts";
import { write } from "../local/write.ts";
import { columns } from "./terminal.ts";

/** A table as it stands. */
export interface Rows {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

/**
 * Shows a table again and again, until whoever reads it is gone or ends the program: on a terminal over itself, as many
 * lines as that has; elsewhere each row as a line whenever it has changed.
 *
 * @param everyMilliseconds from one look to the next
 */
export async function watch(
  stdout: Terminal["stdout"],
  read: () => Promise<Rows>,
  everyMilliseconds = 1_000,
): Promise<void> {
  const gone = new AbortController();
  const show = stdout.isTTY ? redrawing(stdout) : appending(stdout);
  void Promise.race([once(stdout, "close"), once(stdout, "error")]).then(
    () => gone.abort(),
    () => gone.abort(),
  );
  while (!gone.signal.aborted) {
    show(await read());
    await sleep(everyMilliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
  }
}

function redrawing(stdout: Terminal["stdout"] & { rows?: number }): (table: Rows) => void {
  let drawn = 0;
  return ({ headings, rows }) => {
    const lines = columns(headings, rows).slice(0, (stdout.rows ?? 24) - 1);
    moveCursor(stdout, 0, -drawn);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    write(stdout, ...lines);
    drawn = lines.length;
  };
}

function appending(stdout: Terminal["stdout"]): (table: Rows) => void {
  const shown = new Set<string>();
  return ({ headings, rows }) => {
    const [title, ...lines] = columns(headings, rows);
    const fresh = lines.filter((line) => !shown.has(line));
    if (fresh.length > 0) write(stdout, ...(shown.size === 0 ? [title, ...fresh] : fresh));
    shown.clear();
    for (const line of lines) shown.add(line);
  };
}
