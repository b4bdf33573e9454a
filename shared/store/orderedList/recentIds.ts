/** Minimum time in milliseconds for which an id is kept. An id is kept for twice this time at most. */
const remembered = 60_000;

/** The ids of recently written records. */
export class RecentIds {
  #fresh = new Set<string>();
  #older = new Set<string>();
  #since = 0;

  add(id: string, now: Date): void {
    this.#forget(now);
    this.#fresh.add(id);
  }

  /** Whether any of the ids was written recently. */
  hasAny(ids: Iterable<string>, now: Date): boolean {
    this.#forget(now);
    return [...ids].some((id) => this.#fresh.has(id) || this.#older.has(id));
  }

  #forget(now: Date): void {
    const age = now.getTime() - this.#since;
    if (age < remembered) return;
    this.#older = age < 2 * remembered ? this.#fresh : new Set();
    this.#fresh = new Set();
    this.#since = now.getTime();
  }
}
