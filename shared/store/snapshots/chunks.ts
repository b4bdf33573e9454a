import type { PositionedRecord } from "../orderedList/readPage.ts";

/** Bytes of JSON in a chunk. They deflate to less than 4 KB, which a page of a past day reads for half a unit. */
const maxBytes = 16 * 1024;

/**
 * Divides records, newest first, into chunks. A chunk holds several complete days or a part of one. The list's counts
 * by day therefore show whether a chunk has changed, without reading it.
 */
export class Chunks {
  /** Complete chunks. */
  readonly full: PositionedRecord[][] = [];
  /** Complete days of the current chunk, which may take another day. */
  #days: PositionedRecord[] = [];
  /** The current day's records. */
  #day: PositionedRecord[] = [];
  /** A day that is divided between chunks. */
  #parted: string;

  /** @param reached the day of the last record before the first added one, yyyy-MM-dd; empty if there is none */
  constructor(reached: string) {
    this.#parted = reached;
  }

  /** Whether added records may share a chunk with earlier ones. */
  get isOpen(): boolean {
    return this.#days.length + this.#day.length > 0;
  }

  /** Whether records fit into the current chunk. */
  hasRoomFor(records: readonly PositionedRecord[]): boolean {
    return this.isOpen && bytesOf([...this.#days, ...this.#day, ...records]) <= maxBytes;
  }

  add(record: PositionedRecord): void {
    if (this.#day[0] && dayOf(this.#day[0]) !== dayOf(record)) this.#endDay();
    if (this.#day.length > 0 && bytesOf(this.#day) + bytesOf([record]) > maxBytes) {
      this.#parted = dayOf(record);
      this.#endDay();
    }
    this.#day.push(record);
  }

  /** Ends the last chunk. */
  end(): void {
    this.#endDay();
    this.#flush();
  }

  /** Ends the last chunk although its last day may continue, so that another worker can go on after it. */
  cut(): void {
    if (this.#day[0]) this.#parted = dayOf(this.#day[0]);
    this.end();
  }

  /** Ends the last chunk before a reused one, which may hold a part of the same day. */
  endBefore({ from, to }: { from: string; to: string }): void {
    if (this.#day[0] && dayOf(this.#day[0]) === to) this.#parted = to;
    this.end();
    this.#parted = from;
  }

  #endDay(): void {
    const [first] = this.#day;
    if (!first) return;
    const isPart = dayOf(first) === this.#parted;
    if (isPart || bytesOf(this.#days) + bytesOf(this.#day) > maxBytes) this.#flush();
    this.#days.push(...this.#day);
    this.#day = [];
    if (isPart) this.#flush();
  }

  #flush(): void {
    if (this.#days.length > 0) this.full.push(this.#days);
    this.#days = [];
  }
}

function dayOf({ rank }: PositionedRecord): string {
  return rank.slice(0, 10);
}

function bytesOf(records: readonly PositionedRecord[]): number {
  return records.reduce((sum, { value }) => sum + value.length, 0);
}
