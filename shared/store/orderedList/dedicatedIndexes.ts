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

// A value with very many records has a dedicated index. An example is the customer to whom a shop books all anonymous
// sales. The entries of such a value have their own positions and day indexes, like the records of a list. Any page by
// offset therefore costs the same. `createDedicatedIndexes.ts` creates these indexes.

/** Maximum number of entries per query. It is higher than for records, because entries are smaller. */
const entriesPerQuery = 4_000;
/** The attributes of an entry that a page needs. */
const entryAttributes = ["sk", "at", "sale", "rank"];
/** Minimum number of records in a range. Fewer records are read by id, at the same cost. */
const minInRange = 10;

/**
 * Returns the dedicated index of a value; undefined if the value has none, or if the table's index may not show all
 * entries of the value yet.
 */
export function dedicatedIndexOf(
  list: OrderedList,
  dayIndexes: readonly DayIndex[],
  term: IndexedField,
  now: Date,
): OrderedList | undefined {
  const pk = entriesPartition(list, term);
  const since = dayIndexes.at(-1)?.dedicatedIndexes?.[pk];
  // During the first minute, the table's index may miss entries that got their positions when the dedicated index was
  // created.
  return since !== undefined && now.getTime() - since >= maxLagMs ? dedicatedIndex(list, pk) : undefined;
}

/**
 * Finds a page of the records that have a value with a dedicated index.
 *
 * Usually reads only the page's entries. If the query has windows of both orders, reads all entries in the narrower
 * window. If the table's index does not show all entries of this window yet, reads all entries of the value.
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
  // The index may miss an entry that has just changed. Without this entry, all later entries would move to lower
  // offsets.
  const items = shown.items.length < shown.total ? await readAllEntries(table, own.pk) : shown.items;
  const { total, page } = selectPage(items.map(ownPlaceOf), query);
  return { total, page, ranges: rangesOf([...page.values()], order) };
}

/**
 * Returns the order whose window has fewer entries; undefined if only a window of the page's own order limits the page.
 */
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

/** Reads all entries of a value consistently from the table, because an index can lag by half a minute. */
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

/** A record's positions, and the position of its entry in the dedicated index. */
interface OwnPlace extends RecordPositions {
  own: { day: string; slot: number };
}

function ownPlaceOf(item: RawItem): [id: string, OwnPlace] {
  const [id, places] = parseEntry(item);
  return [id, { ...places, own: parsePosition(item.rank?.S ?? "") }];
}

/**
 * Returns ranges of the index by customer that contain the records of the page and few other records. The difference of
 * two sequence numbers in the dedicated index limits the number of records between them.
 */
function rangesOf(page: readonly OwnPlace[], order: OrderName): Range[] {
  if (order === "rank") return denseRanges(page, () => 0);
  return [...Map.groupBy(page, ({ own }) => own.day).values()]
    .filter((ofDay) => ofDay.length >= minInRange)
    .flatMap((ofDay) => denseRanges(ofDay, (first, last) => last.own.slot - first.own.slot + 1));
}
