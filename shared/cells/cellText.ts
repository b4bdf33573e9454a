import { withoutFormatCharacters } from "../text/formatCharacters.ts";

// The text of a cell: what programs and people write into cells in place of the value that they mean. Every check works
// on text that `trimCell` returned.

/** White space, and format characters that can neither join letters nor change an emoji. */
const blank = String.raw`[\s\u0085\u00AD\u061C\u180E\u200B\u200E\u200F\u2060]`;
const blankStart = new RegExp(`^${blank}+`);

/**
 * Removes white space of every kind around the text, and zero-width spaces, byte order marks and directional marks. Also
 * removes the form `="0012"`, by which programs keep spreadsheets from changing a text.
 */
export function trimCell(cell: string): string {
  const text = trimEnd(cell.replace(blankStart, ""));
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text;
}

/** Removes blanks from the end. A regular expression would take quadratic time for blanks inside the text. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && blankStart.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}

/**
 * Whether a cell is empty, or has only invisible characters. `N/A` in any letter case counts as empty: people write it
 * into cells without a value.
 */
export function isEmptyCell(cell: string): boolean {
  return /^(n\/a)?$/i.test(trimCell(withoutFormatCharacters(cell)));
}

/** Whether the name of a column is missing. Programs read such a column as `Unnamed: 0`. */
export function isUnnamed(column: string): boolean {
  return /^(unnamed: ?\d+)?$/i.test(trimCell(column));
}

const formulaErrors = [
  "REF|VALUE|DIV/0|NULL|NUM|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|ERROR|UNKNOWN|PYTHON",
  // German, French, Spanish, and Italian or Portuguese.
  "BEZUG|WERT|ZAHL|ÜBERLAUF|KALK",
  "VALEUR|NOMBRE|NUL|PROPAGATION",
  "VALOR|NULO|DESBORDAMIENTO",
  "RIF|VALORE|NULLO|NÚM",
].join("|");
const spreadsheetError = new RegExp(
  `^(#(N/[AD]|NV|[¡¿]?(${formulaErrors})!?|¿?(NAME|NOM|NOMBRE|NOME)\\?|GETTING_DATA)|(Err|Fehler):\\d{3}|#{3,})$`,
  "i",
);

/**
 * Whether a text is an error of a formula, in English or another language of spreadsheets (see `formulaErrors`), or the
 * `####` of a column that is too narrow for its value.
 */
export function isSpreadsheetError(text: string): boolean {
  return spreadsheetError.test(text);
}

/**
 * Whether a text contains neither characters that indicate an encoding other than UTF-8, nor terminal control
 * characters.
 */
export function isReadable(text: string): boolean {
  return text.isWellFormed() && !/[\uFFFD]|(?![\t\n\r])\p{Cc}/u.test(text);
}

/** Whether a text has a line break or a tab. */
export function hasLineBreak(text: string): boolean {
  return /[\t\n\v\f\r\u0085\u2028\u2029]/.test(text);
}

/**
 * Whether a program wrote a long number with an exponent, as in `1.23E+11` or `2.9E19`, so that digits may be missing. A
 * number without a point and a sign, such as `12E5`, may be a text of the business itself.
 */
export function isRounded(text: string): boolean {
  return /^[+-]?\d+([.,]\d*)?E[+-]\d+$|^[+-]?\d+[.,]\d+E\d+$/i.test(text);
}

const month = `(${[
  "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
  // German, French, Spanish.
  "mär|mrz|märz|mai|juni|juli|sept|okt|dez",
  "janv|févr|mars|avr|juin|juil|août|déc",
  "ene|abr|ago|dic",
].join("|")})\\.?`;
const spreadsheetDate = new RegExp(`^(\\d{1,2}(-|\\. ?)${month}([- ]\\d{2}(\\d{2})?)?|${month}-\\d{2})$`, "i");

/** Whether a spreadsheet turned a text such as `1-2` into a date: `2-Jan`, `Jan-02`, `2-Jan-26`, `02. Okt`, `02-janv`. */
export function isSpreadsheetDate(text: string): boolean {
  return spreadsheetDate.test(text);
}

