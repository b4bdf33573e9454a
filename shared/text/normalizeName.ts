import { foldCase } from "./foldCase.ts";
import { withoutInvisible } from "./invisible.ts";

/**
 * Normalizes an organization's name for comparison (docs/spec.md#same-organization): converts it to compatibility form
 * (NFKC), folds letter case, removes invisible characters, and puts single blanks between words.
 */
export function normalizeName(name: string): string {
  // Line ends separate words, so they become blanks before invisible characters are removed.
  const inOneLine = name.normalize("NFKC").replaceAll(/\p{White_Space}/gu, " ");
  // The text is composed again, because a removed invisible character may have separated a letter from its accent.
  const folded = foldCase(withoutInvisible(inOneLine)).normalize("NFKC");
  return folded.replaceAll(/ +/g, " ").trim();
}
