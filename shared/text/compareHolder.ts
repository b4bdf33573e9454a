import { countEdits } from "./countEdits.ts";
import { foldCase } from "./foldCase.ts";
import { abbreviations, isGenericWord } from "./genericWords.ts";
import { hasInvisible, withoutInvisible } from "./invisible.ts";

/** How the name of a license's holder relates to the name of a business. */
export type HolderMatch = "same" | "similar" | "different";

/** The names on a license. */
export interface Holder {
  /** null if the register has none */
  licensee: string | null;
  tradeNames: readonly string[];
  locality: string | null;
}

/** The names of a business. */
export interface NamedBusiness {
  name: string;
  dba: string | null;
  city: string | null;
}

/** Maximum number of compared trade names of a license. */
const maxTradeNames = 20;

/**
 * Compares the holder of a license with a business by their names (docs/spec.md#holder-of-a-license). Each name of the
 * license is compared with each name of the business, and the closest pair decides.
 *
 * @returns null if the names do not say it, for example because the register names no holder
 */
export function compareHolder(
  { licensee, tradeNames, locality }: Holder,
  { name, dba, city }: NamedBusiness,
): HolderMatch | null {
  const businesses = readNames([name, dba]);
  const holders = readNames([licensee]);
  const trades = readNames(tradeNames.slice(0, maxTradeNames));
  const places = new Set([locality, city].flatMap((place) => wordsOf(canonical(place ?? ""))));
  const matches = [...holders, ...trades].flatMap((one) => businesses.map((other) => compareNames(one, other, places)));
  const closest = (["same", "similar", null] as const).find((match) => matches.includes(match));
  if (closest !== undefined) return closest;
  // A trade name that differs says nothing about a holder that the register does not name.
  return matches.length > 0 && holders.length > 0 ? "different" : null;
}

interface Name {
  /** The letters and digits in their order, for `same`; undefined if the name has deceptive characters. */
  key: string | undefined;
  /** The words without legal forms. */
  words: string[];
  /** The kinds of legal entity that the name says. */
  forms: ReadonlySet<string>;
}

function compareNames(one: Name, other: Name, places: ReadonlySet<string>): HolderMatch | null {
  const hasOtherForm = one.forms.size > 0 && other.forms.size > 0 && one.forms.isDisjointFrom(other.forms);
  const isSameText = one.key !== undefined && one.key === other.key;
  if (isSameText && !hasOtherForm) return "same";
  if (isLatin(one) !== isLatin(other)) return null;
  const isDistinctive = (word: string) => !isGenericWord(word) && !places.has(word);
  const [own, others] = [one.words.filter(isDistinctive), other.words.filter(isDistinctive)];
  if (own.length === 0 && others.length === 0) return isSubset(one.words, other.words) ? null : "different";
  const isSimilar =
    haveSameCore(own, others) ||
    haveFewEdits(own.join(""), others.join("")) ||
    isInitialism(one, other, others) ||
    isInitialism(other, one, own);
  if (isSimilar) return "similar";
  // "Green Leaf LLC" and "Greenleaf Inc"
  return isSameText ? null : "different";
}

/** Whether all words of the shorter list are in the longer one, in any order. */
function isSubset(one: readonly string[], other: readonly string[]): boolean {
  const [fewer, more] = [new Set(one), new Set(other)].sort((a, b) => a.size - b.size) as [Set<string>, Set<string>];
  return fewer.isSubsetOf(more);
}

/** Minimum number of letters of the distinctive words that two names share. */
const minSharedLetters = 3;

/** Whether all distinctive words of one name are in the other, and are at least half of its distinctive words. */
function haveSameCore(one: readonly string[], other: readonly string[]): boolean {
  const counts = [new Set(one).size, new Set(other).size].sort((a, b) => a - b) as [number, number];
  const others = new Set(other);
  const shared = one.filter((word) => others.has(word)).join("");
  return isSubset(one, other) && shared.length >= minSharedLetters && counts[0] * 2 >= counts[1];
}

/** Minimum number of letters of names with one or two different letters. */
const [minLettersForOneEdit, minLettersForTwoEdits] = [8, 13];

/** Whether long texts differ by a letter or two, such as by a typing error or a space. */
function haveFewEdits(one: string, other: string): boolean {
  const letters = Math.min(one.length, other.length);
  if (letters < minLettersForOneEdit) return false;
  const max = letters < minLettersForTwoEdits ? 1 : 2;
  return countEdits(one, other, max) <= max;
}

/** Whether a name is a single word that consists of the first letters of another name. */
function isInitialism({ words: [word = "", ...more] }: Name, { words }: Name, distinctive: readonly string[]): boolean {
  if (more.length > 0 || word.length < 3 || distinctive.length === 0) return false;
  return word === words.filter((one) => !linkingWords.has(one)).reduce((initials, one) => initials + one[0], "");
}

const linkingWords: ReadonlySet<string> = new Set(["a", "and", "of", "the"]);

const isLatin = ({ words }: Name): boolean => /\p{Script=Latin}|^\P{L}*$/u.test(words.join(""));

