import { isEmptyCell, trimCell } from "../../../shared/cells/cellText.ts";
import { StageError } from "../../cli/stageError.ts";
import { type CsvFault, type CsvLine, type CsvText, csvLines } from "./csvLines.ts";

/**
 * A row of a CSV file: its last line, counted from 1, and its values by column and in the file's order, or the reason
 * why it cannot be read.
 */
export type CsvRow = { line: number } & ({ values: Record<string, string>; cells: string[] } | { fault: CsvFault });

/** Maximum of lines above the line that names the columns, such as the title of a report. */
const maxTitleLines = 20;

/**
 * Reads a CSV file of any size row by row. No line is lost silently: a line that cannot be read is a row with a fault.
 * Spreadsheets leave out empty values at the end of a row, or write too many; both are accepted.
 *
 * @param columnsOf maps the line that names the columns to the keys of `values`; it also gets the lines above, see
 * `describeLinesAbove`
 * @param isShortRowWhole whether a row with fewer values than columns can be read; its missing values are empty
 * @throws StageError if the file cannot be read, is empty, is not UTF-8 text, or is not separated by commas; also every
 * error of `columnsOf`
 */
export async function* csvRows(
  file: string,
  columnsOf: (header: string[], above: string[]) => string[],
  progress: (bytes: number) => void,
  isShortRowWhole = true,
): AsyncGenerator<CsvRow> {
  const text: CsvText = { lines: 0, isBlank: true, isEnded: false };
  const lines = csvLines(file, text, progress);
  try {
    const { header, above, rows } = await readHeader(file, lines, text);
    const table = new CsvTable(header, columnsOf(header, above), isShortRowWhole);
    for (const row of rows) yield* table.add(row);
    for await (const row of lines) yield* table.add(row);
    yield* table.end(text);
  } finally {
    await lines.return(undefined);
  }
}

/** Turns the lines below the names of the columns into rows. */
class CsvTable {
  readonly #header: readonly string[];
  readonly #names: ReadonlySet<string>;
  readonly #columns: readonly string[];
  readonly #shortRows: ShortRows;
  readonly #isShortRowWhole: boolean;

  constructor(header: readonly string[], columns: readonly string[], isShortRowWhole: boolean) {
    this.#isShortRowWhole = isShortRowWhole;
    this.#header = header;
    // A cell may be empty.
    this.#names = new Set(["", ...header.map((name) => trimCell(name).toLowerCase())]);
    this.#columns = columns;
    this.#shortRows = new ShortRows(header.length);
  }

  /** @returns the rows that are known now; a short row is known after some more lines */
  add(row: CsvLine): CsvRow[] {
    if ("cells" in row) {
      // Spreadsheets write rows without values below the last one.
      if (row.cells.every((cell) => trimCell(cell) === "")) return [];
      if (row.cells.length < this.#header.length) return this.#ended(this.#shortRows.add(row.line, row.cells));
    }
    return [...this.#ended(this.#shortRows.end()), "fault" in row ? row : this.#rowOf(row.line, row.cells)];
  }

  /** The last rows. */
  end({ isEnded }: CsvText): CsvRow[] {
    const rows = this.#shortRows.end();
    // A download that was cut off ends within a row. The missing values of this row are not empty.
    const cut = isEnded ? undefined : rows.pop();
    return [...this.#ended(rows), ...(cut ? [{ line: cut.line, fault: "cut_off" as const }] : [])];
  }

  #ended(rows: ReturnType<ShortRows["end"]>): CsvRow[] {
    return rows.map(({ line, cells, isBroken }) =>
      isBroken || !this.#isShortRowWhole ? { line, fault: "column_count" } : this.#rowOf(line, cells),
    );
  }

  #rowOf(line: number, cells: readonly string[]): CsvRow {
    const columns = this.#columns;
    if (!cells.slice(columns.length).every(isEmptyCell)) return { line, fault: "column_count" };
    const all = columns.map((_, i) => cells[i] ?? "");
    if (this.#isHeader(all)) return { line, fault: "repeated_header" };
    return { line, cells: all, values: Object.fromEntries(all.map((cell, i) => [columns[i] ?? "", cell])) };
  }

  /** Whether a row has only names of columns. Their order and number may differ, as in files joined to one. */
  #isHeader(cells: readonly string[]): boolean {
    return cells.every((cell) => this.#names.has(trimCell(cell).toLowerCase()));
  }
}

/**
 * Finds the line that names the columns: the first one with several values, or if there is none the first one with a
 * value. Lines above it belong to a report, such as its title, or to a spreadsheet, such as `sep=,`.
 *
 * @returns the names without empty ones at the end, the texts of the lines above that have one, and the lines below
 * that are already read
 */
async function readHeader(
  file: string,
  lines: AsyncIterator<CsvLine>,
  text: CsvText,
): Promise<{ header: string[]; above: string[]; rows: CsvLine[] }> {
  const read: CsvLine[] = [];
  while (read.length < maxTitleLines) {
    const { value: row, done } = await lines.next();
    if (done) break;
    if ("cells" in row && withoutEmptyEnd(row.cells).length > 1) {
      const above = read.flatMap((line) => ("cells" in line ? withoutEmptyEnd(line.cells) : []));
      return { header: withoutEmptyEnd(row.cells), above, rows: [] };
    }
    read.push(row);
    if ("fault" in row) break;
  }
  const first = read.findIndex((row) => "fault" in row || !row.cells.every(isEmptyCell));
  const header = read[first];
  if (header && "cells" in header)
    return { header: withoutEmptyEnd(header.cells), above: [], rows: read.slice(first + 1) };
  if (text.isBlank || !header) throw new StageError(`${file} is empty.`);
  throw new StageError(`Cannot read ${file}: the first line, which must name the columns, has a misplaced quote.`);
}

/**
 * Says that the lines above the names of the columns are not records.
 *
 * @returns the lines for the terminal: none if there is nothing above
 */
export const describeLinesAbove = (above: readonly string[]): string[] =>
  above.map((text) => `Not read, above the names of the columns: ${JSON.stringify(text.slice(0, 60))}.`);

function withoutEmptyEnd(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => trimCell(cell) !== "") + 1);
}

/** A row with fewer values than the file has columns. */
interface ShortRow {
  line: number;
  cells: string[];
  isBroken: boolean;
}

/** Maximum of rows into which a line break inside a value without quotes may have split one row. */
const maxParts = 8;

/**
 * Finds rows that are parts of one row. Spreadsheets leave out empty values at the end of a row, so a short row is
 * complete. But a line break inside a value without quotes makes several short rows of one. Neighboring short rows
 * that together have the values of exactly one row are probably its parts. A row with a single value may also be one.
 */
class ShortRows {
  readonly #width: number;
  #rows: ShortRow[] = [];

  /** @param width number of the file's columns */
  constructor(width: number) {
    this.#width = width;
  }

  /** Adds the row after the last one. Returns the rows that cannot be parts of later ones. */
  add(line: number, cells: string[]): ShortRow[] {
    this.#rows.push({ line, cells, isBroken: cells.length === 1 });
    let values = 1;
    for (let i = this.#rows.length - 1; i >= 0; i--) {
      values += (this.#rows[i]?.cells.length ?? 0) - 1;
      if (values === this.#width) for (const row of this.#rows.slice(i)) row.isBroken = true;
    }
    return this.#rows.length < maxParts ? [] : this.#rows.splice(0, 1);
  }

  /** Returns the remaining rows. The next row has all values. */
  end(): ShortRow[] {
    return this.#rows.splice(0);
  }
}
