import { maxLagMs, type RawItem, type Table } from "../client.ts";
import { entriesPartition, type IndexedField } from "../keys/indexEntries.ts";
import { dedicatedIndex, type OrderedList } from "../keys/orderedLists.ts";
import { parsePosition } from "../keys/positions.ts";
import type { DayIndex } from "./dayIndex.ts";
import { loadDayIndexes } from "./dayIndexItems.ts";
import { type OrderName, parseEntry, type RecordPositions } from "./indexEntries.ts";
import { type FoundPage, type MatchQuery, selectPage } from "./matchQuery.ts";
import { countRecords, type PageWindow, selectDays } from "./planPage.ts";
import { openItems } from "./readPage.ts";
import { denseRanges, type Range } from "./readPositionedRecords.ts";

// A value that very many records have (of sales the customer on whom a shop books all that are anonymous) has a list of
// its own: its entries stand in the indexes as records do, by ranks of their own, and are counted by day indexes of their
// own. So a page of them is found like any page, whatever stands before it. `createDedicatedIndexes.ts` begins such a list.

/** Entries are small. */
const entriesPerQuery = 4_000;
/** What of an entry tells a page. */
const entryAttributes = ["sk", "at", "sale", "rank"];
/** Fewer records are as well read one by one. */
const minInRange = 10;

/** The list that the entries of a value are in themselves, where they are one and the indexes show it. */
export function dedicatedIndexOf(
  list: OrderedList,
  dayIndexes: readonly DayIndex[],
  term: IndexedField,
  now: Date,
): OrderedList | undefined {
  const pk = entriesPartition(list, term);
  const since = dayIndexes.at(-1)?.dedicatedIndexes?.[pk];
  // Before that an index may not show all the entries that had no ranks.
  return since !== undefined && now.getTime() - since >= maxLagMs ? dedicatedIndex(list, pk) : undefined;
}

/**
 * Finds a page of the records that have a value with a list of its own, at the cost of the page's entries; where windows of
 * both orders cut it, at that of the entries in the narrower one; of all entries where the index does not show all of those yet.
 */
export async function findInDedicatedIndex(table: Table, own: OrderedList, query: MatchQuery): Promise<FoundPage> {
  const { offset, limit, order = "rank", windows = {} } = query;
  const narrower = await narrowerWindow(table, own, query);
  if (!narrower) {
    const { total, items } = await readEntryItems(table, own, order, { offset, limit, ...windows[order] });
    const page = new Map(items.map(ownPlaceOf));
    return { total, page, ranges: rangesOf([...page.values()], order) };
  }
  const everything = { offset: 0, limit: Number.POSITIVE_INFINITY, ...windows[narrower] };
  const shown = await readEntryItems(table, own, narrower, everything, true);
  // One that has just changed may be missing: it would move all those behind it to lower offsets.
  const items = shown.items.length < shown.total ? await readAllEntries(table, own.pk) : shown.items;
  const { total, page } = selectPage(items.map(ownPlaceOf), query);
  return { total, page, ranges: rangesOf([...page.values()], order) };
}

/** Of windows of both orders the one with fewer entries; undefined where that of the page's own order is all that cuts it. */
async function narrowerWindow(
  table: Table,
  own: OrderedList,
  { order, windows: { rank, saleRank } = {} }: MatchQuery,
): Promise<OrderName | undefined> {
  if (order !== "saleRank" || !own.orders.saleRank || !(rank?.from || rank?.to)) return undefined;
  const [byRank, bySaleRank] = await Promise.all([
    loadDayIndexes(table, own.orders.rank),
    loadDayIndexes(table, own.orders.saleRank, saleRank),
  ]);
  const updated = countRecords(selectDays(byRank, rank));
  if (updated === countRecords(selectDays(byRank, {}))) return undefined;
  return updated < countRecords(selectDays(bySaleRank, saleRank ?? {})) ? "rank" : "saleRank";
}

/** All entries of a value as they are now, which no index tells: it may be half a minute late. */
function readAllEntries(table: Table, pk: string): Promise<RawItem[]> {
  return table.queryRaw({
    KeyConditionExpression: "pk = :pk",
    ProjectionExpression: entryAttributes.map((_, i) => `#${i}`).join(),
    ExpressionAttributeNames: Object.fromEntries(entryAttributes.map((name, i) => [`#${i}`, name])),
    ExpressionAttributeValues: { ":pk": { S: pk } },
    ConsistentRead: true,
  });
}

async function readEntryItems(table: Table, own: OrderedList, order: OrderName, window: PageWindow, partial = false) {
  return (
    await openItems(table, own, window, entryAttributes, { order, perQuery: entriesPerQuery, canBePartial: partial })
  ).read();
}

/** A record's places, and its rank among those that have the value. */
interface OwnPlace extends RecordPositions {
  own: { day: string; slot: number };
}

function ownPlaceOf(item: RawItem): [id: string, OwnPlace] {
  const [id, places] = parseEntry(item);
  return [id, { ...places, own: parsePosition(item.rank?.S ?? "") }];
}

/** Ranges of the index by customer that hold little else than some records: slots tell how many there are at most. */
function rangesOf(page: readonly OwnPlace[], order: OrderName): Range[] {
  if (order === "rank") return denseRanges(page, () => 0);
  return [...Map.groupBy(page, ({ own }) => own.day).values()]
    .filter((ofDay) => ofDay.length >= minInRange)
    .flatMap((ofDay) => denseRanges(ofDay, (first, last) => last.own.slot - first.own.slot + 1));
}
