import { readRow } from "../framework/readRow.ts";
import { pageSize, readingShare } from "./metrcApi.ts";
import { type Receipt, receipt, receiptDay } from "./responses.ts";

/** One page of a list of receipts. `total` is null if the list states none. */
export interface ReceiptPage {
  rows: unknown[];
  total: number | null;
}

/** Reads a page of a window; pages count from 1. */
export type ReadPage = (number: number) => Promise<ReceiptPage>;

/** The receipts of one list that changed in a window. */
export interface WindowRows {
  receipts: ReadonlyMap<number, Receipt>;
  /** the days of the receipts that cannot be read; null for a receipt whose day cannot be read either */
  unreadableDays: ReadonlySet<string | null>;
  /** number of different receipts, including those that cannot be read */
  count: number;
  /** whether these are certainly all receipts of the window */
  isProven: boolean;
}

/** Maximum number of readings of a window that changes while it is read. */
const maxAttempts = 6;

/**
 * Reads the receipts of one list that changed in a window.
 *
 * Receipts leave the window while its pages are read, because each change moves a receipt to the present. All later rows then
 * move up, and a row could move to a page that was already read. So the pages are read from the last one to the first.
 * Pages that are requested at the same time must state the same total, which proves that no row moved between them.
 *
 * @param isClosed whether no receipt can enter the window, because the window ends before the present. If false, all pages must state
 * the same total
 */
export async function readWindow(readPage: ReadPage, isClosed: boolean): Promise<WindowRows> {
  let previous: Rows | undefined;
  for (let attempt = 1; ; attempt++) {
    const rows = await readPages(readPage);
    const isWhole = rows.total !== null && rows.count >= rows.total && !rows.isTorn && (isClosed || rows.isSteady);
    // If the list states no total, two equal readings in a row are the proof.
    const isRepeated = rows.total === null && previous !== undefined && rows.hasSameIds(previous);
    if (isWhole || isRepeated || attempt >= maxAttempts) return rows.toWindowRows(isWhole || isRepeated);
    previous = rows;
  }
}

/** The rows of one reading of a window. */
class Rows {
  readonly #receipts = new Map<number, Receipt>();
  /** the days of unreadable receipts by id, or by place for a receipt without an id */
  readonly #unreadable = new Map<string, string | null>();
  /** the total of the page that was added last */
  total: number | null = null;
  /** whether all pages state the same total */
  isSteady = true;
  /** whether pages that were requested at the same time state different totals in every attempt */
  isTorn = false;

  get count(): number {
    return this.#receipts.size + this.#unreadable.size;
  }

  add({ rows, total }: ReceiptPage, number: number): void {
    if (this.count > 0 && total !== this.total) this.isSteady = false;
    this.total = total;
    for (const [index, row] of rows.entries()) {
      const found = readRow(receipt, row, (field) => field("Id") ?? field("id"));
      if ("row" in found) this.#receipts.set(found.row.id, found.row);
      else this.#unreadable.set(found.rejected.posId || `${number}/${index}`, receiptDay.parse(row));
    }
  }

  hasSameIds(other: Rows): boolean {
    const areKnown = this.#receipts.keys().every((id) => other.#receipts.has(id));
    return areKnown && this.#receipts.size === other.#receipts.size && this.count === other.count;
  }

  toWindowRows(isProven: boolean): WindowRows {
    return {
      receipts: this.#receipts,
      unreadableDays: new Set(this.#unreadable.values()),
      count: this.count,
      isProven,
    };
  }
}

async function readPages(readPage: ReadPage): Promise<Rows> {
  const rows = new Rows();
  const first = await readPage(1);
  rows.add(first, 1);
  if (first.total === null) await readUntilEnd(readPage, rows, first.rows.length);
  else await readBackward(readPage, rows, pageCount(first));
  return rows;
}

/** A state may return shorter pages than requested. */
function pageCount({ rows, total }: ReceiptPage): number {
  const size = rows.length > 0 ? Math.min(rows.length, pageSize) : pageSize;
  return Math.ceil((total ?? 0) / size);
}

/** Reads the pages after the first one of a list without a total. The list can also return all rows for each page number. */
async function readUntilEnd(readPage: ReadPage, rows: Rows, firstLength: number): Promise<void> {
  for (let number = 2, length = firstLength; length >= pageSize; number++) {
    const before = rows.count;
    const page = await readPage(number);
    rows.add(page, number);
    length = rows.count > before ? page.rows.length : 0;
  }
}

async function readBackward(readPage: ReadPage, rows: Rows, last: number): Promise<void> {
  if (last <= 1) return;
  for (let high = last; high >= 1; high -= readingShare.atOnce) {
    const length = Math.min(high, readingShare.atOnce);
    const numbers = Array.from({ length }, (_, index) => high - index);
    if (!(await readTogether(readPage, rows, numbers))) rows.isTorn = true;
  }
}

/** Reads pages at the same time, and again until all of them state the same total. @returns whether they finally do */
async function readTogether(readPage: ReadPage, rows: Rows, numbers: readonly number[]): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const pages = await Promise.all(numbers.map(readPage));
    for (const [index, page] of pages.entries()) rows.add(page, numbers[index] ?? 0);
    if (new Set(pages.map(({ total }) => total)).size === 1) return true;
  }
  return false;
}
