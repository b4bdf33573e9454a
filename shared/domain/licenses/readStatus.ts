import type { UniformLicenseStatus } from "../../api/enumerations.ts";
import { type StatusMeaning, statusPhrases, statusWords } from "./statusWords.ts";

/** The meaning of a text that a register reports as status. */
export interface ReadStatus {
  uniform: UniformLicenseStatus;
  /** Whether the license has ended because it expired, and for no other reason. */
  isExpired: boolean;
}

/**
 * A word's meaning after negations: `cleared` is a negated ending, `notActive`, `unlicensed` and `beforeLicense` are
 * negated permissions. `break` is a common punctuation mark, `other` a word without a known meaning.
 */
type Meaning =
  | Exclude<StatusMeaning, "not" | "before" | "annulled">
  | "cleared"
  | "notActive"
  | "unlicensed"
  | "beforeLicense"
  | "break"
  | "other";

interface Word {
  text: string;
  meaning: StatusMeaning | "break" | "other";
}

const rules = statusWords.map(
  ([meaning, { source, flags }]) => [meaning, new RegExp(`^(?:${source})$`, flags)] as const,
);

/**
 * Reads the words of a status. The result is "Unknown" unless the whole text has one meaning: "Active" needs a meaning
 * of each word, and an ending must be certain, not pending, undone or about another subject. So "Active - Litigation Hold"
 * and "Active/Expired" are unknown, and "Not Active" is inactive.
 */
export function readStatus(reported: string): ReadStatus {
  const meanings = reported.includes("?") ? [] : withoutNegations(wordsOf(reported));
  const uniform = uniformOf(meanings);
  return { uniform, isExpired: uniform === "Inactive" && meanings.includes("expired") && !meanings.includes("ended") };
}

function uniformOf(meanings: readonly Meaning[]): UniformLicenseStatus {
  const has = (...some: Meaning[]) => meanings.some((each) => some.includes(each));
  const hasOnly = (...some: Meaning[]) => meanings.every((each) => some.includes(each));
  const neutral = ["break", "grammar", "license", "detail"] as const;
  if (has("ended", "expired")) {
    const isDoubtful =
      has("active", "approved", "pending", "doubt", "cleared", "endingAct", "undoing") || isOfOtherSubject(meanings);
    return isDoubtful ? "Unknown" : "Inactive";
  }
  if (has("endingAct", "notActive", "unlicensed", "beforeLicense")) {
    const states = ["notActive", "unlicensed", "beforeLicense"] as const;
    const isOneAct = meanings.filter((each) => each === "endingAct").length <= 1;
    if (!isOneAct || !hasOnly("endingAct", ...states, "tentative", "manner", ...neutral)) return "Unknown";
    if (has("endingAct", "notActive")) return "Inactive";
    return has("unlicensed") ? "Unlicensed" : "Pre-License";
  }
  if (has("active")) return hasOnly("active", "approved", "cleared", ...neutral) ? "Active" : "Unknown";
  if (!has("approved", "pending", "tentative")) return "Unknown";
  return has("doubt", "cleared", "otherSubject", "procedure", "measure", "undoing") ? "Unknown" : "Approved/Pending";
}

/**
 * Whether an ending may be about another subject than the license: it follows one ("renewal denied"), precedes one ("closed
 * case", "denied - renewal"), or is next to a word without a known meaning ("insurance expired", "suspended delivery").
 */
function isOfOtherSubject(meanings: readonly Meaning[]): boolean {
  const lastEnding = meanings.findLastIndex(isEnding);
  const before = (i: number, ...skipped: Meaning[]) => meanings.slice(0, i).findLast((one) => !skipped.includes(one));
  const after = (i: number, ...skipped: Meaning[]) => meanings.slice(i + 1).find((one) => !skipped.includes(one));
  return meanings.some((each, i) => {
    if (each === "otherSubject" || each === "measure" || each === "procedure") {
      // "Denied - Ownership Change", but "Suspended - Serious Violation" and "Suspended - Under Investigation"
      const ofProcedure = each === "procedure" ? (["other", "manner", "tentative"] as const) : [];
      return i < lastEnding || isEnding(before(i, "break", "grammar", "detail", "license", ...ofProcedure));
    }
    if (each === "other" && isEnding(before(i, "grammar"))) return true;
    return (each === "other" || each === "cause" || each === "date") && isEnding(after(i, "grammar", "manner"));
  });
}

const isEnding = (meaning: Meaning | undefined): boolean => meaning === "ended" || meaning === "expired";

function wordsOf(reported: string): Word[] {
  const plain = reported
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .normalize("NFKD")
    // Accents only: other marks can strike a letter out.
    .replaceAll(/[\u0300-\u0333'’]/g, "")
    .replaceAll(/[\s_]+/g, " ");
  const text = statusPhrases.reduce((before, [phrase, replacement]) => before.replaceAll(phrase, replacement), plain);
  return (text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]+/gu) ?? []).flatMap(toWords).map(inContext);
}

