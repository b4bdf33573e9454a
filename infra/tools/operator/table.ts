import { Help, Option } from "@commander-js/extra-typings";
import CliTable from "cli-table3";
import stringWidth from "string-width";
import { UUID } from "../../../shared/api/patterns.ts";
import { withEscapes } from "../../../shared/text/invisible.ts";
import type { Terminal } from "../../cli/runProgram.ts";
import { cut, type Line, type Styled } from "../../cli/terminalOutput.ts";
import { writeJson } from "../../local/prettyJson.ts";
import type { Session } from "./session.ts";
import { title } from "./terminal.ts";

/** Columns by heading, each with the function that returns a row's cell. An empty cell shows "-". */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null | undefined>>;

/** A table: its headings, and a line for each row. */
export interface TableLines {
  heading: Styled;
  rows: string[];
  /** Names the columns that were omitted because the terminal is too narrow. */
  note: string[];
}

/** The option `--json` of commands that list or show. */
export const jsonOption = () =>
  new Option("--json", "prints JSON for scripts: npm run --silent operator -- … (docs/operations/operator-lists.md)");

const gap = 2;
/** A cell up to this width is never cut, so that states and statuses stay whole. */
const shortest = 18;
/**
 * Lays out rows below their headings. In a pipe, cells are never cut. On a terminal, an ellipsis cuts the widest cells
 * until the table fits. If that is not enough, the last columns are omitted. Ids are never cut, since other commands
 * take them.
 */
export function tableOf<Row>(
  stdout: Pick<Terminal["stdout"], "isTTY" | "columns">,
  rows: readonly Row[],
  columns: Columns<Row>,
): TableLines {
  const headings = Object.keys(columns);
  // Escaped first, since escapes make some cells wider.
  const cells = rows.map((row) => Object.values(columns).map((cell) => withEscapes(String(cell(row) ?? "-"))));
  const room = stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY;
  const widths = widthsOf(
    headings.map((heading, i) => sizesOf([heading, ...cells.map((row) => row[i] ?? "")])),
    room,
  );
  const table = new CliTable({
    chars: { ...withoutLines, middle: " ".repeat(gap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colWidths: widths,
  });
  for (const row of [headings, ...cells]) table.push(widths.map((width, i) => cut(row[i] ?? "", width)));
  const [first = "", ...lines] = table.toString().split("\n");
  const omitted = headings.slice(widths.length).join(", ");
  return {
    heading: title(first.trimEnd()),
    rows: lines.map((line) => line.trimEnd()),
    note: omitted ? wrapped(`Not shown: ${omitted}`, room) : [],
  };
}

/** The table as lines to print. */
export function tableLines<Row>(...table: Parameters<typeof tableOf<Row>>): Line[] {
  const { heading, rows, note } = tableOf(...table);
  return [heading, ...rows, ...note];
}

/**
 * Prints a list as a table, or as a JSON array of the rows. Scripts may rely on its field names.
 *
 * @param how.json value of `--json`
 * @param how.none output of the table if there is no row
 */
export function printList<Row extends object>(
  { print, stdout }: Pick<Session, "print" | "stdout">,
  rows: readonly Row[],
  columns: Columns<Row>,
  { json, none }: { json: boolean | undefined; none: string },
): void {
  if (json) writeJson(stdout, rows);
  else for (const line of rows.length > 0 ? tableLines(stdout, rows, columns) : [none]) print(line);
}

/** A column's width, and its minimum. */
interface Sizes {
  width: number;
  least: number;
}

/**
 * Returns the sizes of a column with these texts. Ids and instants are never cut.
 */
function sizesOf(texts: readonly string[]): Sizes {
  const width = texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
  const isWhole = texts.some((text) => UUID.test(text) || /^\d{4}-\d\d-\d\dT/.test(text));
  return { width, least: isWhole ? width : Math.min(width, shortest) };
}

/** The widths of the columns that fit next to each other. */
function widthsOf(columns: readonly Sizes[], room: number): number[] {
  const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + gap, -gap);
  let shown = columns.length;
  while (shown > 1 && total(columns.slice(0, shown).map(({ least }) => least)) > room) shown--;
  const widths = columns.slice(0, shown).map(({ width }) => width);
  // The widest of the columns that can be cut gives room.
  for (;;) {
    const giving = columns.slice(0, shown).map(({ least }, i) => (widths[i] ?? 0) - least);
    const candidates = widths.filter((_, i) => (giving[i] ?? 0) > 0);
    if (total(widths) <= room || candidates.length === 0) break;
    const widest = widths.findIndex((width, i) => (giving[i] ?? 0) > 0 && width === Math.max(...candidates));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths.length === 1 ? [Math.min(widths[0] ?? 0, room)] : widths;
}

/** Wraps a text to the width. */
function wrapped(text: string, room: number): string[] {
  const help = Object.assign(new Help(), { minWidthToWrap: 1 });
  return help.boxWrap(text, room).split("\n");
}

const withoutLines = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right", "left", "left-mid"]
    .concat(["mid", "mid-mid", "right", "right-mid"])
    .map((name) => [name, ""]),
);
