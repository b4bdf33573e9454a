import type { FileRow } from "../../../shared/domain/licenses/readFileLicenses.ts";
import { columnName, neededColumns } from "../../../shared/domain/licenses/registerRow.ts";
import { StageError } from "../../cli/stageError.ts";
import { csvRows } from "./csvRows.ts";
import type { CsvFault } from "./skippedLines.ts";

/**
 * Reads the rows of a register's CSV file one at a time.
 *
 * @param progress called with the number of bytes read so far
 * @throws StageError if the file cannot be read or lacks a required column
 */
export async function* registerRows(file: string, progress: (bytes: number) => void): AsyncGenerator<FileRow> {
  const columnsOf = (header: string[]) => {
    const names = header.map(columnName);
    const missing = neededColumns.filter((needed) => !names.includes(needed));
    if (missing.length > 0) throw new StageError(`${file} has no column ${missing.join(" and no column ")}.`);
    return names;
  };
  for await (const row of csvRows(file, columnsOf, progress)) {
    yield "values" in row ? row : { line: row.line, unreadable: reasons[row.fault] };
  }
}

const reasons: Readonly<Record<CsvFault, string>> = {
  column_count: "has more or fewer columns than the first line",
  stray_quote: "has a quote inside an unquoted value, or text after a closing quote",
  open_quote: "opens a quote that is never closed, or is too long",
  within_quotes: "is part of a quoted value that begins in an earlier line",
  not_csv: "is not valid CSV",
};
