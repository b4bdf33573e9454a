import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import type { FileRow } from "../../shared/licenses/importRegister.ts";
import { columnName, neededColumns } from "../../shared/licenses/registerRow.ts";
import { StageError } from "../local/stageError.ts";

/** Characters of one row; a quote that is never closed must not make a row of the whole file. */
const mostRowSize = 200_000;

/**
 * Reads the rows of a register's CSV file, one after the other, however long it is.
 *
 * @param progress told how many bytes of the file are read
 * @throws StageError when the file cannot be read or lacks a column that is needed
 */
export async function* registerRows(file: string, progress: (bytes: number) => void): AsyncGenerator<FileRow> {
  const refused: FileRow[] = [];
  let headed = false;
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: mostRowSize,
    columns: (header: string[]) => {
      headed = true;
      const names = header.map(columnName);
      const missing = neededColumns.filter((needed) => !names.includes(needed));
      if (missing.length > 0) throw new StageError(`${file} has no column ${missing.join(" and no column ")}.`);
      return names;
    },
    on_skip: (error) => void (error && refused.push({ line: lineOf(error), unreadable: reasonOf(error) })),
  });
  const stream = createReadStream(file, "utf8");
  stream.on("data", () => progress(stream.bytesRead));
  // What goes wrong in the file's stream ends the parser's, and is thrown below.
  pipeline(stream, lineFeeds, parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRow>) {
      yield* refused.splice(0);
      yield { line: info.lines, values: record };
    }
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall ? new StageError(`Cannot read ${file}: ${code}.`) : error;
  } finally {
    stream.destroy();
  }
  yield* refused;
  if (!headed) throw new StageError(`${file} is empty.`);
}

/** Makes `\n` of every `\r\n`, which the parser would count as two lines within quotes. */
async function* lineFeeds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const text of texts) {
    const whole = held + text;
    held = whole.endsWith("\r") ? "\r" : "";
    yield whole.slice(0, whole.length - held.length).replaceAll("\r\n", "\n");
  }
  yield held;
}

interface CsvRow {
  record: Record<string, string>;
  info: { lines: number };
}

const reasons: Partial<Record<CsvError["code"], string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: "has another number of columns than the first line",
  CSV_QUOTE_NOT_CLOSED: "opens a quote that is never closed",
  CSV_INVALID_CLOSING_QUOTE: "has text behind a closing quote",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "has text behind a closing quote",
  INVALID_OPENING_QUOTE: "has a quote within a value that is not quoted",
  CSV_MAX_RECORD_SIZE: "is too long",
};

function reasonOf({ code }: CsvError): string {
  return reasons[code] ?? "is no CSV";
}

function lineOf(error: CsvError): number {
  return (error as CsvError & { lines: number }).lines;
}
