/** Longer names get no suggestion, since comparing them takes time. */
const maxLength = 40;

/**
 * The message for a query parameter that an operation does not have. It suggests the closest known name if at most a
 * third of the characters differ.
 */
export function describeUnknownParameter(name: string, known: readonly string[]): string {
  const message = "is not a parameter of this operation";
  if (name.length > maxLength) return message;
  const spelled = name.toLowerCase().replaceAll("-", "_");
  const [nearest] = known
    .map((one) => ({ one, distance: editDistance(spelled, one) }))
    .filter(({ one, distance }) => distance * 3 <= one.length)
    .sort((a, b) => a.distance - b.distance);
  return nearest ? `${message}; did you mean ${nearest.one}?` : message;
}

/** Levenshtein distance: the number of inserted, removed and replaced characters (docs/decisions/own-code.md). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
