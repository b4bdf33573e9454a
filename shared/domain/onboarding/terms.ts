import { createHash } from "node:crypto";
import { type StateSystem, stateSystems } from "../../api/enumerations.ts";
import { nameOfKind, recordKinds } from "../../api/kinds.ts";
import { readProjectFile } from "../../platform/readProjectFile.ts";
import { type Intervals, replicationIntervals } from "../replication/replicationIntervals.ts";
import { posFieldsOf, type StoredAs, type StoredRecord } from "./storedFields.ts";
import { type PlaceholderTexts, parseTermsFile, type TermsText, withoutComments } from "./termsFile.ts";

/** The settings of a stage that its terms depend on. */
export interface TermsSettings {
  /** The file with the text (docs/operations/consent-terms.md#the-file), from the project's root. */
  termsFile: string;
  operatorName: string;
  privacyUrl: string;
  supportEmail: string;
  replicateEverySeconds: Intervals;
  /** Days from the end of an association until its records are due to be purged. */
  retentionDays: number;
}

/**
 * The terms to which the users of a business consent (docs/spec.md#consent), from the settings of the stage.
 *
 * @throws Error if the terms file cannot be read
 */
export function terms(settings: TermsSettings = termsSettings()): TermsText {
  const { version, sections } = parseTermsFile(readTermsFile(settings.termsFile), placeholderTexts(settings));
  return { version: `${version}.${factsDigest(settings)}`, sections };
}

/** The state systems that the present terms name. */
export const namedSystems = ({ termsFile } = termsSettings()): readonly StateSystem[] =>
  withoutComments(readTermsFile(termsFile)).includes("{stateSystems}") ? stateSystems : [];

/** Reads the settings from the environment of a function. */
const termsSettings = (): TermsSettings => ({
  termsFile: process.env.TERMS_FILE ?? "",
  operatorName: process.env.OPERATOR_NAME ?? "",
  privacyUrl: process.env.PRIVACY_URL ?? "",
  supportEmail: process.env.SUPPORT_EMAIL ?? "",
  replicateEverySeconds: replicationIntervals(),
  retentionDays: Number(process.env.RETENTION_DAYS),
});

const files = new Map<string, string>();

/** Each process reads the file once. */
function readTermsFile(path: string): string {
  const text = files.get(path) ?? readProjectFile(path);
  files.set(path, text);
  return text;
}

/** The text of each placeholder of a terms file. */
export const placeholderTexts = (settings: TermsSettings): PlaceholderTexts => ({
  operatorName: settings.operatorName,
  privacyUrl: settings.privacyUrl,
  supportEmail: settings.supportEmail,
  retention: retentionText(settings.retentionDays),
  intervals: intervalsText(settings.replicateEverySeconds),
  stateSystems: stateSystems.join(", "),
  storedAsCodes: listOf("customer", "code"),
  storedAsIs: Object.entries(recordsByTitle)
    .map(([title, records]) => `${title}:\n${records.map((record) => listOf(record, "asIs")).join("\n")}`)
    .join("\n\n"),
});

const recordsByTitle = {
  Customers: ["customer"],
  Sales: ["sale", "itemSold", "buyer"],
  Stock: ["product", "inventory", "location"],
} as const satisfies Record<string, readonly StoredRecord[]>;

/** One line for each group of a record's fields. */
function listOf(record: StoredRecord, as: StoredAs): string {
  const groups = new Map<string, Set<string>>();
  for (const [, field] of posFieldsOf(record)) {
    if (field.as === as) groups.set(field.group, (groups.get(field.group) ?? new Set()).add(field.words));
  }
  return [...groups].map(([group, words]) => `- ${group}: ${[...words].join(", ")}`).join("\n");
}

/**
 * A fingerprint of the facts to which a user consents: stored fields, intervals, retention, operator and state systems. The version of
 * the terms contains the fingerprint, so that the page presents new terms after a change of these facts. The fingerprint does not
 * depend on the wording of the terms.
 */
function factsDigest(settings: TermsSettings): string {
  const { operatorName, replicateEverySeconds, retentionDays } = settings;
  const records = Object.values(recordsByTitle).flat();
  const fields = records.flatMap((record) => posFieldsOf(record).map(([name, { as }]) => `${record}.${name} ${as}`));
  const intervals = recordKinds.map((kind) => replicateEverySeconds[kind]);
  const facts = JSON.stringify([operatorName, retentionDays, intervals, fields.sort(), namedSystems(settings)]);
  return createHash("sha256").update(facts).digest("hex").slice(0, 8);
}

/** For example `every minute`, or `every 5 minutes (sales), every hour (customers, inventory)`. */
function intervalsText(intervals: Intervals): string {
  const kindsBySeconds = Map.groupBy(
    recordKinds.toSorted((one, other) => intervals[one] - intervals[other]),
    (kind) => intervals[kind],
  );
  if (kindsBySeconds.size === 1) return every(intervals.sale);
  const texts = [...kindsBySeconds].map(
    ([seconds, kinds]) =>
      `${every(seconds)} (${kinds.map((kind) => nameOfKind(kind).replaceAll("-", " ")).join(", ")})`,
  );
  return texts.join(", ");
}

/** A number of seconds in the largest unit that divides it: `every minute`, `every 90 seconds`. */
function every(seconds: number): string {
  const units = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ] as const;
  const [length, unit] = units.find(([each]) => seconds % each === 0) ?? [1, "second"];
  const count = seconds / length;
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** A number of days, followed by the number of years if it is a whole number. */
function retentionText(days: number): string {
  const years = days / 365;
  const text = days === 1 ? "1 day" : `${days.toLocaleString("en-US")} days`;
  return Number.isInteger(years) && years > 0 ? `${text} (${years === 1 ? "1 year" : `${years} years`})` : text;
}
