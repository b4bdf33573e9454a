import type { Input } from "../operations.ts";
import { parseCents } from "./amount.ts";
import { parseDay } from "./day.ts";
import { type DepositType, guessType, type Mapping, type Meaning } from "./mapping.ts";
import type { CsvFile, FileRow } from "./readCsv.ts";

export type Deposit = NonNullable<Input<"storeDeposits">["body"]>["deposits"][number];

/** A row with its deposit, with the problem that keeps it from being sent, or left out by its code. */
export interface CheckedRow {
  /** The row of the file, counted as spreadsheet programs count. */
  number: number;
  /** The texts of the mapped columns. */
  texts: Readonly<Partial<Record<Meaning, string>>>;
  deposit?: Deposit;
  problem?: string;
}

/** The text of a cell. An apostrophe that keeps spreadsheets from reading a formula (`csvCell`) is none of it. */
const textOf = (cell = ""): string => cell.trim().replace(/^'(?=[=+@-])/, "");

/** The values that a column has, in the order of their first row. */
export const valuesIn = ({ columns, rows }: CsvFile, column: string): string[] => {
  const index = columns.indexOf(column);
  return [...new Set(rows.map(({ cells }) => textOf(cells[index])))];
};

/** The column with a meaning. */
export const columnOf = ({ columns }: Mapping, meaning: Meaning): string | undefined =>
  Object.entries(columns).find(([, its]) => its === meaning)?.[0];

/** The type of a code: the chosen one, or else the guessed one. */
export const typeOf = ({ codes }: Mapping, code: string): DepositType | "skipped" | undefined =>
  Object.hasOwn(codes, code) ? codes[code] : guessType(code);

/**
 * Turns the rows of a file into deposits. Only the mapped columns are read.
 *
 * @param now epoch milliseconds
 * @param matches the `crb_id` of each value in the column of businesses, for a file of several; rows without one are left out
 */
export function checkRows(
  file: CsvFile,
  mapping: Mapping,
  now: number,
  matches?: ReadonlyMap<string, string>,
): CheckedRow[] {
  const positions = Object.entries(mapping.columns).map(
    ([column, meaning]) => [meaning, file.columns.indexOf(column)] as const,
  );
  const firstRows = new Map<string, number>();
  return file.rows.map((row) => {
    const texts = Object.fromEntries(positions.map(([meaning, index]) => [meaning, textOf(row.cells[index])]));
    const checked = { number: row.number, texts, ...resultOf(texts, row, file.columns.length, mapping, now) };
    const crbId = matches?.get(texts.business ?? "");
    // A row with too many cells can have another text in place of its business.
    if (crbId === "" && row.cells.length <= file.columns.length) return { number: row.number, texts };
    const { deposit } = checked;
    if (!deposit) return checked;
    // Ids belong to a business.
    const key = `${deposit.id} ${crbId}`;
    const first = firstRows.get(key);
    if (first !== undefined)
      return { number: row.number, texts, problem: `Row ${first} has the same id. Each posting needs its own.` };
    firstRows.set(key, row.number);
    return checked;
  });
}

function resultOf(
  texts: Partial<Record<Meaning, string>>,
  { cells }: FileRow,
  width: number,
  mapping: Mapping,
  now: number,
): Pick<CheckedRow, "deposit" | "problem"> {
  const type = columnOf(mapping, "type") === undefined ? mapping.type : typeOf(mapping, texts.type ?? "");
  if (type === "skipped") return {};
  if (cells.length > width)
    return { problem: "The row has more cells than the file has columns; a comma may need quotation marks." };
  const { id = "" } = texts;
  if (!/^[!-~]{1,64}$/.test(id) || id === "." || id === "..")
    return { problem: id ? "The id must be 1 to 64 letters, digits and signs without spaces." : "The id is missing." };
  const posted = parseDay(texts.posted_date ?? "", now);
  if ("problem" in posted) return { problem: `Day posted: ${posted.problem}` };
  const business = texts.business_date ? parseDay(texts.business_date, now) : undefined;
  if (business && "problem" in business) return { problem: `Business day: ${business.problem}` };
  const amount = parseCents(texts.amount ?? "");
  if (amount === undefined) return { problem: "The amount is no number of dollars and cents such as 1,234.56." };
  if (amount === 0) return { problem: "The amount is 0." };
  if (type === undefined)
    return { problem: texts.type ? `Choose what the code ${texts.type} means.` : "Choose the type." };
  return { deposit: { id, posted_date: posted.day, amount, type, ...(business && { business_date: business.day }) } };
}
