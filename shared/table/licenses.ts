import type { Table } from "./client.ts";
import { commonPlaces, fewLicenses } from "./licenseSets.ts";
import { type LicenseTerms, listsFor, matches } from "./licenseTerms.ts";
import {
  emptyList,
  loadChunks,
  loadLists,
  loadPlaces,
  openPackedPage,
  stateOfLists,
  whileReplaced,
} from "./packedList.ts";
import type { OpenPage } from "./rankedList/readPage.ts";

const nothing = { total: 0, records: [] };

/**
 * Begins a search of the licences of all registers, newest `updated_at` first (contract 4.1 and 4.3).
 *
 * One term, and state with type, is a list of its own, of which only the page is read. Several terms are lists whose
 * common licences are wanted: known from the sets of the lists when all of them are big, found by comparing those of
 * the shortest list otherwise.
 *
 * @param few lists with more licences than these are big
 */
export async function searchLicenses(
  table: Table,
  terms: LicenseTerms,
  page: { offset: number; limit: number },
  few = fewLicenses,
): Promise<OpenPage> {
  const search = listsFor(terms);
  if (!search) return { state: stateOfLists([], new Map()), read: async () => nothing };
  const { pks, complete } = search;
  if (complete && pks.length === 1) return openPackedPage(table, pks[0] ?? "", page);
  const first = await loadLists(table, pks);
  const read = () =>
    whileReplaced(table, pks, first, async (lists, options) => {
      if (pks.some((pk) => totalOf(lists.get(pk)) === 0)) return nothing;
      const ascending = pks.toSorted((a, b) => totalOf(lists.get(a)) - totalOf(lists.get(b)));
      const [pk = ""] = ascending;
      const list = lists.get(pk) ?? emptyList;
      const onPage = <Value>(values: readonly Value[]) => values.slice(page.offset, page.offset + page.limit);

      const places = list.total > few ? await commonPlaces(table, ascending, lists) : undefined;
      if (places && complete) {
        const records = await loadPlaces(table, pk, list, onPage(places), options);
        return records && { total: places.length, records: records.map(({ body }) => body) };
      }
      const candidates = places
        ? await loadPlaces(table, pk, list, places, options)
        : (await loadChunks(table, pk, list, list.chunks, options))?.flat();
      const found = candidates?.filter(({ body }) => matches(JSON.parse(body), terms));
      return found && { total: found.length, records: onPage(found).map(({ body }) => body) };
    });
  return { state: stateOfLists(pks, first), read };
}

function totalOf(list = emptyList): number {
  return list.total;
}
