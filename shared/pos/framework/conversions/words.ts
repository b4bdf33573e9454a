/**
 * Splits a POS name into words, at capitals and at non-letters. Ignores letter case and drops a final `s`, except that of
 * a word of two letters. `PackedBud`, `packed-buds` and `PACKED BUD` give the same two words. Letters lose their accents.
 */
export function words(text: string | null): string[] {
  const found = plainLetters(text ?? "").match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return found.map((word) => word.toLowerCase().replace(/(?<!^.)s$/, ""));
}

const plainLetters = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "");

/** The words of a name without spaces, so that `Pre-Roll`, `PreRoll` and `PREROLLS` are equal. */
export const joinedWords = (name: string): string => words(name).join("");

/**
 * Makes a function that reads a text as terms. It returns the values of the terms in the order of the text, with null for
 * each word of no term. Of terms that begin with the same word, the longest one counts, and its words count once: `non
 * edible` is not also `edible`.
 *
 * @param table pairs of a value and its terms, separated by commas
 */
export function termReader<Value>(table: readonly (readonly [Value, string])[]) {
  const terms = new Map<string, Value>();
  let maxWords = 1;
  for (const [value, names] of table) {
    for (const name of names.split(",")) {
      terms.set(joinedWords(name), value);
      maxWords = Math.max(maxWords, words(name).length);
    }
  }
  return (text: string | null): (Value | null)[] => {
    const list = words(text);
    const found: (Value | null)[] = [];
    for (let start = 0; start < list.length; ) {
      let length = Math.min(maxWords, list.length - start);
      while (length > 1 && !terms.has(list.slice(start, start + length).join(""))) length--;
      found.push(terms.get(list.slice(start, start + length).join("")) ?? null);
      start += length;
    }
    return found;
  };
}