const counted = "(records|rows|lines|items|units|qty|quantity|count|amount|sales|products|customers|locations)";
const total = [
  `(.{1,60}[ _-])?(sub[ -]?)?totals?( (number of )?${counted}| general| général)?`,
  "sum|((row|record|item) )?count|average|avg",
  "gesamt(summe|ergebnis|betrag)?|(zwischen)?summe|suma|somme",
].join("|");
const figure = String.raw`[(+-]?[#\p{Sc}]?-?\d[\d., ]*[)]?\p{Sc}?`;
const reportLines = [
  new RegExp(`^(${total})(( *[:=] *| +| *(?=[(]))${figure})? *[:=]?( ${counted})?$`, "iu"),
  new RegExp(`^[(]?\\d+ (${counted}|row|row[(]s[)])( found| in total| affected)?[)]?$`, "i"),
  /^(sub)?totals? (for|of|by) /i,
  /^page:? \d+( ?(of|\/) ?\d+)?$/i,
  /^\W*end of (report|file|list|data|export)\W*$/i,
  /^(report |list |file )?(generated|printed|exported|created|run|as of)( (on|at|by|date))?:? .*\d/i,
];

/**
 * Whether a text belongs to a line of a report instead of naming a record: `Total`, `Grand Total`, `Flower Total`,
 * `Totals: 3`, `Sum`, `Count (12)`, `Page 1 of 3`, `End of Report`.
 */
export function isReportLine(text: string): boolean {
  return reportLines.some((line) => line.test(text));
}

/** Words that programs and people write for a date that they do not have, without punctuation. */
const absentDates = new Set(
  "|0|n/a|na|nan|nat|null|nil|none|no|undefined|blank|empty|missing|unknown|unk|tbd|tba|pending|not available|not applicable|not set|no date|never|none given|no expiration|does not expire|perpetual|indefinite|\\n".split(
    "|",
  ),
);

/**
 * Whether a text stands for a missing date: a word such as `NULL` or `TBD`, dashes, or a day whose year no person and no
 * document of today has. Programs store the years 0, 1, 1753, 1899, 1900, 2999 and 9999 in place of a missing date.
 */
export function isAbsentDate(text: string): boolean {
  const word = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s/\\]/gu, "")
    .trim();
  if (absentDates.has(word)) return true;
  const [, first, last, compact] =
    /^(?:(\d{4})[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4})|(\d{4})\d{4})(?:[T\s].*)?$/s.exec(text) ?? [];
  const year = first ?? last ?? compact;
  return year !== undefined && (year <= "1900" || year >= "2200");
}

/** Whether a day is the zero of Unix time, which programs write for a missing date. As a date of birth it may be true. */
export function isUnixZero(day: string): boolean {
  // West of Greenwich, the zero is in the evening of the last day of 1969.
  return day === "1970-01-01" || day === "1969-12-31";
}

/** Texts that programs write for a missing value, and texts without any letter or digit, such as dashes and rulers. */
const missing = /^(null|\(null\)|nan|<na>|na|n\.a\.|none|undefined|\\N|[^\p{L}\p{N}]*)$/iu;

/** A whole number with a fraction of zeros. `555.0000` may be a telephone number. */
const withZeroFraction = /^(?!\d{3}\.0000$)(\d+)\.0+$/;

/** Whether a whole number is too large for a floating-point number, in which programs store numbers of spreadsheets. */
const isUnsafe = (digits: string) => !Number.isSafeInteger(Number(digits));

/**
 * The id or number in a text as the business knows it: without the fraction that programs add to whole numbers (`12.0`
 * is `12`), without an apostrophe that marks digits as text, without format characters, with plain blanks, and with
 * accents that are a part of their letter. Empty if the text stands for a missing value, as `NULL` and `---` do.
 *
 * @returns undefined if the program had to round the number before it added the fraction
 */
export function plainCode(text: string): string | undefined {
  const code = withoutFormatCharacters(text)
    .normalize("NFC")
    .replaceAll(/\p{Zs}/gu, " ")
    .trim()
    .replace(/^'(?=[\d.]+$)/, "");
  if (missing.test(code)) return "";
  const [, whole] = withZeroFraction.exec(code) ?? [];
  if (whole === undefined) return code;
  return isUnsafe(whole) ? undefined : whole;
}
