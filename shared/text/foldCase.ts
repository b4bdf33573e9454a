/**
 * Converts a text to a form in which letter case does not matter, composed (NFC). Texts that Unicode considers equal by
 * canonical equivalence and full case folding give equal results. Conversion to lower case alone is not enough: `ß` and
 * `ss` would differ, and so would the two small sigmas, although their capitals are equal.
 */
export const foldCase = (text: string): string =>
  text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
