import type { PosPayment } from "../../posRecords.ts";
import { type NameMeaning, paymentNames, unsaidNames, wordsNextToCash } from "./paymentNames.ts";
import { joinedWords, termReader } from "./words.ts";

export type PaymentType = PosPayment["type"];

/** A part of a name whose meaning is known. */
interface Term {
  meaning: NameMeaning | "next to cash" | "negation" | "article" | "separator";
  type: PaymentType;
}

/** The reading of a text. Of several texts, those with the highest rank decide. */
interface Reading {
  type: PaymentType;
  rank: number;
  /** whether the text only says which means it is not, or names no means: `Non-Cash`, `Cash Back` */
  isDenial?: boolean;
}

const rank = { compound: 2, word: 1, vague: 0 };

const readTerms = termReader<Term>([
  [{ meaning: "next to cash", type: "other" }, wordsNextToCash.names],
  [{ meaning: "article", type: "other" }, "a, an, any"],
  [{ meaning: "negation", type: "other" }, "no, non, not, without"],
  [{ meaning: "separator", type: "other" }, "and, or"],
  ...paymentNames.map(({ names, meaning, type }) => [{ meaning, type }, names] as const),
]);
const unsaid: ReadonlySet<string> = new Set(unsaidNames.names.split(",").map(joinedWords));

/**
 * Maps a POS's names of a means of payment, such as its name and its category, to the specification's type. Only certain
 * cash becomes `cash`. A name that is not known becomes `other`, and `unknown` if the POS says nothing
 * (docs/pos/README.md#means-of-payment).
 */
export function paymentType(...texts: (string | null)[]): PaymentType {
  const said = texts.filter(
    (text) => text !== null && /[\p{L}\p{N}\p{S}]/u.test(text) && !unsaid.has(joinedWords(text)),
  );
  if (said.length === 0) return "unknown";
  const readings = said.map((text) => readText(text as string)).filter((reading) => reading !== null);
  const highest = Math.max(...readings.map(({ rank }) => rank));
  const types = new Set(readings.filter(({ rank }) => rank === highest).map(({ type }) => type));
  // Texts that contradict each other are not certain. A text of lower rank contradicts only cash.
  if (types.has("cash") && readings.some(({ type }) => type !== "cash")) return "other";
  const type = merge(types);
  return type === null || (type === "multiple" && types.size > 1) ? "other" : type;
}

/**
 * The text of a reference, such as `CHK-1042`, if it names a known means and all its words are known; else null. Any other
 * reference may be secret, or name a person.
 */
export function knownMeans(reference: string | null): string | null {
  const type = paymentType(reference);
  return type === "other" || type === "unknown" || readTerms(reference).includes(null) ? null : reference;
}

/**
 * Builds a payment from the names that its POS gives to the means.
 *
 * @param amount_paid cents; null if the POS does not state it
 */
export function namedPayment(amount_paid: number | null, ...texts: (string | null)[]): PosPayment {
  const pos_name = [...new Set(texts.map((text) => text?.trim()))].filter(Boolean).join(" / ");
  return { type: paymentType(...texts), amount_paid, ...(pos_name && { pos_name }) };
}

/**
 * Letters of other scripts, symbols and emoji: `words` drops them, but they may deny cash. Money is no such emoji. A sign
 * for "not" stands before the name, and a mark can strike out a letter or a sign.
 */
const unreadable =
  /(?![a-z💵💰💲💸🤑🪙])[\p{L}\p{So}?]|(?![+=|])\p{Sm}|\[\s*\]|!(?=[\s=]*[\p{L}\p{N}])|[\u0334-\u0338\u20D0-\u20F0]/giu;

