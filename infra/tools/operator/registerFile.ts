import type { LicenseSearchState } from "../../../shared/api/enumerations.ts";
import { layouts } from "../../../shared/domain/licenses/layouts/layouts.ts";
import {
  findLayout,
  layoutColumns,
  type RegisterLayout,
  readLayoutRow,
} from "../../../shared/domain/licenses/layouts/registerLayout.ts";
import type { FileRow } from "../../../shared/domain/licenses/readFileLicenses.ts";
import { columnName, neededColumns } from "../../../shared/domain/licenses/registerRow.ts";
import { StageError } from "../../cli/stageError.ts";
import { csvRows } from "./csvRows.ts";
import type { CsvFault } from "./skippedLines.ts";

/**
 * Finds the layout of a register's file by its first line; undefined if the file has the columns of `columnName`.
 *
 * @throws StageError if the file cannot be read, or has neither a known layout nor the required columns
 */
export async function layoutOf(file: string, state: LicenseSearchState): Promise<RegisterLayout | undefined> {
  let layout: RegisterLayout | undefined;
  const columnsOf = (header: string[]) => {
    layout = findLayout(layouts, state, header);
    return layout ? layoutColumns(layout, header) : namesOf(file, header);
  };
  for await (const _ of csvRows(file, columnsOf, () => undefined)) break;
  return layout;
}

/**
 * Reads the rows of a register's CSV file one at a time.
 *
 * @param layout how the state publishes the file; undefined for the columns of `columnName`
 * @param progress called with the number of bytes read so far
 * @throws StageError if the file cannot be read or lacks a required column
 */
export async function* registerRows(
  file: string,
  layout: RegisterLayout | undefined,
  progress: (bytes: number) => void,
): AsyncGenerator<FileRow> {
  const columnsOf = (header: string[]) => (layout ? layoutColumns(layout, header) : namesOf(file, header));
  for await (const row of csvRows(file, columnsOf, progress)) {
    const { line } = row;
    if (!("values" in row)) yield { line, unreadable: reasons[row.fault] };
    else if (layout) yield { line, values: readLayoutRow(layout, row.values) };
    else yield row;
  }
}

function namesOf(file: string, header: readonly string[]): string[] {
  const names = header.map(columnName);
  const missing = neededColumns.filter((needed) => !names.includes(needed));
  if (missing.length > 0) throw new StageError(`${file} has no column ${missing.join(" and no column ")}.`);
  return names;
}

const reasons: Readonly<Record<CsvFault, string>> = {
  column_count: "has more values than columns, or is a part of a row",
  cut_off: "is the last line and ends before its last value; the file may be incomplete",
  repeated_header: "repeats the names of the columns",
  stray_quote: "has a quote inside an unquoted value, or text after a closing quote",
  open_quote: "opens a quote that is never closed, or is too long",
  within_quotes: "is part of a quoted value that begins in an earlier line",
  not_csv: "is not valid CSV",
};
