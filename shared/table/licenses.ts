import { ServiceError } from "../api/errors.ts";
import type { Table } from "./client.ts";
import { type LicenseTerms, listsFor, matches } from "./licenseTerms.ts";
import { emptyList, loadChunks, loadLists, readPackedPage } from "./packedList.ts";
import type { Page } from "./rankedList/readPage.ts";

const consistentTries = 8;

/**
 * Searches the licences of all registers, newest `updated_at` first (contract 4.1 and 4.3).
 *
 * One term, and state with type, is a list of its own, of which only the page is read. Of several terms the one with
 * the fewest licences is read whole, and the others are compared.
 */
export async function searchLicenses(
  table: Table,
  terms: LicenseTerms,
  page: { offset: number; limit: number },
): Promise<Page> {
  const search = listsFor(terms);
  if (!search) return { total: 0, records: [] };
  const [only = ""] = search.pks;
  if (search.exact) return readPackedPage(table, only, page);
  for (let attempt = 0; attempt < consistentTries; attempt++) {
    const options = { consistent: attempt > 0 };
    const known = await loadLists(table, search.pks, options);
    const [pk = "", ...others] = search.pks.toSorted((a, b) => totalOf(known.get(a)) - totalOf(known.get(b)));
    const list = known.get(pk) ?? emptyList;
    if (list.total === 0 || others.some((other) => !known.has(other))) return { total: 0, records: [] };
    const chunks = await loadChunks(table, pk, list, list.chunks, options);
    if (!chunks) continue;
    const found = chunks.flat().filter(({ body }) => matches(JSON.parse(body), terms));
    const records = found.slice(page.offset, page.offset + page.limit).map(({ body }) => body);
    return { total: found.length, records };
  }
  throw new ServiceError("unavailable");
}

function totalOf(list = emptyList): number {
  return list.total;
}
