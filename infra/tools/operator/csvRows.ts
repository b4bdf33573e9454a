import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { parse } from "csv-parse";
import { StageError } from "../../cli/stageError.ts";
import { type CsvFault, linesOf, type SkipError, SkippedLines } from "./skippedLines.ts";

/** A row of a CSV file: its last line, counted from 1, and its values by column, or the reason why it cannot be read. */
export type CsvRow = { line: number } & ({ values: Record<string, string> } | { fault: CsvFault });

/** Maximum of characters in a row, so that an unclosed quote does not turn the whole file into one row. */
const maxRowSize = 200_000;

/**
 * Reads a CSV file of any size row by row. The parser skips lines that it cannot read. This function yields each
 * skipped line as an unreadable row, so that no line is lost silently.
 *
 * @param columnsOf maps the first line to column names
 * @param progress called with the number of bytes read so far
 * @throws StageError if the file cannot be read, is empty, or is not separated by commas; also every error of `columnsOf`
 */
export async function* csvRows(
  file: string,
  columnsOf: (header: string[]) => string[],
  progress: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  const text = { lines: 0, isBlank: true };
  const skipped = new SkippedLines();
  let headed = false;
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: maxRowSize,
    columns: (header: string[]) => {
      headed = true;
      skipped.read({ line: linesOf(header), blank: 0 });
      return columnsOf(header);
    },
    on_skip: (error) => void skipped.skip(error as SkipError),
  });
  const stream = createReadStream(file, "utf8");
  stream.on("data", () => progress(stream.bytesRead));
  // An error of the file's stream ends the parser's stream and is thrown below.
  pipeline(
    stream,
    (texts: AsyncIterable<string>) => lineFeeds(withCommas(file, texts, text), text),
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
  if (headed) return;
  if (text.isBlank) throw new StageError(`${file} is empty.`);
  throw new StageError(`Cannot read ${file}: the first line, which must name the columns, has a misplaced quote.`);
}

interface ParsedRow {
  record: Record<string, string>;
  info: { lines: number; empty_lines: number };
}

/** Separators other than the comma, by their names in messages. */
const separators = { semicolons: ";", tabs: "\t", "vertical bars": "|" };

/**
 * Passes on the text of a file.
 *
 * @throws StageError if the first line has fewer commas than, for example, semicolons (see `separators`)
 */
async function* withCommas(
  file: string,
  texts: AsyncIterable<string>,
  read: { isBlank: boolean },
): AsyncGenerator<string> {
  for await (const text of texts) {
    if (read.isBlank) {
      // A byte order mark and blank lines may come first.
      const [line = ""] = text.trimStart().split(/[\r\n]/, 1);
      const count = (separator: string) => line.split(separator).length;
      const found = Object.entries(separators).find(([, separator]) => count(separator) > count(","));
      if (found) {
        throw new StageError(`Cannot read ${file}: its columns are separated by ${found[0]}; save it with commas.`);
      }
      read.isBlank = line === "";
    }
    yield text;
  }
}

/** Replaces `\r\n` by `\n`: within quotes the parser would count two lines. @param read counts the lines */
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
