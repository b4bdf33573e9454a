import type { Table } from "../../store/client.ts";
import type { OpenPage, Page } from "../../store/orderedList/readPage.ts";
import type { Bucket } from "../documents/bucket.ts";
import { Generation } from "./generation.ts";
import { type LicenseTerms, wantedTerms } from "./licenseTerms.ts";
import { readPresent } from "./presentGeneration.ts";

/** Where the licenses are: the objects of the generations, and the item that says which of them is the present one. */
export interface LicenseStores {
  table: Table;
  bucket: Bucket;
}

/** The generation that this process searched last; no two have the same name. */
let held: { name: string; generation: Promise<Generation> } | undefined;

/**
 * Begins a search of the licenses of all registers, newest `updated_at` first (docs/spec.md#order-of-lists, docs/spec.md#license-search): reads which
 * generation is the present one. Its `read` goes on in that one's index, which a process loads once, and with the packs
 * of the page's records that it does not hold yet.
 *
 * @throws ServiceError "unavailable" (`read` too) when table or store cannot be reached
 */
export async function searchLicenses(
  { table, bucket }: LicenseStores,
  terms: LicenseTerms,
  page: { offset: number; limit: number },
): Promise<OpenPage> {
  const name = (await readPresent(table))?.generation;
  const read = async () => {
    try {
      return await readFrom(bucket, name, terms, page);
    } catch (error) {
      // Whoever read the name a day before the objects finds neither: then there is another generation.
      const present = (await readPresent(table, { consistent: true }))?.generation;
      if (present === name) throw error;
      return readFrom(bucket, present, terms, page);
    }
  };
  // Objects of a generation never change, so nothing that is read lags behind its name.
  return { state: { text: `licenses ${name}`, changedAt: 0 }, read };
}

async function readFrom(
  bucket: Bucket,
  name: string | undefined,
  terms: LicenseTerms,
  page: { offset: number; limit: number },
): Promise<Page> {
  const wanted = wantedTerms(terms);
  if (name === undefined || !wanted) return { total: 0, records: [] };
  const generation = await open(bucket, name);
  const { total, places } = generation.find(wanted, page);
  return { total, records: await generation.records(places) };
}

function open(bucket: Bucket, name: string): Promise<Generation> {
  if (held?.name === name) return held.generation;
  const opening = { name, generation: Generation.open(bucket, name) };
  held = opening;
  opening.generation.catch(() => {
    if (held === opening) held = undefined;
  });
  return opening.generation;
}
