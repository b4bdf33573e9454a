import { once } from "node:events";
import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "../../cli/runProgram.ts";
import { type Line, write } from "../../cli/terminalOutput.ts";
import { type Columns, tableOf } from "./table.ts";

/**
 * Shows a table repeatedly until the reader is gone or the program ends. On a terminal, redraws the table, limited to
 * the terminal's height. In a pipe, writes a row as a line whenever the row changes.
 */
export async function watch<Row>(
  stdout: Terminal["stdout"],
  columns: Columns<Row>,
  read: () => Promise<readonly Row[]>,
  everyMilliseconds = 1_000,
): Promise<void> {
  const gone = new AbortController();
  const show = stdout.isTTY ? redrawing(stdout, columns) : appending(stdout, columns);
  void Promise.race([once(stdout, "close"), once(stdout, "error")]).then(
    () => gone.abort(),
    () => gone.abort(),
  );
  while (!gone.signal.aborted) {
    show(await read());
    await sleep(everyMilliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
  }
}

type Show<Row> = (rows: readonly Row[]) => void;

/** Cuts lines to the terminal's width: wrapped lines would break the count of lines to overwrite. */
function redrawing<Row>(stdout: Terminal["stdout"], columns: Columns<Row>): Show<Row> {
  let drawn = 0;
  return (read) => {
    const height = (stdout.rows || 24) - 1;
    const { heading, rows, note } = tableOf(stdout, read.slice(0, height), columns);
    const lines = [heading, ...rows, ...note].slice(0, height);
    moveCursor(stdout, 0, -drawn);
    cursorTo(stdout, 0);
    clearScreenDown(stdout);
    write(stdout, ...lines);
    drawn = lines.length;
  };
}

function appending<Row>(stdout: Terminal["stdout"], columns: Columns<Row>): Show<Row> {
  const shown = new Set<string>();
  // A row may have parts with styles.
  const keyOf = (row: Line) => JSON.stringify(row);
  return (read) => {
    const { heading, rows } = tableOf(stdout, read, columns);
    const fresh = rows.filter((row) => !shown.has(keyOf(row)));
    if (fresh.length > 0) write(stdout, ...(shown.size === 0 ? [heading, ...fresh] : fresh));
    shown.clear();
    for (const row of rows) shown.add(keyOf(row));
  };
}
