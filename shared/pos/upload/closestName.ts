/** Maximum number of wrong letters in a misspelled name. A name with more wrong letters counts as a different word. */
const maxEdits = 2;

/**
 * Finds the known name closest to a misspelled one. The prefixes `pos_` and `svc_` may be missing from the misspelled
 * name.
 *
 * @returns undefined if no known name is close
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  let closest: string | undefined;
  let fewest = Math.min(maxEdits, Math.floor(name.length / 3)) + 1;
  for (const one of known) {
    const edits = Math.min(countEdits(name, one), countEdits(name, one.replace(/\b(pos|svc)_/, "")));
    if (edits < fewest) [closest, fewest] = [one, edits];
  }
  return closest;
}

/** The edit distance of two texts: letters inserted, removed, replaced or swapped with the next. */
function countEdits(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > maxEdits) return Number.POSITIVE_INFINITY;
  const edits: number[][] = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => edits[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    edits[i] = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      edits[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(from.length, to.length);
}