/** @returns null if the text names no means for certain */
function readText(text: string): Reading | null {
  const parts: (Term | null)[][] = [[]];
  const spelledOut = text
    .normalize("NFKD")
    // `w/` means with, `w/o` without.
    .replace(/\bw\/o\b/gi, " without ")
    .replace(/\bw\//gi, " ")
    // The letter of a drawer names no means.
    .replace(/\b(drawer|register|till|lane|station|terminal|box)[\s#:-]+[a-z]\b/gi, "$1")
    // At the end of a name, a plus is a part of a brand.
    .replace(/\+/g, " plus ")
    .replace(/[/&,;|]|\bplus\b(?=\P{L}*\p{L})/giu, " and ")
    .replace(unreadable, " unreadable ");
  for (const term of readTerms(spelledOut)) {
    if (term?.meaning === "separator") parts.push([]);
    else parts.at(-1)?.push(term);
  }
  const readings = parts.map((part) => ({ part, reading: readPart(part) }));
  const named = readings.filter(({ reading }) => reading && !reading.isDenial);
  // Cash or credit may be one of the means, as in `Cash Zorp / Debit`.
  if (readings.some(({ part, reading }) => reading === null && part.some(isStrict))) return null;
  // `Debit, no cash` is debit, and not several means.
  const counted = named.length > 0 ? named : readings;
  const type = merge(new Set(counted.flatMap(({ reading }) => reading?.type ?? [])));
  if (type === null) return null;
  const isUnclear = readings.some(({ part, reading }) =>
    reading ? reading.isDenial && withoutNegated(part).length > 0 : !part.every(isCertainCash),
  );
  if (type === "cash" && isUnclear) return null;
  return {
    type,
    rank: Math.max(...counted.map(({ reading }) => reading?.rank ?? rank.vague)),
    isDenial: named.length === 0,
  };
}

/** Reads a part of a name that has no separators. */
function readPart(part: readonly (Term | null)[]): Reading | null {
  const affirmed = withoutNegated(part);
  const typesOf = (meaning: NameMeaning) =>
    new Set(affirmed.flatMap((term) => (term?.meaning === meaning ? term.type : [])));
  const [compounds, single] = [typesOf("compound"), typesOf("word")];
  if (single.has("multiple")) return { type: "multiple", rank: rank.compound };
  const compound = merge(compounds);
  if (compound) return { type: compound, rank: rank.compound };
  const isCard = typesOf("card").size > 0;
  const certain = isCard ? single.intersection(cardTypes) : single;
  if (isCard && certain.size === 0) return { type: single.size > 0 ? "other" : "credit", rank: rank.word };
  const type = merge(certain);
  if (!isCard && affirmed.some(isStrict) && !affirmed.every((term) => isNextToCash(term) || isWord(term))) return null;
  if (type) return { type, rank: rank.word };
  if (typesOf("vague").size > 0) return { type: "other", rank: rank.vague };
  const isDenial = affirmed.length < part.length || typesOf("no means").size > 0;
  return isDenial ? { type: "other", rank: rank.vague, isDenial } : null;
}

const cardTypes: ReadonlySet<PaymentType> = new Set(["debit", "credit"]);

/** Drops negations together with the means that they deny: `Non-Debit`, `Not a check`. */
function withoutNegated(part: readonly (Term | null)[]): (Term | null)[] {
  const kept: (Term | null)[] = [];
  for (let at = 0; at < part.length; at++) {
    const next = part[at + 1]?.meaning === "article" ? at + 2 : at + 1;
    const isDenied = part[at]?.meaning === "negation" && isMeans(part[next]);
    if (isDenied) at = next;
    else kept.push(part[at] ?? null);
  }
  return kept;
}

const isMeans = (term: Term | null | undefined): boolean => ["compound", "word", "card"].includes(term?.meaning ?? "");

const isWord = (term: Term | null): boolean => term?.meaning === "word";
const isNextToCash = (term: Term | null): boolean => term?.meaning === "next to cash";

/** Whether a term is a means only if all words next to it are known: `Cash Zorp`, and `Member Credit`, which is no card. */
const isStrict = (term: Term | null): boolean => isWord(term) && (term?.type === "cash" || term?.type === "credit");

/** Whether a term is cash, or leaves cash certain. */
const isCertainCash = (term: Term | null): boolean => isNextToCash(term) || (isWord(term) && term?.type === "cash");

/** The type of several means. A card that is debit or credit is `credit`, as a card whose kind the POS does not say. */
function merge(types: ReadonlySet<PaymentType>): PaymentType | null {
  if (types.size <= 1) return [...types][0] ?? null;
  return types.isSubsetOf(cardTypes) ? "credit" : "multiple";
}
