import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { parse } from "csv-parse";
import { StageError } from "../local/stageError.ts";
import { type CsvFault, linesOf, type SkipError, SkippedLines } from "./skippedLines.ts";

/** A row of a CSV file: the line it ends on, counted from 1, and its values by column; or why it cannot be read. */
export type CsvRow = { line: number } & ({ values: Record<string, string> } | { fault: CsvFault });

/** Characters of one row; a quote that is never closed must not make a row of the whole file. */
const mostRowSize = 200_000;

/**
 * Reads the rows of a CSV file, one after the other, however long it is. No line of it is lost silently: what the parser
 * skips is told as rows that cannot be read.
 *
 * @param columnsOf makes the names of the columns of the first line
 * @param progress told how many bytes of the file are read
 * @throws StageError when the file cannot be read or is empty, and what `columnsOf` throws
 */
export async function* csvRows(
  file: string,
  columnsOf: (header: string[]) => string[],
  progress: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const text = { lines: 0 };
  const skipped = new SkippedLines();
  let headed = false;
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: mostRowSize,
    columns: (header: string[]) => {
      headed = true;
      skipped.read({ line: linesOf(header), blank: 0 });
      return columnsOf(header);
    },
    on_skip: (error) => void skipped.skip(error as SkipError),
  });
  const stream = createReadStream(file, "utf8");
  stream.on("data", () => progress(stream.bytesRead));
  // What goes wrong in the file's stream ends the parser's, and is thrown below.
  pipeline(
    stream,
    (texts: AsyncIterable<string>) => lineFeeds(texts, text),
    parser,
    () => undefined,
  );
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      const blank = info.empty_lines;
      yield* skipped.upTo({ line: info.lines - linesOf(Object.values(record)), blank });
      skipped.read({ line: info.lines, blank });
      yield { line: info.lines, values: record };
    }
    if (headed) yield* skipped.upTo({ line: text.lines, blank: parser.info.empty_lines });
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall ? new StageError(`Cannot read ${file}: ${code}.`) : error;
  } finally {
    stream.destroy();
  }
  if (!headed) throw new StageError(`${file} is empty.`);
}

interface ParsedRow {
  record: Record<string, string>;
  info: { lines: number; empty_lines: number };
}

/**
 * Makes `\n` of every `\r\n`, which the parser would count as two lines within quotes.
 *
 * @param read is told how many lines there were
 */
async function* lineFeeds(texts: AsyncIterable<string>, read: { lines: number }): AsyncGenerator<string> {
  let held = "";
  let last = "\n";
  for await (const text of texts) {
    const whole = held + text;
    held = whole.endsWith("\r") ? "\r" : "";
    const ready = whole.slice(0, whole.length - held.length).replaceAll("\r\n", "\n");
    read.lines += linesOf([ready]) - 1;
    last = ready.at(-1) ?? last;
    yield ready;
  }
  yield held;
  if (held || last !== "\n") read.lines++;
}
