import type { CsvError } from "csv-parse";

/**
 * Why a row cannot be read: another number of values than of columns; a quote where there may be none; a quote that is
 * never closed, or a row that is too long; lines that a quote before them has taken in; anything else.
 */
export type CsvFault = "column_count" | "stray_quote" | "open_quote" | "within_quotes" | "not_csv";

const faults: Partial<Record<CsvError["code"], CsvFault>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: "column_count",
  INVALID_OPENING_QUOTE: "stray_quote",
  CSV_INVALID_CLOSING_QUOTE: "stray_quote",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "stray_quote",
  CSV_QUOTE_NOT_CLOSED: "open_quote",
  CSV_MAX_RECORD_SIZE: "open_quote",
};

/** What the parser tells of a row that it skips: up to which line it is read, and its values where it has some. */
export type SkipError = CsvError & { lines: number; record?: string[] };

/** How far a file was read: the last line, and how many blank ones were before it. */
interface Reached {
  line: number;
  blank: number;
}

interface FaultyRow {
  line: number;
  fault: CsvFault;
}

/**
 * The lines of a CSV file that the parser has left out. It tells where something is wrong, and not how much it skips
 * because of that: a quote at the wrong place may take in the lines behind it. So lines are counted.
 */
export class SkippedLines {
  #reached: Reached = { line: 0, blank: 0 };
  #rows: (FaultyRow & { lines: number })[] = [];

  /** Notes what the parser cannot read. Of one row it tells all that is wrong, and of one without an end ever again. */
  skip({ code, lines: line, record }: SkipError): void {
    const last = this.#rows.at(-1);
    if (last?.line === line || last?.fault === "open_quote") return;
    this.#rows.push({ line, fault: faults[code] ?? "not_csv", lines: record ? linesOf(record) : 1 });
  }

  /** Notes that everything up to a line is read or told. */
  read(reached: Reached): void {
    this.#reached = reached;
  }

  /** Tells the rows that were left out between what was read and a line, each by its line. */
  *upTo({ line, blank }: Reached): Generator<FaultyRow> {
    // One that never ends may be told of behind the last line.
    const rows = this.#rows.filter((row) => row.line <= line + 1);
    if (rows.length === 0) return;
    this.#rows = this.#rows.slice(rows.length);
    const ended = rows.filter(({ fault }) => fault !== "open_quote");
    for (const row of ended) yield { line: row.line, fault: row.fault };
    const told = ended.reduce((sum, { lines }) => sum + lines, 0);
    const lost = line - this.#reached.line - (blank - this.#reached.blank) - told;
    const isOpen = ended.length < rows.length;
    let at = isOpen ? line - lost : (ended[0]?.line ?? line);
    for (let i = 0; i < lost; i++) {
      do at++;
      while (ended.some((row) => row.line === at));
      yield { line: at, fault: isOpen && i === 0 ? "open_quote" : "within_quotes" };
    }
  }
}

/** How many lines a row of these values takes. */
export function linesOf(values: readonly string[]): number {
  return values.reduce((lines, value) => lines + (value.match(/[\n\r]/g)?.length ?? 0), 1);
}
