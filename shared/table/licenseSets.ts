import { inflateRawSync } from "node:zlib";
import { itemId, type Table } from "./client.ts";
import { packedSetKey } from "./keys.ts";
import type { PackedList } from "./packedList.ts";

// All licences are numbered in the order of the list of all; the set of a big list says by a bit for each number whether
// that licence stands in it: 12.5 KB for 100,000 licences, where the list itself takes 12 MB. So what several lists have
// in common is known from their sets alone.

/** Lists with no more licences than these have no set: they are read whole, five chunks at most. */
export const fewLicenses = 1_000;

/** The set of a list, as its item holds it. */
export interface LicenseSet {
  /** Names the numbering; sets of different ones say nothing together. */
  generation: string;
  /** The list's version at that time; the set of a list that has changed since says nothing. */
  version: number;
  /** A bit for each licence, lowest bit of the first byte first; deflated. */
  bits: Uint8Array;
}

/**
 * Where in a list those licences stand that are in other lists, too: places in the list's order, from 0.
 *
 * @param pks the list, then the others
 * @returns undefined when their sets, or some of them, are missing or older than the lists
 */
export async function commonPlaces(
  table: Table,
  pks: readonly string[],
  lists: ReadonlyMap<string, PackedList>,
): Promise<number[] | undefined> {
  const items = await table.batchGet(pks.map(packedSetKey));
  const sets = pks.map((pk) => items.get(itemId(packedSetKey(pk))) as LicenseSet | undefined);
  const generation = sets[0]?.generation;
  const sound = sets.every(
    (set, i) => set?.generation === generation && set?.version === lists.get(pks[i] ?? "")?.version,
  );
  if (generation === undefined || !sound) return undefined;
  const [own, ...others] = sets.flatMap((set) => (set ? [inflateRawSync(set.bits)] : []));
  return own && placesOf(own, others);
}

function placesOf(own: Uint8Array, others: readonly Uint8Array[]): number[] {
  const places: number[] = [];
  let place = 0;
  for (const [index, byte] of own.entries()) {
    const common = others.reduce((bits, other) => bits & (other[index] ?? 0), byte);
    for (let bit = 1; bit <= byte; bit <<= 1) {
      if (common & bit) places.push(place);
      if (byte & bit) place++;
    }
  }
  return places;
}
