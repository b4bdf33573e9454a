import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { StageError } from "../../cli/stageError.ts";
import { utf8Texts } from "./fileFormat.ts";

/** A line of a CSV file with its values, or the reason why it cannot be read. `line` is its last line, counted from 1. */
export type CsvLine = { line: number } & ({ cells: string[] } | { fault: CsvFault });

/** What reading a file has found out about its text. */
export interface CsvText {
  lines: number;
  isBlank: boolean;
  /** whether the last line has a line feed, or another line break, at its end */
  isEnded: boolean;
}

/** Maximum of characters in a row, so that an unclosed quote does not turn the whole file into one row. */
const maxRowSize = 200_000;

/**
 * Splits a CSV file of any size into lines of values. The parser skips lines that it cannot read. This function yields
 * each skipped line, so that no line is lost silently.
 *
 * @param text receives the facts about the whole file
 * @param progress called with the number of bytes read so far
 * @throws StageError if the file cannot be read, is not UTF-8 text, or is not separated by commas
 */
export async function* csvLines(
  file: string,
  text: CsvText,
  progress: (bytes: number) => void,
): AsyncGenerator<CsvLine> {
  const skipped = new SkippedLines();
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: maxRowSize,
    on_skip: (error) => void skipped.skip(error as SkipError),
  });
  const stream = createReadStream(file);
  stream.on("data", () => progress(stream.bytesRead));
  // An error of the file's stream ends the parser's stream and is thrown below.
  pipeline(
    stream,
    (chunks: AsyncIterable<Buffer>) => quotedTexts(lineFeeds(withCommas(file, utf8Texts(file, chunks), text), text)),
    parser,
    () => undefined,
  );
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      const blank = info.empty_lines;
      yield* skipped.upTo({ line: info.lines - linesOf(record), blank });
      skipped.read({ line: info.lines, blank });
      yield { line: info.lines, cells: record };
    }
    yield* skipped.upTo({ line: text.lines, blank: parser.info.empty_lines });
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall ? new StageError(`Cannot read ${file}: ${code}.`) : error;
  } finally {
    stream.destroy();
  }
}

interface ParsedRow {
  record: string[];
  info: { lines: number; empty_lines: number };
}
/** Separators other than the comma, by their names in messages. */
const separators = { semicolons: ";", tabs: "\t", "vertical bars": "|" };

/**
 * Passes on the text of a file.
 *
 * @throws StageError if the file is JSON, or its first line has fewer commas than, for example, semicolons (see `separators`)
 */
