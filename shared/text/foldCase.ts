/**
 * Folds a text for comparison without letter case, in composed form (NFC). Texts that Unicode considers equal by
 * canonical equivalence and full case folding give equal results. Lower case alone would distinguish texts with the
 * same capitals, such as `ß` and `ss`, or the two small sigmas.
 */
export const foldCase = (text: string): string =>
  text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
