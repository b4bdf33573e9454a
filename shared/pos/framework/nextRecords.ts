/** Of a long list kept at the end, so that no list is too long for the memory. */
const maxKept = 20_000;
/** So many times that are held at once: what is too much goes in one sweep, since each sweep sorts. */
const maxHeldRatio = 1.25;

/**
 * Of a list that comes in any order, the records whose keys come next behind a key, at most so many. What does not fit is
 * left to another reading, behind the last key of these.
 */
export class NextRecords<Record> {
  readonly #after: string | null;
  readonly #maxRecords: number;
  readonly #join: (known: Record, record: Record) => Record;
  readonly #kept = new Map<string, Record>();
  #hasMore = false;

  /**
   * @param after the key behind which they come; null for the first ones
   * @param join what becomes of one and another with its key; the first stays unless given
   */
  constructor(after: string | null, most = maxKept, join = (known: Record, _: Record) => known) {
    this.#after = after;
    this.#maxRecords = most;
    this.#join = join;
  }

  /** Takes in a record, unless it belongs to another reading. */
  add(key: string, record: Record): void {
    if (this.#after !== null && key <= this.#after) return;
    const known = this.#kept.get(key);
    this.#kept.set(key, known === undefined ? record : this.#join(known, record));
    if (this.#kept.size >= this.#maxRecords * maxHeldRatio) this.#cut();
  }

  /** The records, in the order of their keys, and whether there are more behind them. */
  take(): { records: Record[]; hasMore: boolean } {
    if (this.#kept.size > this.#maxRecords) this.#cut();
    const keys = [...this.#kept.keys()].sort();
    return { records: keys.map((key) => this.#kept.get(key) as Record), hasMore: this.#hasMore };
  }

  #cut(): void {
    const keys = [...this.#kept.keys()].sort();
    this.#hasMore = true;
    for (const key of keys.slice(this.#maxRecords)) this.#kept.delete(key);
  }
}
