/** Milliseconds for which an id is remembered at least; at most twice as long. */
const remembered = 60_000;

/** The ids of what was written lately. */
export class RecentIds {
  #fresh = new Set<string>();
  #older = new Set<string>();
  #since = 0;

  add(id: string, now: Date): void {
    this.#forget(now);
    this.#fresh.add(id);
  }

  /** Whether any of some ids is among them. */
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
