import type { RecordKind } from "../../api/kinds.ts";
import { utcDay } from "../../time/clock.ts";
import type { RawItem } from "../client.ts";
import { damagedText } from "../damagedRecords.ts";
import { indexingOptions } from "../indexingOptions.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { formatCustomerPosition, isPosition, parsePosition } from "../keys/positions.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import type { RecordOptions } from "../orderedList/transactionPlanner.ts";

/** The rules for the items of a list. With them, the list can be checked and rebuilt from its items alone. */
export interface ListRules {
  list: OrderedList;
  /** The attributes that the rules read, except the positions. */
  attributes: readonly string[];
  /** The day (yyyy-MM-dd) to which an item belongs in an order; undefined if only the item's position says so. */
  dayOf(item: RawItem, order: OrderName): string | undefined;
  /** The functions that extract the indexed fields of a record; absent for a list without index entries. */
  finding?: Pick<RecordOptions, "extractIndexedFields" | "extractSaleDay" | "extractFigures" | "extractCustomerId">;
  /**
   * Reads values from other lists, in parts. The rebuild also searches for stale entries of these values, because a
   * restore may have lost all records of this list that have such a value.
   */
  readRelatedValues?: () => AsyncIterable<IndexedField[]>;
}

/** The rules for a list of replicated records, whose items contain the record's text. */
export function recordRules(
  list: OrderedList,
  kind?: RecordKind,
  readRelatedValues?: ListRules["readRelatedValues"],
): ListRules {
  const finding = kind && indexingOptions[kind];
  return {
    list,
    attributes: ["body", "hash", "created", "updated", "customerRank"],
    dayOf: (item, order) => {
      if (isDamaged(item)) return undefined;
      const record = recordOf(item);
      if (order === "saleRank") return finding?.extractSaleDay?.(record);
      const updated = record.svc_updated_date;
      return typeof updated === "string" ? updated.slice(0, 10) : undefined;
    },
    ...(finding && { finding }),
    ...(readRelatedValues && { readRelatedValues }),
  };
}

/** The rules for a list whose items have no day other than the day of their position. */
export const plainRules = (list: OrderedList): ListRules => ({ list, attributes: [], dayOf: () => undefined });

/** Whether the item is a damaged record. It keeps its positions, index entries and totals. */
export const isDamaged = (item: RawItem): boolean => item.body?.S === damagedText;

/** Parses the record in an item. */
export const recordOf = (item: RawItem): Record<string, unknown> => JSON.parse(item.body?.S ?? "{}");

/**
 * Returns an item's position in an order; undefined if the item has no position there, or if the position is on another
 * day than the item.
 */
export function validPosition(rules: ListRules, item: RawItem, order: OrderName): string | undefined {
  const position = item[order]?.S;
  if (position === undefined || !isPosition(position)) return undefined;
  const { day } = parsePosition(position);
  return isDay(day) && day === (rules.dayOf(item, order) ?? day) ? position : undefined;
}

/** The expected position of an item in the index by customer; undefined if the item has no customer. */
export function expectedCustomerRank({ finding }: ListRules, item: RawItem, rank: string): string | undefined {
  if (isDamaged(item)) return item.customerRank?.S;
  const customer = finding?.extractCustomerId?.(recordOf(item));
  return customer ? formatCustomerPosition(customer, rank) : undefined;
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time) && utcDay(new Date(time)) === day;
}
