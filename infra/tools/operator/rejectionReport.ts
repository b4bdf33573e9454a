import { closeSync, openSync, statSync, writeSync } from "node:fs";
import type { RowRejection } from "../../../shared/pos/upload/uploadConnector.ts";
import { StageError } from "../../cli/stageError.ts";

/** Maximum of rejections in the output. Further ones are only counted, or written to the report. */
const maxListed = 50;

/** The rejected rows of a file: the first ones as lines, and all of them in a CSV file if one is named. */
export class RejectionReport {
  readonly #lines: string[] = [];
  readonly #file: number | undefined;
  #more = 0;

  /**
   * @param name of the CSV file, which is overwritten
   * @param source the uploaded file
   * @throws StageError if the CSV file cannot be written
   */
  constructor(name: string | undefined, source: string) {
    if (name === undefined) return;
    if (isSame(name, source)) throw new StageError(`The report would overwrite ${source}: choose another file.`);
    try {
      this.#file = openSync(name, "w");
    } catch (error) {
      throw new StageError(`Cannot write ${name}: ${(error as NodeJS.ErrnoException).code}.`);
    }
    writeSync(this.#file, "line,field,reason\n");
  }

  add(rejections: readonly RowRejection[]): void {
    for (const { line, field, reason } of rejections) {
      if (this.#lines.length < maxListed) this.#lines.push(`  line ${line}: ${field} ${reason}`.replace(":  ", ": "));
      else this.#more++;
    }
    // The service's own names and codes need no quotes.
    const rows = rejections.map(({ line, field, reason }) => `${line},${field},${reason}\n`);
    if (this.#file !== undefined) writeSync(this.#file, rows.join(""));
  }

  /** The output: one line per rejection. */
  get lines(): string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `  ... and ${this.#more} more`];
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}
