/** A row with fewer values than the file has columns. */
interface ShortRow {
  line: number;
  cells: string[];
  isBroken: boolean;
}

/** Maximum of rows into which a line break inside a value without quotes may have split one row. */
const maxParts = 8;

/**
 * Finds rows that are parts of one row. Spreadsheets leave out empty values at the end of a row, so a short row is
 * complete. But a line break inside a value without quotes makes several short rows of one. Neighboring short rows
 * that together have the values of exactly one row are probably its parts. A row with a single value may also be one.
 */
export class ShortRows {
  readonly #width: number;
  #rows: ShortRow[] = [];

  /** @param width number of the file's columns */
  constructor(width: number) {
    this.#width = width;
  }

  /** Adds the row after the last one. Returns the rows that cannot be parts of later ones. */
  add(line: number, cells: string[]): ShortRow[] {
    this.#rows.push({ line, cells, isBroken: cells.length === 1 });
    let values = 1;
    for (let i = this.#rows.length - 1; i >= 0; i--) {
      values += (this.#rows[i]?.cells.length ?? 0) - 1;
      if (values === this.#width) for (const row of this.#rows.slice(i)) row.isBroken = true;
    }
    return this.#rows.length < maxParts ? [] : this.#rows.splice(0, 1);
  }

  /** Returns the remaining rows. The next row has all values. */
  end(): ShortRow[] {
    return this.#rows.splice(0);
  }
}
