import type { LicenseSearchState } from "../../../shared/api/enumerations.ts";
import { layouts } from "../../../shared/domain/licenses/layouts/layouts.ts";
import { findLayout, type RegisterLayout } from "../../../shared/domain/licenses/layouts/registerLayout.ts";
import type { FileRow } from "../../../shared/domain/licenses/readFileLicenses.ts";
import { RegisterColumns } from "../../../shared/domain/licenses/registerColumns.ts";
import { StageError } from "../../cli/stageError.ts";
import type { CsvFault } from "./csvLines.ts";
import { csvRows } from "./csvRows.ts";

/** How a register's file is read: by the layout of its state if it has one, and by its columns. */
export interface RegisterFile {
  layout: RegisterLayout | undefined;
  columns: RegisterColumns;
  /** texts of the lines above the names of the columns */
  above: string[];
}

/**
 * Reads the names of a file's columns.
 *
 * @throws StageError if the file cannot be read, or has neither a known layout nor the required columns
 */
export async function openRegister(file: string, state: LicenseSearchState): Promise<RegisterFile> {
  let header: string[] = [];
  let above: string[] = [];
  const keep = (names: string[], texts: string[]) => {
    header = names;
    above = texts;
    return names;
  };
  for await (const _ of csvRows(file, keep, () => undefined)) break;
  const layout = findLayout(layouts, state, header);
  const columns = new RegisterColumns(header, layout);
  const { missing, isAnyKnown } = columns;
  if (missing.length === 0) return { layout, columns, above };
  const remedy = isAnyKnown
    ? ""
    : " The first line with several values must name the columns. Delete all lines above the names, such as a title.";
  throw new StageError(`${file} has no column ${missing.join(" and no column ")}.${remedy}`);
}

/**
 * Reads the rows of a register's CSV file one at a time.
 *
 * @throws StageError if the file cannot be read, or two columns of one field differ
 */
export async function* registerRows(
  file: string,
  { columns }: RegisterFile,
  progress: (bytes: number) => void,
): AsyncGenerator<FileRow> {
  for await (const row of csvRows(file, (header) => header, progress)) {
    const { line } = row;
    if ("fault" in row) {
      yield { line, unreadable: reasons[row.fault] };
      continue;
    }
    // Names of columns may repeat, so the cells count, not the values by name.
    const read = columns.read(row.cells);
    if ("clash" in read) {
      const { field, columns: names } = read.clash;
      throw new StageError(
        `${file} has two columns for ${field}, "${names[0]}" and "${names[1]}", which differ in line ${line}. Nothing was imported. Delete or rename the column that does not have the ${field} of the license.`,
      );
    }
    yield { line, values: read.values };
  }
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
