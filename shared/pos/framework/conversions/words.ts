/**
 * Splits a POS name into words, at capitals and at non-letters. Ignores letter case and drops a final `s`, except that of
 * a word of two letters. `PackedBud`, `packed-buds` and `PACKED BUD` give the same two words. Letters lose their accents.
 */
export function words(text: string | null): string[] {
  const found = plainLetters(text ?? "").match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return found.map((word) => word.toLowerCase().replace(/(?<!^.)s$/, ""));
}

const plainLetters = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");

/**
 * Makes a function that returns the first value in the table with a term that one of the texts contains; null if the
 * texts contain no term. A text contains a term if all words of the term follow each other in the text.
 *
 * @param table pairs of a value and its terms, separated by commas
 */
export function termFinder<Value>(table: readonly (readonly [Value, string])[]) {
  const entries = table.map(([value, terms]) => ({ value, terms: terms.split(",").map(words) }));
  return (texts: readonly (string | null)[]): Value | null => {
    const lists = texts.map(words);
    const holds = (term: readonly string[]) =>
      lists.some((list) => list.some((_, start) => term.every((word, offset) => list[start + offset] === word)));
    return entries.find(({ terms }) => terms.some(holds))?.value ?? null;
  };
}
