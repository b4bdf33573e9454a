import { countEdits } from "../../text/countEdits.ts";

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
    const edits = Math.min(
      countEdits(name, one, maxEdits),
      countEdits(name, one.replace(/\b(pos|svc)_/, ""), maxEdits),
    );
    if (edits < fewest) [closest, fewest] = [one, edits];
  }
  return closest;
}
