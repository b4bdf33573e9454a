import type { Observer } from "../../../shared/pos/framework/observer.ts";

/** Matches field names, not values that serve as keys of an object. */
const isName = /^[A-Za-z_$][A-Za-z0-9_$]{0,39}$/;
/** An unknown path counts as a field only if at least this many rows of a page have the path. */
const leastRows = 2;

/** Reports the fields in the rows of a POS by path, such as `items[].quantity`, never a value. */
export class FieldReport implements Observer {
  rows = 0;
  /** number of rows with a value, by path that the connector reads */
  readonly known = new Map<string, number>();
  /** how often the connector made each guess, such as one about a missing value */
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

  /** Fields that the connector reads, but no row has. */
  get missing(): string[] {
    // A list that is empty in one row is not missing if another row has entries in it.
    const isFilled = (path: string) =>
      [...this.known].some(([other, count]) => count > 0 && other.startsWith(`${path}[]`));
    return [...this.known].flatMap(([path, count]) => (count === 0 && !isFilled(path) ? [path] : []));
  }

  /**
   * Fields that most rows have and the connector does not read. Rarer paths may contain values: an object can have
   * customers' names as keys.
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

/** The paths in a row, and whether each has a value. */
function* pathsIn(value: unknown, path = ""): Generator<[path: string, isThere: boolean]> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield [path, false];
    for (const element of value) yield* pathsIn(element, `${path}[]`);
  } else if (value !== null && typeof value === "object") {
    for (const [name, inner] of Object.entries(value)) yield* pathsIn(inner, path === "" ? name : `${path}.${name}`);
  } else if (path !== "") yield [path, value !== null && value !== undefined && value !== ""];
}