async function* withCommas(file: string, texts: AsyncIterable<string>, read: CsvText): AsyncGenerator<string> {
  for await (const text of texts) {
    if (read.isBlank) {
      // A byte order mark and blank lines may come first.
      const [line = ""] = text.trimStart().split(/[\r\n]/, 1);
      if (/^\[?\s*\{\s*("|$)|^\[\s*$/.test(line)) {
        throw new StageError(`Cannot read ${file}: it is JSON; export the records as CSV.`);
      }
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

/**
 * Makes all line breaks `\n`. The parser knows only one kind in a file, and within quotes it would count `\r\n` as two
 * lines. @param read counts the lines
 */
async function* lineFeeds(texts: AsyncIterable<string>, read: CsvText): AsyncGenerator<string> {
  let held = "";
  let last = "\n";
  for await (const text of texts) {
    const whole = held + text;
    held = whole.endsWith("\r") ? "\r" : "";
    const ready = whole.slice(0, whole.length - held.length).replaceAll(/\r\n?/g, "\n");
    read.lines += linesOf([ready]) - 1;
    last = ready.at(-1) ?? last;
    yield ready;
  }
  yield held && "\n";
  read.isEnded = held !== "" || last === "\n";
  if (held || last !== "\n") read.lines++;
}

/** Maximum of characters of a cell in the form `="0012"`. */
const maxTextCell = 300;

/**
 * Quotes the cells that are written `="0012"`, by which programs keep spreadsheets from changing a text. The parser would
 * reject their quotes. Inside a quoted value, this form has doubled quotes and does not match.
 */
async function* quotedTexts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const quoted = (text: string) => text.replaceAll(/(?<=^|[,\n])="([^",\n]+)"(?=[,\n]|$)/g, '"=""$1"""');
  let held = "";
  for await (const text of texts) {
    const whole = held + text;
    const cell = Math.max(whole.lastIndexOf(","), whole.lastIndexOf("\n")) + 1;
    // The last cell may be incomplete.
    const end = whole.length - cell > maxTextCell ? whole.length : cell;
    yield quoted(whole.slice(0, end));
    held = whole.slice(end);
  }
  yield quoted(held);
}

/**
 * Why a row cannot be read, in the order of the codes: a wrong number of values; the last row ends before its last
 * value; the names of the columns again; a misplaced quote; an unclosed quote or a row that is too long; a line inside
 * the quotes of an earlier line; any other reason.
 */
export type CsvFault =
  | "column_count"
  | "cut_off"
  | "repeated_header"
  | "stray_quote"
  | "open_quote"
  | "within_quotes"
  | "not_csv";

const faults: Partial<Record<CsvError["code"], CsvFault>> = {
  INVALID_OPENING_QUOTE: "stray_quote",
  CSV_INVALID_CLOSING_QUOTE: "stray_quote",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "stray_quote",
  CSV_QUOTE_NOT_CLOSED: "open_quote",
  CSV_MAX_RECORD_SIZE: "open_quote",
};

/** The parser's error for a skipped row, with the row's last line, and the row's values if there are any. */
type SkipError = CsvError & { lines: number; record?: string[] };

/** The position in a file: the last line read, and the number of blank lines before it. */
interface Reached {
  line: number;
  blank: number;
}

interface FaultyRow {
  line: number;
  fault: CsvFault;
}

/**
 * Finds the lines of a CSV file that the parser skipped. The parser reports where an error is, but not how many lines
 * it skips: a misplaced quote may include the following lines in its row. So this class counts lines.
 */
class SkippedLines {
  #reached: Reached = { line: 0, blank: 0 };
  #rows: (FaultyRow & { lines: number })[] = [];

  /**
   * Records an error of the parser. The parser reports several errors of one row, and the same unclosed row again and again.
   */
  skip({ code, lines: line, record }: SkipError): void {
    const last = this.#rows.at(-1);
    if (last?.line === line || last?.fault === "open_quote") return;
    this.#rows.push({ line, fault: faults[code] ?? "not_csv", lines: record ? linesOf(record) : 1 });
  }

  /** Records that all lines up to this one are read or reported. */
  read(reached: Reached): void {
    this.#reached = reached;
  }

  /** Yields the skipped rows between the last line read and this one. */
  *upTo({ line, blank }: Reached): Generator<FaultyRow> {
    // For an unclosed row, the parser may report the line after the last line.
    const rows = this.#rows.filter((row) => row.line <= line + 1);
    if (rows.length === 0) return;
    this.#rows = this.#rows.slice(rows.length);
    const ended = rows.filter(({ fault }) => fault !== "open_quote");
    for (const row of ended) yield { line: row.line, fault: row.fault };
    const endedLines = ended.reduce((sum, { lines }) => sum + lines, 0);
    const lost = line - this.#reached.line - (blank - this.#reached.blank) - endedLines;
    const isOpen = ended.length < rows.length;
    let at = isOpen ? line - lost : (ended[0]?.line ?? line);
    for (let i = 0; i < lost; i++) {
      do at++;
      while (ended.some((row) => row.line === at));
      yield { line: at, fault: isOpen && i === 0 ? "open_quote" : "within_quotes" };
    }
  }
}

function linesOf(values: readonly string[]): number {
  return values.reduce((lines, value) => lines + (value.match(/[\n\r]/g)?.length ?? 0), 1);
}
