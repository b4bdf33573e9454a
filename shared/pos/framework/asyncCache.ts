/** Keeps what was costly to read for a while, in this process: the latest few, by key. */
export class AsyncCache<Value> {
  readonly #maxEntries: number;
  readonly #lifetime: (value: Value) => number;
  readonly #kept = new Map<string, { value: Promise<Value>; until: number }>();

  /** @param lifetime milliseconds until a value is made anew, the same for all or by value */
  constructor(most: number, lifetime: number | ((value: Value) => number)) {
    this.#maxEntries = most;
    this.#lifetime = typeof lifetime === "number" ? () => lifetime : lifetime;
  }

  /** The value of a key, made if need be. What fails is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(key);
    if (known && known.until > performance.now()) return known.value;
    const entry = { value: make(), until: Number.POSITIVE_INFINITY };
    // Deleted first, so that it stands behind all others.
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
