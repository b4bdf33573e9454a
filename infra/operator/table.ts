import { Option } from "@commander-js/extra-typings";
import CliTable from "cli-table3";
import stringWidth from "string-width";
import { withEscapes } from "../../shared/text/invisible.ts";
import { prettyJson } from "../local/prettyJson.ts";
import type { Terminal } from "../local/runProgram.ts";
import type { Line, Styled } from "../local/write.ts";
import type { Session } from "./session.ts";
import { title } from "./terminal.ts";

/** Columns by their headings, each with what its cells show of a row; "-" where that is nothing. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null | undefined>>;

/** The lines of a table: its headings, and a line for each row. */
export interface TableLines {
  heading: Styled;
  rows: string[];
  /** Names the columns for which the terminal has no room, where there are such. */
  note: string[];
}

/** `--json` of a command that lists or shows. */
export const jsonOption = () => new Option("--json", "prints JSON for scripts (docs/operations.md)");

const gap = 2;
/** A cell that is no longer than this is never cut. */
const uncut = 12;
/** To so many characters one may be cut, the ellipsis among them. */
const shortest = 9;

/**
 * Rows below their headings. In a pipe cells are whole; on a terminal the widest are cut with an ellipsis until the table
 * fits its width, and where that is not enough, columns are left out, the last one first.
 */
export function tableOf<Row>(
  stdout: Pick<Terminal["stdout"], "isTTY" | "columns">,
  rows: readonly Row[],
  columns: Columns<Row>,
): TableLines {
  const headings = Object.keys(columns);
  // As they are written, which makes some longer.
  const cells = rows.map((row) => Object.values(columns).map((cell) => withEscapes(String(cell(row) ?? "-"))));
  const room = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  const natural = headings.map((heading, i) =>
    Math.max(...[heading, ...cells.map((row) => row[i] ?? "")].map((text) => stringWidth(text))),
  );
  const least = natural.map((width, i) =>
    width <= uncut || cells.some((row) => isInstant(row[i])) ? width : shortest,
  );
  const widths = widthsOf(natural, least, room);
  const table = new CliTable({
    chars: { ...withoutLines, middle: " ".repeat(gap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colWidths: widths,
  });
  table.push(...[headings, ...cells].map((row) => row.slice(0, widths.length)));
  const [first = "", ...lines] = table.toString().split("\n");
  const leftOut = headings.slice(widths.length).join(", ");
  return {
    heading: title(first.trimEnd()),
    rows: lines.map((line) => line.trimEnd()),
    note: leftOut ? [`Not shown: ${leftOut}`.slice(0, room)] : [],
  };
}

/** The same as lines to be printed. */
export function tableLines<Row>(...table: Parameters<typeof tableOf<Row>>): Line[] {
  const { heading, rows, note } = tableOf(...table);
  return [heading, ...rows, ...note];
}

/**
 * Prints a list: as a table, or as a JSON array of the rows, whose field names scripts may rely on.
 *
 * @param how.json as `--json` says
 * @param how.none what a person is told where there is no row
 */
export function printList<Row extends object>(
  { print, stdout }: Pick<Session, "print" | "stdout">,
  rows: readonly Row[],
  columns: Columns<Row>,
  { json, none }: { json: boolean | undefined; none: string },
): void {
  if (json) print(...prettyJson(rows));
  else print(...(rows.length > 0 ? tableLines(stdout, rows, columns) : [none]));
}

/** An instant means nothing when it is cut. */
const isInstant = (cell = "") => /^\d{4}-\d\d-\d\dT/.test(cell);

/** Widths in which as many columns as can be stand beside each other: the widest that may be cut gives first. */
function widthsOf(natural: readonly number[], least: readonly number[], room: number): number[] {
  const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + gap, -gap);
  let count = natural.length;
  while (count > 1 && total(least.slice(0, count)) > room) count--;
  const widths = natural.slice(0, count);
  while (total(widths) > room) {
    const widest = Math.max(...widths.filter((width, i) => width > (least[i] ?? 0)));
    const index = widths.findIndex((width, i) => width === widest && width > (least[i] ?? 0));
    if (index < 0) return [room];
    widths[index] = widest - 1;
  }
  return widths;
}

const withoutLines = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right", "left", "left-mid"]
    .concat(["mid", "mid-mid", "right", "right-mid"])
    .map((name) => [name, ""]),
);
