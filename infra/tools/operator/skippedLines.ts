import type { CsvError } from "csv-parse";

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
export type SkipError = CsvError & { lines: number; record?: string[] };

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
export class SkippedLines {
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

/** The number of lines of a row with these values. */
export function linesOf(values: readonly string[]): number {
  return values.reduce((lines, value) => lines + (value.match(/[\n\r]/g)?.length ?? 0), 1);
}
