import type { PositionedRecord } from "../orderedList/readPage.ts";

/** Bytes of JSON in a chunk, which deflate to less than 4 KB: what a page of a past day reads for half a unit. */
const maxBytes = 16 * 1024;

/**
 * Parts records, newest first, into chunks. A chunk holds all of several days, or a part of one: so whether any of its
 * records have moved shows in the counts of the list's days, without reading it.
 */
export class Chunks {
  /** Chunks that are full. */
  readonly full: PositionedRecord[][] = [];
  /** Whole days that may still take the next one. */
  #days: PositionedRecord[] = [];
  /** The day that records are being added of. */
  #day: PositionedRecord[] = [];
  /** A day of which another chunk holds a part. */
  #parted: string;

  /** @param reached the day of the last record before the first that is added, yyyy-MM-dd; empty where there is none */
  constructor(reached: string) {
    this.#parted = reached;
  }

  /** Whether what is added now may come into a chunk with what was added before. */
  get isOpen(): boolean {
    return this.#days.length + this.#day.length > 0;
  }

  /** Whether all of some records fit into the chunk that is open. */
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

  /** Ends the last chunk where it is, though more of its last day may follow: others are to go on behind it. */
  cut(): void {
    if (this.#day[0]) this.#parted = dayOf(this.#day[0]);
    this.end();
  }

  /** Ends the last chunk before one that stays as it is, which may hold a part of the same day, or of the next one. */
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
