import type { RecordKind } from "../../../shared/api/kinds.ts";
import { moneyNames, nested } from "../../../shared/pos/upload/columns.ts";
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
 * @param kind of its records
 * @param schemas of all kinds, so that a message can name the kind that matches the file
 * @param progress called with the number of bytes read so far
 * @throws StageError for another extension; reading a row also throws StageError if the file cannot be read or its
 * columns do not match the kind
 */
export function openUpload(
  file: string,
  kind: RecordKind,
  schemas: UploadedRecords,
  progress: (bytes: number) => void,
): UploadedFile {
  const [, extension = ""] = /\.([^./\\]+)$/.exec(file.toLowerCase()) ?? [];
  if (extension === "csv") return { rows: rowsOfCsv(file, kind, schemas, progress), firstEntry: 1 };
  if (["ndjson", "jsonl"].includes(extension)) {
    return { rows: rowsOfNdjson(file, moneyNames(schemas[kind]), progress), firstEntry: 0 };
  }
  throw new StageError(`${file} must have the extension .csv or .ndjson, according to its format.`);
}

async function* rowsOfCsv(
  file: string,
  kind: RecordKind,
  schemas: UploadedRecords,
  progress: (bytes: number) => void,
): AsyncGenerator<UploadedRow> {
  const columnsOf = (header: string[]) => {
    const { columns, fault } = readHeader(schemas, kind, header);
    if (fault) throw new StageError(`Cannot read ${file}: ${fault}${fault.endsWith("?") ? "" : "."}`);
    return columns;
  };
  for await (const row of csvRows(file, columnsOf, progress)) {
    if ("fault" in row) yield { line: row.line, unreadable: row.fault };
    else {
      const value = nested(row.values);
      // Spreadsheets save empty rows behind the last one.
      if (Object.keys(value).length > 0) yield { line: row.line, value };
    }
  }
}

async function* rowsOfNdjson(
  file: string,
  exactFields: ReadonlySet<string>,
  progress: (bytes: number) => void,
): AsyncGenerator<UploadedRow> {
  for await (const row of ndjsonRows(file, exactFields, progress)) {
    yield "fault" in row ? { line: row.line, unreadable: row.fault } : row;
  }
}
