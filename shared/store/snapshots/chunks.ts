import type { PositionedRecord } from "../orderedList/readPage.ts";

/**
 * Maximum bytes of JSON in a chunk. They deflate to less than 4 KB, so an eventually consistent read of a chunk costs
 * half a read unit.
 */
const maxBytes = 16 * 1024;

/**
 * Divides records, newest first, into chunks. A chunk holds one or several complete days, or a part of one day. The
 * list's counts of days therefore show whether a chunk has changed, without a read of the chunk.
 */
export class Chunks {
  /** Complete chunks. */
  readonly full: PositionedRecord[][] = [];
  /** The complete days of the current chunk. Another day may be added. */
  #days: PositionedRecord[] = [];
  /** The records of the current day so far. */
  #day: PositionedRecord[] = [];
  /** The latest day that is divided between several chunks. */
  #parted: string;

  /**
   * @param reached the day (yyyy-MM-dd) of the last record that an earlier worker has stored in a chunk; empty if there
   *   is none
   */
  constructor(reached: string) {
    this.#parted = reached;
  }

  /** Whether the current chunk has records, so that the next added records may share it. */
  get isOpen(): boolean {
    return this.#days.length + this.#day.length > 0;
  }

  /** Whether the current chunk has records, and space for `records` as well. */
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

  /**
   * Ends the last chunk although more records of its last day may follow. Another worker stores them in another chunk.
   */
  cut(): void {
    if (this.#day[0]) this.#parted = dayOf(this.#day[0]);
    this.end();
  }

  /** Ends the last chunk before a reused chunk. The reused chunk may contain a part of the same day. */
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
