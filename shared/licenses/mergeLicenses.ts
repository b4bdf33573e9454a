import type { License } from "../api/schemas/license.ts";
import type { RegisterEntry } from "./entries.ts";
import type { FileLicense } from "./fileLicenses.ts";
import type { Generation } from "./generation.ts";
import type { RegisterLicense } from "./registerLicense.ts";

/** Licenses whose records are read together: those of a pack or two. */
const readAtOnce = 8_000;

/** A license of the next generation: as a file has it, or at a place of the generation before. */
type Merged = { entry: RegisterEntry } & ({ license: FileLicense } | { place: number });

export interface MergeCounts {
  created: number;
  changed: number;
  unchanged: number;
}

/**
 * Puts what a file has in the place of what was there of the same register; what it leaves out stays.
 *
 * @param before the entries of the present generation, in its order
 * @param now stands in for the dates that the register does not tell
 * @returns the licenses of the next generation in the order of the list: newest `updated` first
 */
export function mergeLicenses(
  state: string,
  licenses: ReadonlyMap<string, FileLicense>,
  before: readonly RegisterEntry[],
  now: Date,
): { merged: Merged[]; counts: MergeCounts } {
  const moment = now.toISOString();
  const kept: Merged[] = [];
  const earlier = new Map<string, RegisterEntry>();
  const counts = { created: 0, changed: 0, unchanged: 0 };
  for (const [place, entry] of before.entries()) {
    const license = entry.state === state ? licenses.get(entry.id) : undefined;
    if (license) earlier.set(entry.id, entry);
    if (license && license.hash !== entry.hash) counts.changed++;
    else kept.push({ entry, place });
    if (license?.hash === entry.hash) counts.unchanged++;
  }
  const fresh = [...licenses].flatMap(([id, license]): Merged[] => {
    const { hash, content } = license;
    const known = earlier.get(id);
    if (known?.hash === hash) return [];
    const { created_at: created, updated_at: updated } = JSON.parse(content) as RegisterLicense["content"];
    const entry = { state, id, hash, created: created ?? known?.created ?? moment, updated: updated ?? moment };
    return [{ entry, license }];
  });
  counts.created = fresh.length - counts.changed;
  const merged = [...kept, ...fresh]
    .map((each) => ({ each, key: `${each.entry.updated} ${each.entry.state} ${each.entry.id}` }))
    .sort((a, b) => (a.key < b.key ? 1 : -1));
  return { merged: merged.map(({ each }) => each), counts };
}

/**
 * The merged licenses with their records.
 *
 * @param now as it was merged by
 */
export async function* recordsOf(
  merged: readonly Merged[],
  before: Generation | undefined,
  now: Date,
): AsyncGenerator<{ entry: RegisterEntry; body: string }> {
  for (let i = 0; i < merged.length; i += readAtOnce) {
    const some = merged.slice(i, i + readAtOnce);
    const places = some.flatMap((each) => ("place" in each ? each.place : []));
    // Merged in the order of the list, the places are ascending.
    const bodies = (await before?.records(places))?.values();
    for (const each of some) {
      const body = "license" in each ? bodyOf(each.license, each.entry, now) : bodies?.next().value;
      if (body === undefined) throw new Error("a record of the generation before is missing");
      yield { entry: each.entry, body };
    }
  }
}

function bodyOf({ content }: FileLicense, { created, updated }: RegisterEntry, now: Date): string {
  const told = JSON.parse(content) as RegisterLicense["content"];
  const license: License = {
    ...told,
    created_at: created,
    updated_at: updated,
    edited_at: told.edited_at ?? now.toISOString(),
  };
  return JSON.stringify(license);
}
