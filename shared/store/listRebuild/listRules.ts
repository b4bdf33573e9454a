import type { RawItem } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import { indexingOf } from "../indexingOptions.ts";
import { isRecordPartition, type OrderedList } from "../keys/orderedLists.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";

/** Whether the item is a damaged record. It keeps its positions, index entries and totals. */
export const isDamaged = (item: RawItem): boolean => item.body?.S === damagedText;

const parsed = new WeakMap<RawItem, Record<string, unknown>>();

/** Parses the record in an item, once. */
export function recordOf(item: RawItem): Record<string, unknown> {
  const record = parsed.get(item) ?? JSON.parse(item.body?.S ?? "{}");
  parsed.set(item, record);
  return record;
}

/** The day (yyyy-MM-dd) to which an item belongs in an order; undefined if only the item's position says so. */
export function dayOf(list: OrderedList, item: RawItem, order: OrderName): string | undefined {
  if (!isRecordPartition(list.pk) || isDamaged(item)) return undefined;
  const record = recordOf(item);
  if (order === "saleRank") return indexingOf(list).extractSaleDay?.(record);
  return (record.svc_updated_date as string | undefined)?.slice(0, 10);
}
