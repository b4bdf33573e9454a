/**
 * A text as it compares without letter case, in composed form (NFC): equal for all texts that Unicode calls equal by
 * canonical equivalence and full case folding. Lower case alone would keep apart what has one capital in common, such as
 * `ß` and `ss`, or the two small sigmas.
 */
export const foldCase = (text: string): string =>
  text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
