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

/**
 * Whether the name of a column is missing, or is one that a program gave to a column without a name: `Unnamed: 0` and
 * `Unnamed: 0.1` in pandas, `...1` in R, `Column1` in Excel, `__EMPTY_1` in SheetJS.
 */
export function isUnnamed(column: string): boolean {
  return /^(unnamed: ?\d+(\.\d+)?|\.\.\.\d+|column\d+|__empty(_\d+)?)?$/i.test(trimCell(column));
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

const counted =
  "(records?|rows?|lines|items|units|qty|quantity|count|amount|results|sales|products|customers|locations)";
const numberOf = "(number of |no\\.? of |# ?of )";
const sum = "(grand|sub)?[ -]?totals?";
const total = [
  `(.{1,60}[ _-])?${sum}( ${numberOf}?${counted}| general| général| net| gross)?`,
  `${numberOf}?${counted}(?= *[:=])`,
  "sum|((row|record|item) )?count|average|avg|overall|summary|Σ",
  "gesamt(summe|ergebnis|betrag)?|(zwischen)?summe|suma|somme",
].join("|");
const figure = String.raw`[(+-]?((usd|cad) |[#\p{Sc}])?-?\d[\d., ]*[)]?( ?(usd|cad)|\p{Sc})?`;
const reportLines = [
  new RegExp(`^(${total})(( *[:=] *| +| *(?=[(]))${figure})? *[:=]?( ${counted})?$`, "iu"),
  new RegExp(`^[(]?\\d+ (${counted}|row[(]s[)])( found| in total| affected| exported| returned| listed)?[)]?$`, "i"),
  new RegExp(`^${sum}( ${numberOf}?${counted} | all\\b| ?[,:(]| [-–/] )`, "i"),
  new RegExp(`^(${sum}|totals? as|sum|count|average) (for|of|by) `, "i"),
  /^page:? \d+( ?(of|\/) ?\d+)?$/i,
  /^(eof|end of (report|file|list|data|export))$/i,
  /^(applied )?filters?( applied)?:/i,
  /^(report |list |file )?(generated|printed|exported|created|run|as of)( (on|at|by|date))?:? .*\d/i,
];

/**
 * Whether a text belongs to a line of a report instead of naming a record: `Total`, `Grand Total`, `Flower Total`,
 * `Totals: 3`, `*** Total ***`, `Total, all stores`, `Records: 5`, `Sum`, `Count (12)`, `Page 1 of 3`, `End of Report`.
 */
export function isReportLine(text: string): boolean {
  const label = text.replaceAll(/^[-*=<>–—_~\s]+|[-*=<>–—_~\s]+$/g, "");
  return reportLines.some((line) => line.test(label));
}

/** Texts that programs and people write for a date that they do not have, without punctuation. */
const absentDate = new RegExp(
  `^(${[
    "n/a|na|nan|nat|null|nil|none|no|undefined|blank|empty|missing|unknown|unk|pending|\\\\n|invalid date",
    "tbd|tba|t b d|to be (determined|announced|assigned|confirmed)",
    "(not|none) (yet )?(available|applicable|set|given|provided|specified|stated|recorded|reported|entered|assigned|issued)",
    "no (date|value|data)|never|perpetual|indefinite|indefinitely|permanent|lifetime|ongoing|open ended",
    "(no|never|non|does not|doesnt) exp(ir(es?|y|ation|ing))?( date)?",
  ].join("|")})$`,
);

/** The year of a date in the forms in which programs write the dates that they store in place of a missing one. */
const yearForms = [
  /^(\d{4})(?:[-/.]\d{1,2}[-/.]\d{1,2}|\d{4})?(?:[T\s].*)?$/s,
  /^\d{1,2}[-/.]\d{1,2}[-/.](\d{4})(?:[T\s].*)?$/s,
  /^\d{1,2}[-. ]?\p{L}{3,9}[-., ]{1,2}(\d{4})(?:[T\s].*)?$/su,
  /^\p{L}{3,9}\.? \d{1,2},? (\d{4})(?:[T\s].*)?$/su,
];

/**
 * Whether a text stands for a missing date: a word such as `NULL` or `TBD`, dashes, an empty form such as `__/__/____`,
 * zeros, or a day whose year no person and no document of today has. Programs store the years 0, 1, 1753, 1899, 1900, 2999
 * and 9999 in place of a missing date. Spreadsheets write their zero as `1/0/00` or `0-Jan-00`.
 */
export function isAbsentDate(text: string): boolean {
  if (/^([^\p{L}\p{N}]|0)*$|^(1\/0\/00|0-jan-00)\b/iu.test(text)) return true;
  const word = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s/\\]/gu, (sign) => (sign === "-" ? " " : ""))
    .replaceAll(/\s*\/\s*/g, "/")
    .trim();
  if (absentDate.test(word)) return true;
  const year = yearForms.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  return year !== undefined && (year <= "1900" || year >= "2200");
}

/** Whether a day is the zero of Unix time, which programs write for a missing date. As a date of birth it may be true. */
export function isUnixZero(day: string): boolean {
  // West of Greenwich, the zero is in the evening of the last day of 1969.
  return day === "1970-01-01" || day === "1969-12-31";
}

/** Texts that programs write for a missing value, and texts without any letter or digit, such as dashes and rulers. */
const missing = /^(null|\(null\)|nan|<na>|na|n\.a\.|none|undefined|\\N|[^\p{L}\p{N}]*)$/iu;

/** A whole number with a fraction of zeros, after a point or a comma. `555.0000` may be a telephone number, `1,000` a number. */
const withZeroFraction = /^(?!\d{3}\.0000$)(\+?\d+)(?:\.0+|,0{1,2})$/;

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
