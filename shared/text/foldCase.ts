/**
 * Converts a text to a form in which letter case does not matter, composed (NFC). Texts that Unicode considers equal by
 * canonical equivalence and full case folding give equal results. Conversion to lower case alone is not enough: `ß` and
 * `ss` would differ. The Greek letters `σ` and `ς` would also differ, although both have the capital `Σ`.
 */
export const foldCase = (text: string): string =>
  text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
