import type { RecordKind } from "../../../shared/api/kinds.ts";
import { isEmptyCell, trimCell } from "../../../shared/cells/cellText.ts";
import { nested } from "../../../shared/pos/upload/columns.ts";
import { readHeader } from "../../../shared/pos/upload/header.ts";
import type { UploadedRow, UploadOptions } from "../../../shared/pos/upload/uploadConnector.ts";
import type { UploadedRecords } from "../../../shared/pos/upload/uploadedRecords.ts";
import { StageError } from "../../cli/stageError.ts";
import { csvRows } from "./csvRows.ts";
import { ndjsonRows } from "./ndjsonRows.ts";

/** The rows of a file, and the number of its first list entry in error messages (0 or 1). */
export interface UploadedFile extends Pick<UploadOptions, "firstEntry"> {
  rows: AsyncIterable<UploadedRow>;
}

/**
 * Opens a file for upload, CSV or NDJSON by its extension.
 *
 * @param schemas of all kinds, so that a message can name the kind that matches the file
 * @throws StageError for another extension; reading a row also throws StageError if the file cannot be read or its
 * columns do not match the kind
 */
export function openUpload(
  file: string,
  kind: RecordKind,
  schemas: UploadedRecords,
  progress: (bytes: number) => void,
  above?: (texts: string[]) => void,
): UploadedFile {
  const [, extension = ""] = /\.([^./\\]+)$/.exec(file.toLowerCase()) ?? [];
  if (extension === "csv") return { rows: rowsOfCsv(file, kind, schemas, progress, above), firstEntry: 1 };
  if (["ndjson", "jsonl"].includes(extension)) {
    return { rows: rowsOfNdjson(file, progress), firstEntry: 0 };
  }
  throw new StageError(`${file} must have the extension .csv or .ndjson, according to its format.`);
}

async function* rowsOfCsv(
  file: string,
  kind: RecordKind,
  schemas: UploadedRecords,
  progress: (bytes: number) => void,
  above?: (texts: string[]) => void,
): AsyncGenerator<UploadedRow> {
  const columnsOf = (header: string[], texts: string[]) => {
    above?.(texts);
    const { columns, fault } = readHeader(schemas, kind, header);
    if (fault) throw new StageError(`Cannot read ${file}: ${fault}${fault.endsWith("?") ? "" : "."}`);
    return columns;
  };
  const unnamed = new UnnamedColumns();
  // A row that lacks its first value has a name in the column of the id, which is not hashed.
  const isShortRowWhole = kind !== "customer";
  for await (const row of csvRows(file, (...header) => unnamed.find(columnsOf(...header)), progress, isShortRowWhole)) {
    if ("fault" in row) yield { line: row.line, unreadable: row.fault };
    else if (!unnamed.canDrop(row)) yield { line: row.line, unreadable: "unnamed_column" };
    else {
      const value = nested(row.values);
      // Spreadsheets save empty rows behind the last one.
      if (Object.keys(value).length > 0) yield { line: row.line, value };
    }
  }
}

/** Columns without a name. Their cells must not get lost, unless they are empty or number the rows. */
class UnnamedColumns {
  #places: number[] = [];
  readonly #lastNumbers = new Map<number, number>();

  /** Finds the columns, and returns all names as they are. */
  find(columns: string[]): string[] {
    this.#places = columns.flatMap((name, i) => (name === "" ? [i] : []));
    return columns;
  }

  /** Whether the cells of a row in these columns can be dropped. Call it for each row in the file's order. */
  canDrop({ line, cells }: { line: number; cells: readonly string[] }): boolean {
    return this.#places.every(
      (i, at) => isEmptyCell(cells[i] ?? "") || (i === at && this.#isRowNumber(i, cells[i], line)),
    );
  }

  /**
   * Whether a cell is the number of its row, which pandas and R write into a first column: counted up from 0 or 1. A file
   * that was read and written again has several such columns.
   */
  #isRowNumber(column: number, cell = "", line: number): boolean {
    const number = /^\d{1,9}$/.test(trimCell(cell)) ? Number(trimCell(cell)) : Number.NaN;
    // The names of the columns have a line, and a row that cannot be read has a number.
    const isNext = number > (this.#lastNumbers.get(column) ?? -1) && number < line;
    if (isNext) this.#lastNumbers.set(column, number);
    return isNext;
  }
}

async function* rowsOfNdjson(file: string, progress: (bytes: number) => void): AsyncGenerator<UploadedRow> {
  for await (const row of ndjsonRows(file, progress)) {
    yield "fault" in row ? { line: row.line, unreadable: row.fault } : row;
  }
}
