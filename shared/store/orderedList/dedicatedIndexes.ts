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
// sales. Its entries have positions and day indexes of their own, as records do, so any page by offset costs the same.
// `createDedicatedIndexes.ts` creates these indexes.

/** Entries are small, so one query finds more of them than of records. */
const entriesPerQuery = 4_000;
/** The attributes of an entry that a page needs. */
const entryAttributes = ["sk", "at", "sale", "rank"];
/** Fewer records than this are read one by one, at the same cost. */
const minInRange = 10;

/** The dedicated index of a value; undefined if it has none, or if the table's index may not show it completely yet. */
export function dedicatedIndexOf(
  list: OrderedList,
  dayIndexes: readonly DayIndex[],
  term: IndexedField,
  now: Date,
): OrderedList | undefined {
  const pk = entriesPartition(list, term);
  const since = dayIndexes.at(-1)?.dedicatedIndexes?.[pk];
  // Until then, the table's index may miss entries that got their positions when the dedicated index was created.
  return since !== undefined && now.getTime() - since >= maxLagMs ? dedicatedIndex(list, pk) : undefined;
}

/**
 * Finds a page of the records that have a value with a dedicated index.
 *
 * The cost is that of the page's entries. If windows of both orders apply, it is that of the entries in the narrower
 * window. If the table's index does not show all of those yet, all entries of the value are read.
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
  // The index may miss an entry that has just changed. All later entries would then move to lower offsets.
  const items = shown.items.length < shown.total ? await readAllEntries(table, own.pk) : shown.items;
  const { total, page } = selectPage(items.map(ownPlaceOf), query);
  return { total, page, ranges: rangesOf([...page.values()], order) };
}

/** The order whose window has fewer entries. undefined if only a window of the page's own order limits the page. */
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

/** Reads all entries of a value consistently, from the table. An index may be half a minute late. */
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

/** Ranges of the index by customer that hold few other records. Sequence numbers limit how many there can be. */
function rangesOf(page: readonly OwnPlace[], order: OrderName): Range[] {
  if (order === "rank") return denseRanges(page, () => 0);
  return [...Map.groupBy(page, ({ own }) => own.day).values()]
    .filter((ofDay) => ofDay.length >= minInRange)
    .flatMap((ofDay) => denseRanges(ofDay, (first, last) => last.own.slot - first.own.slot + 1));
}
