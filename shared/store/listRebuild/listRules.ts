import type { RecordKind } from "../../api/kinds.ts";
import { utcDay } from "../../time/clock.ts";
import type { RawItem } from "../client.ts";
import { indexingOptions } from "../indexingOptions.ts";
import type { IndexedField } from "../keys/indexEntries.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { formatCustomerPosition, isPosition, numberToPosition, parsePosition } from "../keys/positions.ts";
import type { OrderName } from "../orderedList/indexEntries.ts";
import type { RecordOptions } from "../orderedList/transactionPlanner.ts";

/** The rules for the items of a list, by which it is checked and rebuilt from its items alone. */
export interface ListRules {
  list: OrderedList;
  /** The attributes that the rules read, except the positions. */
  attributes: readonly string[];
  /** The day (yyyy-MM-dd) on which an item belongs in an order; undefined if its position is the only source. */
  dayOf(item: RawItem, order: OrderName): string | undefined;
  /** The sort key of items in an order; absent if their own positions sort them. */
  sortKeyOf?: (item: RawItem, order: OrderName) => number;
  /** How records are found by their values; absent for a list without index entries. */
  finding?: Pick<RecordOptions, "extractIndexedFields" | "extractSaleDay" | "extractCustomerId">;
  /**
   * Reads values of other lists, in parts. Stale entries are also searched at these values, because the restore may have
   * lost every record of this list that has one of them.
   */
  readRelatedValues?: () => AsyncIterable<IndexedField[]>;
}

/** A list of replicated records; the items have the record's text. */
export function recordRules(
  list: OrderedList,
  kind?: RecordKind,
  readRelatedValues?: ListRules["readRelatedValues"],
): ListRules {
  const finding = kind && indexingOptions[kind];
  return {
    list,
    attributes: ["body", "customerRank"],
    dayOf: (item, order) => {
      const record = recordOf(item);
      if (order === "saleRank") return finding?.extractSaleDay?.(record);
      const updated = record.svc_updated_date;
      return typeof updated === "string" ? updated.slice(0, 10) : undefined;
    },
    ...(finding && { finding }),
    ...(readRelatedValues && { readRelatedValues }),
  };
}

/** A list whose items have no day except that of their position. */
export const plainRules = (list: OrderedList): ListRules => ({ list, attributes: [], dayOf: () => undefined });

/** A dedicated index: the index entries of one value, sorted as their records are. */
export function dedicatedIndexRules(list: OrderedList): ListRules {
  const sortKeyOf = ({ at, sale }: RawItem, order: OrderName) => Number((order === "rank" ? at : sale)?.N);
  return {
    list,
    attributes: ["at", "sale"],
    dayOf: (item, order) => {
      const key = sortKeyOf(item, order);
      return Number.isNaN(key) ? undefined : parsePosition(numberToPosition(key)).day;
    },
    sortKeyOf,
  };
}

/** The record of an item. */
export const recordOf = (item: RawItem): Record<string, unknown> => JSON.parse(item.body?.S ?? "{}");

/** An item's position in an order, if it has one on the right day. */
export function validPosition(rules: ListRules, item: RawItem, order: OrderName): string | undefined {
  const position = item[order]?.S;
  if (position === undefined || !isPosition(position)) return undefined;
  const { day } = parsePosition(position);
  return isDay(day) && day === (rules.dayOf(item, order) ?? day) ? position : undefined;
}

/** The expected position of an item in the index by customer; undefined if it does not belong there. */
export function expectedCustomerRank({ finding }: ListRules, item: RawItem, rank: string): string | undefined {
  const customer = finding?.extractCustomerId?.(recordOf(item));
  return customer ? formatCustomerPosition(customer, rank) : undefined;
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time) && utcDay(new Date(time)) === day;
}
