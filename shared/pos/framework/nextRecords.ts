/** Maximum number of returned records. It limits the memory. */
const maxKept = 20_000;
/** Surplus records are dropped at the maximum times this factor, because dropping requires sorting. */
const maxHeldRatio = 1.25;

/** Collects the records with the lowest keys after a key, from a list in any order. Further ones take a new reading. */
export class NextRecords<Record> {
  readonly #after: string | null;
  readonly #maxRecords: number;
  readonly #join: (known: Record, record: Record) => Record;
  readonly #kept = new Map<string, Record>();
  #hasMore = false;

  /**
   * @param after only records with keys after this one are collected; null to begin with the lowest key
   * @param join merges two records with the same key; by default, the record that was added first stays
   */
  constructor(after: string | null, most = maxKept, join = (known: Record, _: Record) => known) {
    this.#after = after;
    this.#maxRecords = most;
    this.#join = join;
  }

  /** Adds a record, unless its key is not after `after`. */
  add(key: string, record: Record): void {
    if (this.#after !== null && key <= this.#after) return;
    const known = this.#kept.get(key);
    this.#kept.set(key, known === undefined ? record : this.#join(known, record));
    if (this.#kept.size >= this.#maxRecords * maxHeldRatio) this.#cut();
  }

  /** Returns the records in key order, and whether more follow. */
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