/** The legal forms, in the order in which they are recognized, and the kind of entity that each of them says. */
const legalForms: readonly (readonly [form: string, kind: string | undefined])[] = [
  ["professional limited liability company", "llc"],
  ["limited liability limited partnership", "partnership"],
  ["limited liability partnership", "partnership"],
  ["limited liability company", "llc"],
  ["limited liability corporation", "llc"],
  ["limited liability co", "llc"],
  ["limited partnership", "partnership"],
  ["public benefit corporation", "corporation"],
  ["public benefit corp", "corporation"],
  ["benefit corporation", "corporation"],
  ["nonprofit corporation", "corporation"],
  ["non profit corporation", "corporation"],
  ["professional corporation", "corporation"],
  ["l l c", "llc"],
  ["l l p", "partnership"],
  ["l p", "partnership"],
  ["llc", "llc"],
  ["pllc", "llc"],
  ["lllp", "partnership"],
  ["llp", "partnership"],
  ["lp", "partnership"],
  ["incorporated", "corporation"],
  ["inc", "corporation"],
  ["corporation", "corporation"],
  ["corp", "corporation"],
  ["pbc", "corporation"],
  ["pc", "corporation"],
  ["plc", "corporation"],
  // These say little: companies of any kind have them.
  ["company", undefined],
  ["co", undefined],
  ["limited", undefined],
  ["ltd", undefined],
  // Registers write the article at the end: "Green Cross, The".
  ["the", undefined],
];

const subject = "(?:(?:name|data|information|info|holder|owner|licensee) )*(?:is )?";
/** Texts that registers have in place of a name. One with another word, such as "Private Reserve LLC", is a name. */
const placeholder = new RegExp(
  `^(?:${[
    "n ?a|x+|none|null|nil|same(?: as above)?|test|exempt|pending|tb[ad]|to be (?:announced|determined)|not applicable",
    `${subject}(?:not |un ?)(?:available|published|public|reported|provided|listed|disclosed|specified|entered|recorded)`,
    `${subject}(?:not |un ?)(?:released|known|named|on file)`,
    `${subject}(?:withheld|redacted|restricted|hidden|masked|sealed|missing|blank|private|confidential|anonymous)`,
    "no (?:data|name|information|info|holder|owner)(?: available)?|(?:see|refer to)(?: (?:above|below|notes?))?",
    "(?:no|non) (?:disponible|publicado|publie|disponivel)",
  ].join("|")})$`,
);

/** Separates the names in "Smith Holdings LLC d/b/a Rootstock". */
const otherName =
  /(?<![\p{L}\p{N}])(?:d\s?[/.]?\s?b\s?[/.]?\s?a\.?|doing business as|a\s?[/.]\s?k\s?[/.]\s?a\.?|aka|also known as|t\/a|trading as)(?![\p{L}\p{N}])/u;

/** Reads names, except texts that say nothing, such as placeholders. */
function readNames(texts: readonly (string | null)[]): Name[] {
  return texts.flatMap((text) =>
    lowerCased(text ?? "")
      .split(otherName)
      .flatMap((part) => readName(part) ?? []),
  );
}

function readName(text: string): Name | undefined {
  const words = wordsOf(canonical(text));
  if (words.length === 0 || placeholder.test(words.join(" "))) return undefined;
  const { rest, forms } = withoutLegalForms(words);
  if (rest.length === 0) return undefined;
  const literal = withoutLegalForms(wordsOf(text)).rest.join(" ");
  return {
    // A space between two digits counts, because "1 23" and "12 3" differ. Other spaces do not.
    key: hasInvisible(text) ? undefined : literal.replaceAll(/(?<!\d) | (?!\d)/g, ""),
    words: rest.map((word) => abbreviations[word] ?? word),
    forms,
  };
}

/** The words of each legal form. */
const legalFormWords = legalForms.map(([form, kind]) => ({ form: form.split(" "), kind }));

/** Removes the article at the beginning and the legal forms at the end. */
function withoutLegalForms(words: readonly string[]): { rest: string[]; forms: Set<string> } {
  const forms = new Set<string>();
  const start = words[0] === "the" ? 1 : 0;
  let end = words.length;
  // Only the last words are looked at, so that a name of many legal forms takes linear time.
  for (;;) {
    const found = legalFormWords.find(
      ({ form }) =>
        end - form.length >= start && form.every((word, index) => words[end - form.length + index] === word),
    );
    if (found === undefined) return { rest: words.slice(start, end), forms };
    end -= found.form.length;
    if (found.kind !== undefined) forms.add(found.kind);
    // "Rootstock, a Colorado limited liability company"
    const last = words.slice(Math.max(start, end - 3), end);
    const article = last.findLastIndex((word) => word === "a" || word === "an");
    const place = end - last.length + article;
    if (article >= 0 && place > start && last.slice(article + 1).every(isGenericWord)) end = place;
  }
}

/** A text in lower case. Kinds of white space become blanks. */
const lowerCased = (text: string): string => foldCase(text.replaceAll(/\p{White_Space}/gu, " "));

/** A text in compatibility form and without invisible characters. */
const canonical = (text: string): string => lowerCased(withoutInvisible(lowerCased(text).normalize("NFKC")));

const ligatures: Readonly<Record<string, string>> = { æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th" };

/** The Latin letter without its accents. Accents that Unicode does not combine with the letter stay. */
const withoutAccents = (letter: string): string =>
  ligatures[letter] ?? letter.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** The words of a text in lower case, without accents and punctuation. */
function wordsOf(text: string): string[] {
  return (
    text
      // Unicode has no single letter for the lower case of İ, which is an i with a dot above it.
      .replaceAll(/i\u0307|\p{Script=Latin}/gu, withoutAccents)
      .replaceAll(/[’‘'`´ʼ]/g, "")
      .replaceAll(/[&+]\s*(?=[\p{L}\p{N}])/gu, " and ")
      .replaceAll(/(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}\.?(?![\p{L}\p{N}])/gu, (initials) => initials.replaceAll(".", ""))
      .replaceAll(/[\p{P}\p{S}]/gu, " ")
      .split(" ")
      .filter((word) => word !== "")
  );
}
