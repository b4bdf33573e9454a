import { randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { License } from "../api/schemas/license.ts";
import type { Table } from "./client.ts";
import { licenseList, packedSetKey } from "./keys.ts";
import { fewLicenses, type LicenseSet } from "./licenseSets.ts";
import { listsOf } from "./licenseTerms.ts";
import { emptyList, loadChunks, loadLists, type PackedList } from "./packedList.ts";

const all = licenseList("ALL");
/** So many chunks of about 25 KB are held at once. */
const chunksAtOnce = 40;
const setsAtOnce = 20;

/**
 * Numbers the licences anew and makes the sets of all big lists, unless nothing has changed since. Cut off at any point,
 * it leaves sets of which searches see that they don't fit, and the next call makes them. Only for whoever holds the
 * import.
 *
 * @param few lists with more licences than these are big
 */
export async function renewLicenseSets(table: Table, few = fewLicenses): Promise<void> {
  const list = (await loadLists(table, [all], { consistent: true })).get(all) ?? emptyList;
  const last = (await table.get(packedSetKey(all), { consistent: true })) as unknown as LicenseSet | undefined;
  if (list.total <= few || last?.version === list.version) return;
  const numbers = await numbersByList(table, list);
  const big = [...numbers.keys()].filter((pk) => pk !== all && (numbers.get(pk)?.length ?? 0) > few);
  const lists = await loadLists(table, big, { consistent: true });
  const generation = randomUUID();
  const store = async (pk: string, version: number) => {
    const set: LicenseSet = { generation, version, bits: deflateRawSync(bitsOf(numbers.get(pk) ?? [], list.total)) };
    await table.put({ ...packedSetKey(pk), ...set });
  };
  for (let i = 0; i < big.length; i += setsAtOnce) {
    await Promise.all(big.slice(i, i + setsAtOnce).map((pk) => store(pk, lists.get(pk)?.version ?? 0)));
  }
  // The last one, which says that all are made.
  await store(all, list.version);
}

/** The numbers of the licences in each list, by its partition. */
async function numbersByList(table: Table, list: PackedList): Promise<Map<string, number[]>> {
  const numbers = new Map<string, number[]>();
  let number = 0;
  for (let i = 0; i < list.chunks.length; i += chunksAtOnce) {
    const chunks = list.chunks.slice(i, i + chunksAtOnce);
    const records = await loadChunks(table, all, list, chunks, { consistent: true });
    if (!records) throw new Error("the list of all licences changes although its import is held");
    for (const { body } of records.flat()) {
      for (const pk of listsOf(JSON.parse(body) as License)) {
        const own = numbers.get(pk);
        if (own) own.push(number);
        else numbers.set(pk, [number]);
      }
      number++;
    }
  }
  return numbers;
}

function bitsOf(numbers: readonly number[], total: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(total / 8));
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits;
}
