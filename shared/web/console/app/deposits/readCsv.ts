import { CsvError, parse } from "csv-parse/browser/esm/sync";

/** A row of a file. */
export interface FileRow {
  /** The row in a spreadsheet program: the first one has 1. */
  number: number;
  cells: readonly string[];
}

/** The rows of a CSV file. */
export interface CsvFile {
  /** The names of the columns, each only once. */
  columns: readonly string[];
  rows: readonly FileRow[];
}

/** Rows of a file at most: a day of a large bank has fewer, and the browser keeps them in memory. */
const maxRows = 50_000;
/** Rows with those that are empty, or above the names of the columns. */
const maxRecords = 2 * maxRows;

const delimiters = [",", ";", "\t", "|"] as const;

/** The delimiter that is most frequent in the first line with any. */
function delimiterOf(text: string): string {
  const line =
    text.split(/\r?\n|\r/, 50).find((each) => delimiters.some((delimiter) => each.includes(delimiter))) ?? "";
  const countOf = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

/**
 * Reads a CSV file. Its first row with at least two cells names the columns.
 *
 * @returns the file, or a problem in words
 */
export function readCsv(text: string): CsvFile | { problem: string } {
  let records: string[][];
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      to: maxRecords,
    });
  } catch (failure) {
    if (!(failure instanceof CsvError)) throw failure;
    return { problem: `The file is no CSV: a quotation mark in line ${failure.lines} is not as it must be.` };
  }
  const first = records.findIndex((cells) => cells.filter((cell) => cell.trim()).length > 1);
  const header = records[first];
  if (!header) return { problem: "The file has no row with the names of at least two columns." };
  const rows = records
    .map((cells, index) => ({ number: index + 1, cells }))
    .slice(first + 1)
    .filter(({ cells }) => cells.some((cell) => cell.trim()));
  if (rows.length === 0) return { problem: "The file has no row below the names of its columns." };
  if (rows.length > maxRows || records.length === maxRecords)
    return { problem: `The file has more than ${maxRows.toLocaleString()} rows. Choose a file of fewer days.` };
  return { columns: namedOnce(header), rows };
}

/** Names of columns; one without a name gets its position, and a repeated one too. */
function namedOnce(header: readonly string[]): string[] {
  const names: string[] = [];
  header.forEach((cell, index) => {
    const name = cell.trim();
    names.push(name && !names.includes(name) ? name : `${name || "Column"} (${index + 1})`);
  });
  return names;
}
