import { createHash } from "node:crypto";
import { metrcCustomerTypes } from "../../api/enumerations.ts";
import { dollarsToCents } from "../framework/conversions/cents.ts";
import type { Receipt } from "./responses.ts";
import type { StateDay } from "./stateDay.ts";

/** The figures of a day that its receipts determine. */
export type DayFigures = Omit<StateDay, "complete" | "dataAsOf">;

const dayMs = 86_400_000;

/** The receipts of one reading, as numbers outside the heap, so that a million fit into the memory of a function. */
export class ReceiptBook {
  #length = 0;
  #ids = new Float64Array(1_024);
  #cents = new Float64Array(1_024);
  /** numbers of days since 1970 */
  #days = new Int32Array(1_024);
  /** indexes in `metrcCustomerTypes`; voided receipts have the bitwise complement */
  #types = new Int8Array(1_024);

  /** Adds a receipt. If it comes again, its last state counts. */
  add({ id, salesDateTime, salesCustomerType, totalPrice, archivedDate }: Receipt): void {
    const row = this.#length++;
    if (row === this.#ids.length) this.#grow();
    this.#ids[row] = id;
    this.#cents[row] = dollarsToCents(totalPrice) ?? 0;
    this.#days[row] = dayNumber(salesDateTime);
    const type = metrcCustomerTypes.findIndex((name) => name.toLowerCase() === salesCustomerType?.toLowerCase());
    const known = type === -1 ? metrcCustomerTypes.indexOf("Other") : type;
    this.#types[row] = archivedDate === null ? known : ~known;
  }

  #grow(): void {
    const doubled = <Rows extends Float64Array | Int32Array | Int8Array>(rows: Rows, larger: Rows) => {
      larger.set(rows);
      return larger;
    };
    const length = this.#ids.length * 2;
    this.#ids = doubled(this.#ids, new Float64Array(length));
    this.#cents = doubled(this.#cents, new Float64Array(length));
    this.#days = doubled(this.#days, new Int32Array(length));
    this.#types = doubled(this.#types, new Int8Array(length));
  }

  /** The figures of the days from `from` to `to` in order, including days without receipts. */
  figures(from: string, to: string): DayFigures[] {
    const [first, last] = [dayNumber(from), dayNumber(to)];
    const dayOf = (row: number) => this.#days[row] as number;
    const rows = this.#lastRows().filter((row) => dayOf(row) >= first && dayOf(row) <= last);
    // The sort keeps the order of the ids within a day.
    rows.sort((a, b) => dayOf(a) - dayOf(b));
    const figures: DayFigures[] = [];
    for (let day = first, next = 0; day <= last; day++) {
      const start = next;
      while (next < rows.length && dayOf(rows[next] as number) === day) next++;
      figures.push(this.#figuresOf(new Date(day * dayMs).toISOString().slice(0, 10), rows.subarray(start, next)));
    }
    return figures;
  }

  /** The row with the last state of each receipt, by id. */
  #lastRows(): Uint32Array {
    const idOf = (row: number) => this.#ids[row] as number;
    const rows = new Uint32Array(this.#length).map((_, row) => row);
    rows.sort((a, b) => idOf(a) - idOf(b) || a - b);
    return rows.filter((row, place) => place + 1 === rows.length || idOf(rows[place + 1] as number) !== idOf(row));
  }

  #figuresOf(date: string, rows: Uint32Array): DayFigures {
    const figures: DayFigures = { date, receipts: 0, voided: 0, total: 0, by_customer_type: {}, digest: "" };
    const hash = createHash("sha256");
    for (const row of rows) {
      const [cents, type] = [this.#cents[row] as number, this.#types[row] as number];
      const name = metrcCustomerTypes[type < 0 ? ~type : type] ?? "Other";
      hash.update(`${this.#ids[row]} ${cents} ${name} ${type < 0}\n`);
      if (type < 0) {
        figures.voided++;
        continue;
      }
      const { receipts = 0, total = 0 } = figures.by_customer_type[name] ?? {};
      figures.by_customer_type[name] = { receipts: receipts + 1, total: total + cents };
      figures.receipts++;
      figures.total += cents;
    }
    return { ...figures, digest: hash.digest("hex") };
  }
}

/** The number of days since 1970 of a text that begins with yyyy-MM-dd. */
const dayNumber = (text: string) => Date.parse(text.slice(0, 10)) / dayMs;
