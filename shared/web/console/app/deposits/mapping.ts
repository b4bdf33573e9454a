import type { depositTypes } from "../../../../api/enumerations.ts";
import { foldCase } from "../../../../text/foldCase.ts";
import type { Output } from "../operations.ts";

export type DepositType = (typeof depositTypes)[number];

/** What a column of a file means; a column without a meaning is never sent. */
export const meanings = ["id", "posted_date", "amount", "type", "business_date", "business"] as const;
export type Meaning = (typeof meanings)[number];

/** What the columns of an institution's files mean. The browser keeps it for the next file. */
export interface Mapping {
  /** By the name of the column. */
  columns: Readonly<Record<string, Meaning>>;
  /** The type of each code in the column of types; a row whose code is `skipped` is not sent. */
  codes: Readonly<Record<string, DepositType | "skipped">>;
  /** The type of all rows of a file without a column of types. */
  type?: DepositType | undefined;
  /** The chosen `crb_id` of each value in the column of businesses; empty if rows with the value are not sent. */
  businesses: Readonly<Record<string, string>>;
}

const accountWords = /(^|[^a-z])(acc(oun)?ts?|acc?t|iban|routing|aba|rtn|card|pan|ssn|ein|tin|tax)([^a-z]|$)/;
const postingWords = /(^|[^a-z])(trans(action)?|txn?|trn|posting|ref(erence)?|trace|seq(uence)?)([^a-z]|$)/;

/** The words of a column's name, in lower case: `AcctNo` has `acct` and `no`. */
const wordsIn = (column: string): string => column.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** Whether a column's name says that it has numbers of accounts, cards or persons. Such a column is never sent. */
export const isAccountColumn = (column: string): boolean =>
  accountWords.test(wordsIn(column)) && !postingWords.test(wordsIn(column));

/** The usual names of columns, in the order in which they are tried. */
const usual: readonly (readonly [Meaning, RegExp])[] = [
  ["business_date", /business.?(date|day|dt)|(^|[^a-z])(biz|sales?).?(date|dt)/],
  [
    "posted_date",
    /(post(ed|ing)?|eff(ective)?|trans(action)?|txn|trn|value|proc(ess)?)[^a-z]*(on|date|day|dt)|^(date|dt|day)$/,
  ],
  ["type", /(^|[^a-z])(type|code|cd|kind|category)([^a-z]|$)/],
  ["id", /(^|[^a-z])(id|ref(erence)?|trace|seq(uence)?|posting|number|no|nbr)([^a-z]|$)/],
  ["business", /business|(^|[^a-z])(dba|merchant|customer|client|company|shop|store)([^a-z]|$)/],
];

const amountWords = /am(oun)?t|^value$/;
/** Sums that are no deposits, and columns about the amount. Debits are amounts, but leave the account. */
const otherSums =
  /(^|[^a-z])((ledger)?bal(ance|amt)?|available|running|(?<!(net of|less|after) )fees?|charges?|tax(es)?|tips?|interest|float|flt|hold|variance|difference|discount|currency|ccy|type|sign|code|indicator)([^a-z]|$)/;
const debitWords = /(^|[^a-z])(debits?|dr|withdraw(als?|n)?|payments?)([^a-z]|$)/;

const [leaving, entering] = [
  "debits?|dr|dbt?|withdraw(?:als?)?|payments?|out(?:flows?)?|minus|decreases?",
  "credits?|cr|cdt|deposits?|receipts?|in(?:flows?)?|plus|increases?",
];
const between = "[^a-z]*(?:(?:or|and|to|vs|versus|paid|money)[^a-z]*)*";
const bothIn = (one: string, other: string): string => `(?:${one})${between}(?:${other})`;
/** A column that says whether an amount enters or leaves the account. */
const signWords = new RegExp(
  [
    `^(?:amount |amt )?(?:indicator|d${between}c|c${between}d)(?: flag| ind(?:icator)?)?$`,
    "(?:^|[^a-z])(?:sign|direction)(?![a-z]|[^a-z]*(?:off|on|in|up|out|date)(?![a-z]))",
    `(?:^|[^a-z])(?:${bothIn(leaving, entering)}|${bothIn(entering, leaving)})(?![a-z]|[^a-z]*cards?)`,
    "^(?:\\+\\s*(?:/|or)\\s*[-−]|[-−]\\s*(?:/|or)\\s*\\+)$",
  ].join("|"),
);

/** The only column with amounts; undefined if several may have them, or one their sign: a wrong guess changes each deposit. */
function guessAmount(columns: readonly string[]): string | undefined {
  const isAmount = (words: string) => amountWords.test(words) && !otherSums.test(words);
  const [only, ...others] = columns.filter((each) => !isAccountColumn(each) && isAmount(wordsIn(each)));
  const haveSign = columns.some((each) => signWords.test(wordsIn(each)));
  const isCertain = only !== undefined && others.length === 0 && !haveSign && !debitWords.test(wordsIn(only));
  return isCertain ? only : undefined;
}

