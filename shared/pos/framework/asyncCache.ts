/** Caches the latest results of costly reads in this process, by key. */
export class AsyncCache<Value> {
  readonly #maxEntries: number;
  readonly #lifetime: (value: Value) => number;
  readonly #kept = new Map<string, { value: Promise<Value>; until: number }>();

  /** @param lifetime milliseconds until a value expires: a number for all values, or a function of the value */
  constructor(most: number, lifetime: number | ((value: Value) => number)) {
    this.#maxEntries = most;
    this.#lifetime = typeof lifetime === "number" ? () => lifetime : lifetime;
  }

  /** Returns the cached value of a key, or calls `make` and caches its result. Failures are not cached. */
  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(key);
    if (known && known.until > performance.now()) return known.value;
    const entry = { value: make(), until: Number.POSITIVE_INFINITY };
    // The key is deleted first, so that it moves to the end of the map.
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    for (const oldest of [...this.#kept.keys()].slice(0, -this.#maxEntries)) this.#kept.delete(oldest);
    entry.value.then(
      (value) => {
        entry.until = performance.now() + this.#lifetime(value);
      },
      () => this.#kept.get(key) === entry && this.#kept.delete(key),
    );
    return entry.value;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}
