import { foldCase } from "./foldCase.ts";
import { withoutInvisible } from "./invisible.ts";

/**
 * The name of an organization as two of them are compared (docs/spec.md#same-organization): in compatibility form (NFKC), without
 * letter case and invisible characters, with one blank between words.
 */
export function normalizeName(name: string): string {
  // Before what does not show, since ends of lines part words.
  const inOneLine = name.normalize("NFKC").replaceAll(/\p{White_Space}/gu, " ");
  // Composed again: an invisible character may have kept a letter from its accent.
  const folded = foldCase(withoutInvisible(inOneLine)).normalize("NFKC");
  return folded.replaceAll(/ +/g, " ").trim();
}
