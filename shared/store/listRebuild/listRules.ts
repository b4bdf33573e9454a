import type { RecordKind } from "../../api/kinds.ts";
import type { RawItem } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import { indexingOptions } from "../indexingOptions.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import type { RecordOptions } from "../orderedList/transactionPlanner.ts";

/** The rules for the items of a list. With them, the list can be checked and rebuilt from its items alone. */
export interface ListRules {
  list: OrderedList;
  /** Whether the items hold the text of a record; otherwise they have no day other than that of their position. */
  holdsRecords: boolean;
  indexing: Pick<RecordOptions, "extractIndexedFields" | "extractSaleDay" | "extractFigures" | "extractCustomerId">;
}

/** The rules for a list of replicated records; without `kind` for the inventory of a location. */
export const recordRules = (list: OrderedList, kind?: RecordKind): ListRules => ({
  list,
  holdsRecords: true,
  indexing: kind ? indexingOptions[kind] : {},
});

export const plainRules = (list: OrderedList): ListRules => ({ list, holdsRecords: false, indexing: {} });

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
export function dayOf({ holdsRecords, indexing }: ListRules, item: RawItem, order: OrderName): string | undefined {
  if (!holdsRecords || isDamaged(item)) return undefined;
  const record = recordOf(item);
  if (order === "saleRank") return indexing.extractSaleDay?.(record);
  return (record.svc_updated_date as string | undefined)?.slice(0, 10);
}
