import type { Table } from "../../store/client.ts";
import type { OpenPage, Page } from "../../store/orderedList/readPage.ts";
import type { Bucket } from "../documents/bucket.ts";
import { type LicenseTerms, wantedTerms } from "./licenseTerms.ts";
import { openGeneration } from "./openGeneration.ts";
import { readPresent } from "./presentGeneration.ts";

/**
 * The stores of the licenses: the bucket has the objects of the generations, the table has the item that names the
 * present generation.
 */
export interface LicenseStores {
  table: Table;
  bucket: Bucket;
}

/**
 * Starts a search in the licenses of all registers, newest `updated_at` first (docs/spec.md#order-of-lists,
 * docs/spec.md#license-search). This call reads the name of the present generation. The returned `read` searches the
 * index of this generation, which a process loads once. It then loads the packs with the page's records, unless they
 * are cached.
 *
 * @throws ServiceError "unavailable" (also from `read`) if DynamoDB or S3 cannot be reached
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
      // An import may have removed the objects, if the name was read more than a day ago. By then another generation is
      // the present one.
      const present = (await readPresent(table, { consistent: true }))?.generation;
      if (present === name) throw error;
      return readFrom(bucket, present, terms, page);
    }
  };
  // Objects of a generation never change, so its name alone identifies the state of the list.
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
  const generation = await openGeneration(bucket, name);
  const { total, places } = generation.find(wanted, page);
  return { total, records: await generation.records(places) };
}
