import { Help, Option } from "@commander-js/extra-typings";
import stringWidth from "string-width";
import { UUID } from "../../../shared/api/patterns.ts";
import { withEscapes } from "../../../shared/text/invisible.ts";
import { cut, type Line, type Styled } from "../../cli/terminalOutput.ts";
import { writeJson } from "../../local/prettyJson.ts";
import type { Screen, Session } from "./session.ts";
import { title } from "./terminal.ts";

type Cell = string | number | Styled | null | undefined;

/** Columns by heading, each with the function that returns a row's cell. An empty cell shows "-". */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Columns whose headings are the names of their fields. */
export const fields = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, (row: Record<Name, Cell>) => row[name]])) as Record<
    Name,
    (row: Readonly<Record<Name, Cell>>) => Cell
  >;

/** A table: its headings, and a line for each row. */
export interface TableLines {
  heading: Styled;
  rows: Line[];
  /** Names the columns that were omitted because the terminal is too narrow. */
  note: string[];
  /** Whether all columns are shown, with whole ids. */
  isComplete: boolean;
}

/** The option `--json` of commands that list or show. */
export const jsonOption = () =>
  new Option("--json", "prints JSON for scripts: npm run --silent operator -- … (docs/operations/operator-lists.md)");

const gap = 2;
/** A cell up to this width is never cut, so that states and statuses stay whole. */
const shortest = 18;
/** The characters of a shortened id. Commands accept the beginning of an id. */
const shortId = 8;

/**
 * Lays out rows below their headings. In a pipe, cells are never cut. On a terminal that is too narrow, ids are shortened
 * to their beginnings, columns without a value are omitted, then the last columns, and an ellipsis cuts the widest cells.
 */
export function tableOf<Row>(screen: Screen, rows: readonly Row[], columns: Columns<Row>): TableLines {
  const headings = Object.keys(columns);
  const room = screen.isTTY ? screen.columns || 80 : Number.POSITIVE_INFINITY;
  const whole = headings.map((heading) =>
    columnOf(
      heading,
      rows.map((row) => textOf(columns[heading]?.(row))),
    ),
  );
  const fits = totalOf(whole.map(sizesOf).map(({ width }) => width)) <= room;
  const { shown, widths } = layOut(fits ? whole : whole.map(withShortIds), room);
  const lineOf = (cells: readonly CellText[]): Line => {
    const parts = cells.map(({ style, text }, i) => {
      const cell = cut(text, widths[i] ?? 0);
      const padding = i < cells.length - 1 ? " ".repeat((widths[i] ?? 0) + gap - stringWidth(cell)) : "";
      return style ? { style, text: cell + padding } : cell + padding;
    });
    return parts.some((part) => typeof part === "object") ? parts : parts.join("");
  };
  const omitted = whole.filter(({ heading }) => !shown.some((column) => column.heading === heading));
  const names = omitted.map((column) => (isEmpty(column) ? `${column.heading} (empty)` : column.heading)).join(", ");
  return {
    heading: title(String(lineOf(shown.map(({ heading }) => textOf(heading))))),
    rows: rows.map((_, row) => lineOf(shown.map(({ cells }) => cells[row] ?? textOf("")))),
    note: names ? wrapped(`Not shown: ${names}`, room) : [],
    isComplete:
      omitted.length === 0 &&
      shown.every(({ cells }, i) => cells.every(({ text }, row) => text === whole[i]?.cells[row]?.text)),
  };
}

/** The table as lines to print. */
export function tableLines<Row>(...table: Parameters<typeof tableOf<Row>>): Line[] {
  const { heading, rows, note, isComplete } = tableOf(...table);
  return [heading, ...rows, ...note, ...(isComplete ? [] : ["Add --wide to see everything."])];
}

/**
 * Prints a list as a table, or as a JSON array of the rows. Scripts may rely on its field names.
 *
 * @param how.none output of the table if there is no row
 */
export function printList<Row extends object>(
  { print, stdout, screen }: Pick<Session, "print" | "stdout" | "screen">,
  rows: readonly Row[],
  columns: Columns<Row>,
  { json, none }: { json: boolean | undefined; none: string },
): void {
  if (json) writeJson(stdout, rows);
  else for (const line of rows.length > 0 ? tableLines(screen, rows, columns) : [none]) print(line);
}

interface CellText {
  style?: Styled["style"] | undefined;
  text: string;
}

interface Column {
  heading: string;
  cells: readonly CellText[];
  /** whether cells are ids or instants, which an ellipsis must not cut */
  isWhole: boolean;
}

/** Escapes a cell, since escapes make some cells wider. */
function textOf(cell: Cell): CellText {
  const { style, text }: CellText = typeof cell === "object" && cell !== null ? cell : { text: String(cell ?? "-") };
  return { style, text: withEscapes(text) };
}

const columnOf = (heading: string, cells: readonly CellText[]): Column => ({
  heading,
  cells,
  isWhole: cells.some(({ text }) => UUID.test(text) || /^\d{4}-\d\d-\d\dT/.test(text)),
});

const isEmpty = ({ cells }: Column): boolean => cells.every(({ text }) => text === "-");

const anyId = new RegExp(UUID.source.replace(/^\^|\$$/g, ""), "gi");

/** Shortens ids to their beginnings, as far as different ids of the column stay different. */
function withShortIds({ cells, ...column }: Column): Column {
  const shortenedTo = (length: number) =>
    cells.map(({ text, ...cell }) => ({ ...cell, text: text.replace(anyId, (id) => id.slice(0, length)) }));
  const distinct = (of: readonly CellText[]) => new Set(of.map(({ text }) => text)).size;
  let length = shortId;
  while (distinct(shortenedTo(length)) < distinct(cells)) length++;
  return { ...column, cells: shortenedTo(length) };
}

/** Returns the width of a column, and its minimum. */
function sizesOf({ heading, cells, isWhole }: Column): { width: number; least: number } {
  const texts = [heading, ...cells.map(({ text }) => text)];
  const width = texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
  return { width, least: isWhole ? width : Math.min(width, shortest) };
}

const totalOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + gap, -gap);

/** The columns that fit next to each other, with their widths. */
function layOut(columns: readonly Column[], room: number): { shown: readonly Column[]; widths: number[] } {
  const shown = [...columns];
  const leasts = () => shown.map((column) => sizesOf(column).least);
  while (shown.length > 1 && totalOf(leasts()) > room) {
    const empty = shown.findLastIndex((column, i) => i > 0 && isEmpty(column));
    shown.splice(empty >= 0 ? empty : shown.length - 1, 1);
  }
  const widths = shown.map((column) => sizesOf(column).width);
  // The widest of the columns that can be cut gives room.
  for (;;) {
    const giving = leasts().map((least, i) => (widths[i] ?? 0) - least);
    const candidates = widths.filter((_, i) => (giving[i] ?? 0) > 0);
    if (totalOf(widths) <= room || candidates.length === 0) break;
    const widest = widths.findIndex((width, i) => (giving[i] ?? 0) > 0 && width === Math.max(...candidates));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return { shown, widths: widths.length === 1 ? [Math.min(widths[0] ?? 0, room)] : widths };
}

/** Wraps a text to the width. */
function wrapped(text: string, room: number): string[] {
  const help = Object.assign(new Help(), { minWidthToWrap: 1 });
  return help.boxWrap(text, room).split("\n");
}
