/** A path below the address of a POS; `pattern` is the same without its values, for the log. */
export interface PosPath {
  text: string;
  pattern: string;
}

/**
 * Whether an id from outside can be a part of a path. Anything else could lead to another path than the one meant
 * (`..`), so whoever has such an id must refuse it.
 */
export function isPathPart(value: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

/** A path with another one behind it. */
export function below(base: PosPath, path: PosPath): PosPath {
  return { text: base.text + path.text, pattern: base.pattern + path.pattern };
}

/**
 * Writes a path with values in it, each percent-encoded: `` posPath`/v0/locations/${id}/inventory` ``. Values are ids,
 * checked by `isPathPart`, or made here: days, instants, numbers.
 */
export function posPath(parts: TemplateStringsArray, ...values: (string | number)[]): PosPath {
  for (const value of values) {
    if (!/^[A-Za-z0-9_.:+-]*[A-Za-z0-9_:+-]$/.test(String(value))) throw new RangeError("no part of a path");
  }
  return {
    text: String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value))),
    pattern: parts.join("{}"),
  };
}
