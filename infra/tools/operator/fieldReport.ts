import type { Observer } from "../../../shared/pos/framework/observer.ts";

/** Whether text is the name of a field, and no value by which somebody keeps something. */
const isName = /^[A-Za-z_$][A-Za-z0-9_$]{0,39}$/;
/** So many rows of a page must have a field that is not known, for it to be one. */
const leastRows = 2;

/**
 * Which fields the rows of a POS have: by names alone, never a value. A field is called by its path: `items[].quantity`.
 */
export class FieldReport implements Observer {
  rows = 0;
  /** by path of what was read, in how many rows it was there */
  readonly known = new Map<string, number>();
  /** what was guessed, how often */
  readonly guesses = new Map<string, number>();
  readonly #others = new Map<string, number>();

  row(raw: unknown, read: unknown): void {
    this.rows++;
    const found = new Set<string>();
    for (const [path, isThere] of pathsIn(read)) {
      if (!this.known.has(path)) this.known.set(path, 0);
      if (isThere) found.add(path);
    }
    for (const path of found) this.known.set(path, (this.known.get(path) ?? 0) + 1);
    const there = new Set([...pathsIn(raw)].flatMap(([path, isThere]) => (isThere ? [path] : [])));
    for (const path of there) this.#others.set(path, (this.#others.get(path) ?? 0) + 1);
  }

  guess(what: string, taken: string): void {
    const key = `${what}: ${taken}`;
    this.guesses.set(key, (this.guesses.get(key) ?? 0) + 1);
  }

  /** Fields that are read, but were in none of the rows. */
  get missing(): string[] {
    // An empty list beside others of its kind that are not.
    const isFilled = (path: string) =>
      [...this.known].some(([other, count]) => count > 0 && other.startsWith(`${path}[]`));
    return [...this.known].flatMap(([path, count]) => (count === 0 && !isFilled(path) ? [path] : []));
  }

  /**
   * Fields that most rows have and nobody reads. What few rows have may be no name at all: an object may be kept by
   * customers' names.
   */
  get unread(): [path: string, rows: number][] {
    const isRead = (path: string) =>
      [...this.known.keys()].some((known) => isWithin(path, known) || isWithin(known, path));
    return [...this.#others].filter(
      ([path, count]) =>
        count >= Math.max(leastRows, this.rows / 2) && path.split(".").every(isOfNames) && !isRead(path),
    );
  }
}

const isOfNames = (part: string) => isName.test(part.replaceAll("[]", ""));
const isWithin = (path: string, other: string) =>
  path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[]`);

/** The paths of what a row holds, and whether there is something. */
function* pathsIn(value: unknown, path = ""): Generator<[path: string, isThere: boolean]> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield [path, false];
    for (const element of value) yield* pathsIn(element, `${path}[]`);
  } else if (value !== null && typeof value === "object") {
    for (const [name, inner] of Object.entries(value)) yield* pathsIn(inner, path === "" ? name : `${path}.${name}`);
  } else if (path !== "") yield [path, value !== null && value !== undefined && value !== ""];
}
