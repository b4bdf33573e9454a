import type { License } from "../../api/schemas/license.ts";
import { utcDay } from "../../time/clock.ts";
import { Absences, type Presence } from "./absences.ts";
import type { ContentFile } from "./contentFile.ts";
import type { Generation } from "./generation.ts";
import { publicLicenseId } from "./licenseId.ts";
import type { FileLicense, FileLicenses } from "./readFileLicenses.ts";
import type { RegisterEntry } from "./registerEntries.ts";
import type { RegisterLicense } from "./registerLicense.ts";
import type { Register } from "./registerRow.ts";

/** The number of licenses whose records are read together; they fill one or two packs. */
const readAtOnce = 8_000;

/** A license of the next generation: from the file, or at a place of the previous generation. */
type Merged = { entry: RegisterEntry } & ({ license: FileLicense } | { place: number });

export interface MergeCounts {
  created: number;
  changed: number;
  unchanged: number;
  /** Licenses that are missing from the register since this import. */
  missing: number;
  /** Licenses that the file lacks, and whose absence an import on a later day has to confirm. */
  unconfirmed: number;
}

/** The new and changed licenses of a file. */
export interface Comparison {
  /** By id, in the order of the list. */
  fresh: readonly (readonly [id: string, license: FileLicense])[];
  /** The creation times of the changed licenses, by id. */
  createdBefore: ReadonlyMap<string, string>;
  /** The licenses that became missing, reappeared or moved to another part of the register, by id. */
  presences: ReadonlyMap<string, Presence>;
  counts: MergeCounts;
}

/**
 * Compares the licenses of a file with the stored licenses of the same register.
 *
 * @param before the entries of the present generation
 * @param now update time of the licenses that have no update time in the register
 * @param days the UTC days of the last imports of the registers, by `registerName`
 */
export async function compareLicenses(
  register: Register,
  file: FileLicenses,
  before: AsyncIterable<RegisterEntry>,
  now: Date,
  days: Readonly<Record<string, string>> = {},
): Promise<Comparison> {
  const { licenses } = file;
  const unchanged = new Set<string>();
  const createdBefore = new Map<string, string>();
  const absences = new Absences(register, file, utcDay(now), days);
  for await (const entry of before) {
    absences.add(entry);
    const { state, id, hash, created } = entry;
    const license = state === register.state ? licenses.get(id) : undefined;
    if (license?.hash === hash) unchanged.add(id);
    else if (license) createdBefore.set(id, created);
  }
  const updatedAt = ({ updated = now.getTime() }: FileLicense) => updated;
  const fresh = [...licenses]
    .filter(([id]) => !unchanged.has(id))
    .sort(([idOfOne, one], [idOfOther, other]) => updatedAt(other) - updatedAt(one) || (idOfOne < idOfOther ? 1 : -1));
  const { presences, missing, unconfirmed } = absences.decide();
  const created = fresh.length - createdBefore.size;
  const counts = { created, changed: createdBefore.size, unchanged: unchanged.size, missing, unconfirmed };
  return { fresh, createdBefore, presences, counts };
}

/**
 * Replaces the changed licenses of a register and adds the new ones; licenses that are not in the file stay.
 *
 * @param before the entries that were compared, read again from the beginning in the same order
 * @param now the instant that was passed to `compareLicenses`
 * @returns the licenses of the next generation in the order of the list: newest `updated` first
 */
export async function* mergeLicenses(
  { state }: Register,
  { fresh, createdBefore, presences }: Comparison,
  before: AsyncIterable<RegisterEntry>,
  now: Date,
): AsyncGenerator<Merged> {
  const text = (milliseconds: number) => new Date(milliseconds).toISOString();
  const merged = ([id, license]: Comparison["fresh"][number]): Merged => {
    const { hash, created, updated = now.getTime(), part } = license;
    const since = created === undefined ? (createdBefore.get(id) ?? now.toISOString()) : text(created);
    const entry = { state, id, hash, created: since, updated: text(updated), ...(part !== undefined && { part }) };
    return { entry, license };
  };
  const waiting = fresh.values();
  let next = waiting.next();
  let places = 0;
  for await (const entry of before) {
    const place = places++;
    if (entry.state === state && createdBefore.has(entry.id)) continue;
    for (; next.value; next = waiting.next()) {
      const license = merged(next.value);
      if (sortKey(license.entry) < sortKey(entry)) break;
      yield license;
    }
    yield { entry: withPresence(entry, entry.state === state ? presences.get(entry.id) : undefined), place };
  }
  for (; next.value; next = waiting.next()) yield merged(next.value);
}

function withPresence(entry: RegisterEntry, presence: Presence | undefined): RegisterEntry {
  if (!presence) return entry;
  const { state, id, hash, created, updated } = entry;
  return { state, id, hash, created, updated, ...presence };
}

const sortKey = ({ updated, state, id }: RegisterEntry) => `${updated} ${state} ${id}`;

/**
 * Returns the merged licenses with their records.
 *
 * @param contents the contents of the file's licenses
 * @param before the previous generation, which contains the records of the unchanged licenses
 * @param now the instant that was passed to `mergeLicenses`
 */
export async function* recordsOf(
  merged: AsyncIterable<Merged>,
  contents: ContentFile,
  before: Generation | undefined,
  now: Date,
): AsyncGenerator<{ entry: RegisterEntry; body: string }> {
  const bodiesOf = async function* (some: readonly Merged[]) {
    // Merged licenses have the order of the list, so their places are ascending.
    const bodies = (await before?.records(some.flatMap((each) => ("place" in each ? each.place : []))))?.values();
    before?.forget();
    for (const each of some) {
      const { entry } = each;
      const body = "license" in each ? bodyOf(contents.read(each.license), entry, now) : bodies?.next().value;
      if (body === undefined) throw new Error("a record of the previous generation is missing");
      yield { entry, body };
    }
  };
  let some: Merged[] = [];
  for await (const each of merged) {
    if (some.push(each) < readAtOnce) continue;
    yield* bodiesOf(some);
    some = [];
  }
  yield* bodiesOf(some);
}

function bodyOf(content: string, { state, id, created, updated }: RegisterEntry, now: Date): string {
  const reported = JSON.parse(content) as RegisterLicense["content"];
  const license: License = {
    id: publicLicenseId(state, id),
    ...reported,
    created_at: created,
    updated_at: updated,
    edited_at: reported.edited_at ?? now.toISOString(),
    status_date: reported.status_date ?? utcDay(now),
  };
  return JSON.stringify(license);
}
