import { createHash } from "node:crypto";
import { metrcCustomerTypes } from "../../api/enumerations.ts";
import { dollarsToCents } from "../framework/conversions/cents.ts";
import type { Receipt } from "./responses.ts";
import type { StateDay } from "./stateDay.ts";

/** The figures of a day that its receipts determine. */
export type DayFigures = Omit<StateDay, "complete" | "dataAsOf">;

const dayMs = 86_400_000;

/**
 * The receipts of one reading, by id. A receipt has a row of numbers instead of an object, so that a million receipts fit into
 * the memory of a function.
 */
export class ReceiptBook {
  readonly #rows = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #cents: number[] = [];
  /** numbers of days since 1970 */
  readonly #days: number[] = [];
  /** indexes in `metrcCustomerTypes`; voided receipts have the bitwise complement */
  readonly #types: number[] = [];

  /** Adds a receipt, or replaces its earlier state. */
  set({ id, salesDateTime, salesCustomerType, totalPrice, archivedDate }: Receipt): void {
    const row = this.#rows.get(id) ?? this.#ids.length;
    this.#rows.set(id, row);
    this.#ids[row] = id;
    this.#cents[row] = dollarsToCents(totalPrice) ?? 0;
    this.#days[row] = dayNumber(salesDateTime);
    const type = metrcCustomerTypes.findIndex((name) => name.toLowerCase() === salesCustomerType?.toLowerCase());
    const known = type === -1 ? metrcCustomerTypes.indexOf("Other") : type;
    this.#types[row] = archivedDate === null ? known : ~known;
  }

  /** The figures of the days from `from` to `to` in order, including days without receipts. */
  figures(from: string, to: string): DayFigures[] {
    const [first, last] = [dayNumber(from), dayNumber(to)];
    const dayOf = (row: number) => this.#days[row] as number;
    const idOf = (row: number) => this.#ids[row] as number;
    const rows = Uint32Array.from(this.#ids.keys().filter((row) => dayOf(row) >= first && dayOf(row) <= last));
    rows.sort((a, b) => dayOf(a) - dayOf(b) || idOf(a) - idOf(b));
    const figures: DayFigures[] = [];
    for (let day = first, next = 0; day <= last; day++) {
      const start = next;
      while (next < rows.length && dayOf(rows[next] as number) === day) next++;
      figures.push(this.#figuresOf(new Date(day * dayMs).toISOString().slice(0, 10), rows.subarray(start, next)));
    }
    return figures;
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
