import type { Item } from "../../../shared/store/client.ts";
import { entriesPartition, entryPrefix } from "../../../shared/store/keys/indexEntries.ts";
import { dedicatedIndex, type OrderedList } from "../../../shared/store/keys/orderedLists.ts";
import { parsePosition } from "../../../shared/store/keys/positions.ts";
import { unpackDays } from "../../../shared/store/orderedList/dayIndex.ts";
import { extractSaleIndexedFields } from "../../../shared/store/sales.ts";

/** Whether a partition holds index entries, and not the counts of a dedicated index. */
export function isOfEntries(pk: string): boolean {
  return pk.startsWith(entryPrefix) && !pk.includes("#", entryPrefix.length);
}

/** The partitions with dedicated indexes, according to the newest day index of the list. */
export function dedicatedIndexesOf(items: readonly Item[], { orders }: OrderedList): Record<string, number> {
  const dayIndexes = items.filter(({ pk }) => pk === orders.rank.dayIndexPartition);
  const newest = dayIndexes.sort((a, b) => (a.sk < b.sk ? 1 : -1))[0];
  return (newest?.lists as Record<string, number> | undefined) ?? {};
}

/**
 * Values with too many entries but no dedicated index; dedicated indexes with a wrong count, or in another order than
 * their records.
 */
export function faultsOfDedicatedIndexes(items: readonly Item[], list: OrderedList): string[] {
  const partitions = Map.groupBy(items, ({ pk }) => pk);
  const own = dedicatedIndexesOf(items, list);
  const sales = partitions.get(list.pk) ?? [];
  const terms = sales.flatMap(({ body }) => extractSaleIndexedFields(JSON.parse(body as string)));
  const ofTerms = new Set(terms.map((term) => entriesPartition(list, term)));
  const unlisted = [...ofTerms.difference(new Map(Object.entries(own)))];
  return [
    ...unlisted
      .filter((pk) => (partitions.get(pk)?.length ?? 0) > (list.maxEntries ?? 0))
      .map((pk) => `${pk}: ${partitions.get(pk)?.length} entries, but no dedicated index`),
    ...Object.keys(own).flatMap((pk) => faultsOfOrders(partitions, dedicatedIndex(list, pk))),
  ];
}

/** Items that count entries but belong to no registered dedicated index, so that no worker would ever delete them. */
export function strayCounts(items: readonly Item[]): string[] {
  const named = items.flatMap(({ lists, unbegun }) => [
    ...Object.keys((lists as Record<string, number> | undefined) ?? {}),
    ...((unbegun as string[] | undefined) ?? []),
  ]);
  const partitions = new Set(named);
  return items
    .filter(({ pk }) => pk.startsWith(entryPrefix) && !isOfEntries(pk))
    .filter(({ pk }) => !partitions.has(pk.slice(0, pk.indexOf("#", entryPrefix.length))))
    .map(({ pk, sk }) => `${pk} ${sk}: belongs to no registered dedicated index`);
}

function faultsOfOrders(partitions: ReadonlyMap<string, readonly Item[]>, { pk, orders }: OrderedList): string[] {
  const entries = partitions.get(pk) ?? [];
  return (["rank", "saleRank"] as const).flatMap((name) => {
    const place = name === "rank" ? "at" : "sale";
    const ranks = entries.toSorted((a, b) => Number(a[place]) - Number(b[place])).map((entry) => String(entry[name]));
    const isSorted = String(ranks) === String(ranks.toSorted());
    const dayIndexes = partitions.get(orders[name]?.dayIndexPartition ?? "") ?? [];
    const counted = dayIndexes.flatMap(({ sk, days }) => [...unpackDays(sk, days as Uint8Array)]);
    const found = Map.groupBy(ranks, (rank) => parsePosition(rank).day);
    const active = counted.filter(([, counts]) => counts.active > 0).map(([day, counts]) => `${day}: ${counts.active}`);
    const expected = [...found].map(([day, ofDay]) => `${day}: ${ofDay.length}`);
    return [
      ...(isSorted ? [] : [`${pk}: another order of ${name} than that of the records`]),
      ...(String(active.sort()) === String(expected.sort())
        ? []
        : [`${pk}: counted by ${name} ${active}, not ${expected}`]),
    ];
  });
}
