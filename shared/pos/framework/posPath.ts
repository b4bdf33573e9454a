/** A path below the POS's base address. `pattern` is the same path with placeholders instead of values, for the log. */
export interface PosPath {
  text: string;
  pattern: string;
}

/** Whether an external id can be a path segment. Another one could lead to another path (`..`): reject it. */
export function isPathPart(value: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

/** Appends a path to another one. */
export function below(base: PosPath, path: PosPath): PosPath {
  return { text: base.text + path.text, pattern: base.pattern + path.pattern };
}

/** Builds a path, such as `` posPath`/v0/${id}` ``, with encoded ids (`isPathPart`), days, instants and numbers. */
export function posPath(parts: TemplateStringsArray, ...values: (string | number)[]): PosPath {
  for (const value of values) {
    if (!/^[A-Za-z0-9_.:+-]*[A-Za-z0-9_:+-]$/.test(String(value))) throw new RangeError("not a path segment");
  }
  return {
    text: String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value))),
    pattern: parts.join("{}"),
  };
}
