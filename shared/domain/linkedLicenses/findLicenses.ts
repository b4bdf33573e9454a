import type { LicenseSearchState } from "../../api/enumerations.ts";
import type { License } from "../../api/schemas/license.ts";
import { utcDay } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { publicLicenseId } from "../licenses/licenseId.ts";
import { wantedTerms } from "../licenses/licenseTerms.ts";
import { openGeneration } from "../licenses/openGeneration.ts";
import type { Present } from "../licenses/presentGeneration.ts";
import { type RegisterEntry, readEntries } from "../licenses/registerEntries.ts";
import { registerName } from "../licenses/registerRow.ts";

/** A license in the present generation, with the values that links compare. */
export interface RegisteredLicense {
  license: License;
  hash: string;
  /** The name of its register (`registerName`), and the UTC day of the register's last import. */
  register: string;
  registerDay: string;
  /** The UTC day of the last import that had a readable row of the license; null if it is the last one. */
  readOn: string | null;
  missingSince: string | undefined;
}

/** An entry of the present generation with its place in the list. */
export interface PlacedEntry {
  entry: RegisterEntry;
  place: number;
}

/**
 * Finds entries of a generation by license id, in one pass over all entries.
 *
 * @returns the found entries by license id
 */
export async function findEntries(
  bucket: Bucket,
  generation: string,
  licenseIds: ReadonlySet<string>,
): Promise<Map<string, PlacedEntry>> {
  const found = new Map<string, PlacedEntry>();
  if (licenseIds.size === 0) return found;
  let place = 0;
  for await (const entry of readEntries(bucket, generation)) {
    const licenseId = publicLicenseId(entry.state, entry.id);
    if (licenseIds.has(licenseId)) found.set(licenseId, { entry, place });
    if (found.size === licenseIds.size) break;
    place++;
  }
  return found;
}

/**
 * Reads the records of entries. Cost: the generation's index once in a process, then one S3 read per uncached pack.
 *
 * @returns the licenses by license id
 */
export async function readLicenses(
  bucket: Bucket,
  { generation, days }: Present,
  entries: ReadonlyMap<string, PlacedEntry>,
  now: Date,
): Promise<Map<string, RegisteredLicense>> {
  if (entries.size === 0) return new Map();
  const sorted = [...entries].sort(([, one], [, other]) => one.place - other.place);
  const opened = await openGeneration(bucket, generation);
  const bodies = await opened.records(sorted.map(([, { place }]) => place));
  return new Map(
    sorted.map(([licenseId, { entry }], i) => {
      const register = registerName(entry);
      const license = JSON.parse(bodies[i] as string) as License;
      const registerDay = days?.[register] ?? utcDay(now);
      const { hash, missingSince, readOn = null } = entry;
      return [licenseId, { license, hash, register, registerDay, readOn, missingSince }];
    }),
  );
}

/**
 * Finds the licenses of a state with given numbers. A number that several licenses have matches none of them, because
 * the service does not guess. A license that is missing from the present register matches no number.
 *
 * @param numbers compared without letter case
 * @returns the matching licenses by license id, and the numbers without a match
 */
export async function matchNumbers(
  bucket: Bucket,
  present: Present | undefined,
  state: LicenseSearchState,
  numbers: readonly string[],
  now: Date,
): Promise<{ licenses: Map<string, RegisteredLicense>; unmatched: string[] }> {
  if (!present || numbers.length === 0) return { licenses: new Map(), unmatched: [...numbers] };
  const opened = await openGeneration(bucket, present.generation);
  const idsByNumber = new Map<string, string[]>();
  for (const number of numbers) {
    const wanted = wantedTerms({ licenseNumber: number, state });
    const { places } = wanted ? opened.find(wanted, { offset: 0, limit: 20 }) : { places: [] };
    const found = (await opened.records(places)).map((text) => (JSON.parse(text) as License).id);
    idsByNumber.set(number, found);
  }
  const entries = await findEntries(bucket, present.generation, new Set([...idsByNumber.values()].flat()));
  const matches = new Map<string, PlacedEntry>();
  const unmatched: string[] = [];
  for (const [number, ids] of idsByNumber) {
    const [only, ...others] = ids.filter((id) => entries.get(id)?.entry.missingSince === undefined);
    const entry = others.length === 0 && only !== undefined ? entries.get(only) : undefined;
    if (entry && only !== undefined) matches.set(only, entry);
    else unmatched.push(number);
  }
  return { licenses: await readLicenses(bucket, present, matches, now), unmatched };
}
