/**
 * The words of a text as POS systems name things: split where a capital begins a word and at what is no letter, without
 * letter case and without an `s` at the end. `PackedBud`, `packed-buds` and `PACKED BUD` are the same two words.
 */
export function words(text: string | null): string[] {
  const found = (text ?? "").match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return found.map((word) => word.toLowerCase().replace(/s$/, ""));
}

/** Finds the first entry of a table of terms, comma-separated, one of which some text holds: its words in a row. */
export function termFinder<Value>(table: readonly (readonly [Value, string])[]) {
  const entries = table.map(([value, terms]) => ({ value, terms: terms.split(",").map(words) }));
  return (texts: readonly (string | null)[]): Value | null => {
    const lists = texts.map(words);
    const holds = (term: readonly string[]) =>
      lists.some((list) => list.some((_, start) => term.every((word, offset) => list[start + offset] === word)));
    return entries.find(({ terms }) => terms.some(holds))?.value ?? null;
  };
}
