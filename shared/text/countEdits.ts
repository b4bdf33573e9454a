/**
 * The edit distance of two texts: letters inserted, removed, replaced or swapped with the next.
 *
 * @param max distances above it count as infinite if the lengths alone differ by more
 */
export function countEdits(from: string, to: string, max: number): number {
  if (Math.abs(from.length - to.length) > max) return Number.POSITIVE_INFINITY;
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