/** Guesses the meanings of columns by their usual names; each meaning once. */
export function guessColumns(columns: readonly string[]): Record<string, Meaning> {
  const guessed = new Map<string, Meaning>();
  const amount = guessAmount(columns);
  if (amount !== undefined) guessed.set(amount, "amount");
  for (const [meaning, names] of usual) {
    const column = columns.find((each) => !guessed.has(each) && !isAccountColumn(each) && names.test(wordsIn(each)));
    if (column !== undefined) guessed.set(column, meaning);
  }
  return Object.fromEntries(guessed);
}

/** Words that say nothing of the means, alone or behind a word that does, as in `CSHDEP`. */
const otherWords = "dep(?:osits?)?|cr(?:edits?)?|in(?:coming)?|pmt|payment|batch|settlement";
const isOther = new RegExp(`^(?:${otherWords})$`);
const usualWords = Object.entries({
  cash: "cash|csh|vault|currency|coins?",
  ach: "ach",
  card: "cards?|merch(?:ant)?|mrch|visa|mastercard|pos",
  check: "che?cks?|chks?|cheques?|remote",
  wire: "wires?|fedwire|swift",
} satisfies Partial<Record<DepositType, string>>).map(
  ([type, words]) => [type as DepositType, new RegExp(`^(?:${words})(?:${otherWords})?$`)] as const,
);

/**
 * Guesses the type of a code such as `CSHDEP`. Every word must be known, since `Cash App` and `Non-cash` are no cash: a wrong type
 * makes cash appear or disappear.
 *
 * @returns undefined if a word is unknown, or if the words have no type or two
 */
export function guessType(code: string): DepositType | undefined {
  // Another sign than punctuation may deny a word: "≠ Cash", "[ ] cash".
  if (/[^\p{L}\p{N}\s_./,:;#()[\]&+*'"|·–—-]|\[\s*\]/u.test(code)) return undefined;
  const words = (code.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !isOther.test(word));
  const types = new Set(words.map((word) => usualWords.find(([, its]) => its.test(word))?.[0]));
  return types.size === 1 ? [...types][0] : undefined;
}

const foldName = (name: string): string => foldCase(name.trim().replaceAll(/\s+/g, " "));

/** The `crb_id` of each value: the chosen one, or else that of the only business with this name or dba; empty if none. */
export function matchBusinesses(
  values: readonly string[],
  chosen: Mapping["businesses"],
  businesses: readonly Pick<Output<"getOverview">["data"][number], "crb_id" | "name" | "dba">[],
): Map<string, string> {
  const ids = new Set(["", ...businesses.map(({ crb_id }) => crb_id)]);
  const named = new Map<string, string>();
  for (const { crb_id, name, dba } of businesses)
    for (const key of new Set([name, dba ?? name].map(foldName))) named.set(key, named.has(key) ? "" : crb_id);
  return new Map(
    values.map((value) => {
      const own = chosen[value];
      return [value, own !== undefined && ids.has(own) ? own : (named.get(foldName(value)) ?? "")];
    }),
  );
}

/** Gives a column another meaning; undefined if it is not sent. A meaning has one column at most. */
export function withMeaning(mapping: Mapping, column: string, meaning: Meaning | undefined): Mapping {
  const others = Object.entries(mapping.columns).filter(([each, its]) => each !== column && its !== meaning);
  return { ...mapping, columns: Object.fromEntries(meaning ? [...others, [column, meaning]] : others) };
}

const keyOf = (spId: string): string => `console:deposits:${spId}`;

/** The kept mapping of an institution, as far as a file has its columns; otherwise a guess. */
export function readMapping(spId: string, columns: readonly string[]): Mapping {
  const kept: Mapping = JSON.parse(
    localStorage.getItem(keyOf(spId)) ?? '{ "columns": {}, "codes": {}, "businesses": {} }',
  );
  const own = Object.entries(kept.columns).filter(([column]) => columns.includes(column) && !isAccountColumn(column));
  return { ...kept, columns: own.length > 0 ? Object.fromEntries(own) : guessColumns(columns) };
}

/** Whether the browser keeps a mapping, which stays after a sign-out. */
export const hasMapping = (): boolean => Object.keys(localStorage).some((key) => key.startsWith(keyOf("")));

/** Keeps a mapping. It has names of columns, codes and businesses, and no account number. */
export const keepMapping = (spId: string, mapping: Mapping): void =>
  localStorage.setItem(keyOf(spId), JSON.stringify(mapping));