/** Endings of licenses that registers give reasons for. Procedures close, and measures expire, too. */
const takesReason = /^(?:revo|susp|surr|den|canc|forfeit)/;

/** Replaces the meaning of a word whose neighbors decide. */
function inContext(word: Word, index: number, words: readonly Word[]): Word {
  if (word.meaning === "measure") {
    const ending = words.slice(0, index).findLast(({ meaning }) => meaning !== "break" && meaning !== "grammar");
    const isReason = words[index - 1]?.meaning === "break" && ending && takesReason.test(ending.text);
    return { ...word, meaning: isReason ? "cause" : "measure" };
  }
  const later = words.slice(index + 1).filter(({ meaning }) => meaning !== "break");
  const isDoubtful =
    // "(In)Active" and "Active/In" may stand for "inactive", "Active in State" does not.
    (word.text === "in" && (later[0] === undefined || isPermission(later[0].meaning))) ||
    // "EXP 12/31/2027" and "Exp. Date" may announce an expiry.
    (word.text === "exp" && later.some(({ meaning }) => announced.has(meaning)));
  return isDoubtful ? { ...word, meaning: "doubt" } : word;
}

/** What may follow "EXP" if it announces an expiry. */
const announced: ReadonlySet<Word["meaning"]> = new Set([
  "other",
  "date",
  "cause",
  "otherSubject",
  "procedure",
  "measure",
]);

/** A text between blanks and punctuation as a word; as two if it begins with a negation: "unlicensed", "notactive". */
function toWords(text: string): Word[] {
  // A sign can negate, as "≠" and "✗" do, and an invisible character can hide in a word.
  if (!/[\p{L}\p{N}]/u.test(text)) return [{ text, meaning: isPunctuation.test(text) ? "break" : "doubt" }];
  const meaning = meaningOf(text);
  const [, negation, rest = ""] = meaning === "other" ? (/^(non|not|un|pre)(.+)$/.exec(text) ?? []) : [];
  if (negation === undefined || !isPermission(meaningOf(rest))) return [{ text, meaning }];
  return [negation, rest].map((each) => ({ text: each, meaning: meaningOf(each) }));
}

const isPunctuation = /^[-‐-—()[\]{}.,;:/&|+*#="“”‘«»•·!]+$/;

const meaningOf = (text: string): StatusMeaning | "other" => rules.find(([, word]) => word.test(text))?.[0] ?? "other";

const isPermission = (meaning: Word["meaning"] | undefined) =>
  meaning === "active" || meaning === "approved" || meaning === "license";

function withoutNegations(words: readonly Word[]): Meaning[] {
  const meanings: Meaning[] = [];
  for (let i = 0; i < words.length; i++) {
    const { text, meaning } = words[i] as Word;
    if (meaning === "annulled") {
      meanings.push(meanings.some(isEnding) ? "undoing" : "ended");
      continue;
    }
    if (meaning !== "not" && meaning !== "before") {
      meanings.push(meaning);
      continue;
    }
    let negated = i + 1;
    while (words[negated]?.meaning === "grammar" || words[negated]?.meaning === "manner") negated++;
    const next = words.slice(negated + 1).find((word) => word.meaning !== "license" && word.meaning !== "detail");
    // "No active suspension" does not negate the license.
    const result = next?.meaning === "endingAct" ? "other" : negate(meaning, words[negated]);
    // If the negated word is not known, the negation may be of any later word: "not really suspended", "not: revoked".
    const isOpen =
      result === "other" && meaning === "not" && !prefixes.has(text) && words.slice(i + 1).some(isNegatable);
    meanings.push(isOpen ? "doubt" : result);
    // A negation whose word is not known leaves the following words as they are.
    if (result !== "other") i = negated;
  }
  return meanings;
}

/** Negations that belong to the next word alone: "Non-medical, expired". */
const prefixes: ReadonlySet<string> = new Set(["non", "un"]);

const isNegatable = ({ meaning }: Word): boolean =>
  isEndingWord(meaning) || meaning === "approved" || meaning === "pending" || meaning === "tentative";

const isEndingWord = (meaning: Word["meaning"]): boolean =>
  meaning === "expired" || meaning === "ended" || meaning === "annulled" || meaning === "endingAct";

function negate(negation: "not" | "before", word: Word | undefined): Meaning {
  // "Revoked: No", "(Un)suspended", "Non/Active"
  if (word === undefined || word.meaning === "break") return "doubt";
  if (isPermission(word.meaning)) {
    if (negation === "before") return "beforeLicense";
    return word.text.startsWith("licen") ? "unlicensed" : "notActive";
  }
  return negation === "not" && isEndingWord(word.meaning) ? "cleared" : "other";
}
