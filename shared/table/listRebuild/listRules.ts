import type { RecordKind } from "../../kinds.ts";
import { utcDay } from "../../time/clock.ts";
import type { RawItem } from "../client.ts";
import { customerRankOf, isRank, parseRank, type RankedList, rankOfNumber } from "../keys.ts";
import type { OrderName } from "../rankedList/entries.ts";
import type { RecordOptions } from "../rankedList/transactionPlanner.ts";
import { findingOptions } from "../recordTerms.ts";

/** What the items of a list must look like: by these rules a list is checked and rebuilt from its items alone. */
export interface ListRules {
  list: RankedList;
  /** What the rules read of an item besides its positions. */
  attributes: readonly string[];
  /** The day (yyyy-MM-dd) on which an item belongs in an order; undefined where its position is the only source. */
  dayOf(item: RawItem, order: OrderName): string | undefined;
  /** What items are sorted by in an order; absent where their own positions are what sorts them. */
  sortKeyOf?: (item: RawItem, order: OrderName) => number;
  /** How records are found by their values; absent for a list without index entries. */
  finding?: Pick<RecordOptions, "termsOf" | "saleDayOf" | "customerOf">;
}

/** A list of replicated records; the items have the record's text. */
export function recordRules(list: RankedList, kind?: RecordKind): ListRules {
  const finding = kind && findingOptions[kind];
  return {
    list,
    attributes: ["body", "customerRank"],
    dayOf: (item, order) => {
      const record = recordOf(item);
      if (order === "saleRank") return finding?.saleDayOf?.(record);
      const updated = record.svc_updated_date;
      return typeof updated === "string" ? updated.slice(0, 10) : undefined;
    },
    ...(finding && { finding }),
  };
}

/** A list whose items hold no day but that of their position. */
export const plainRules = (list: RankedList): ListRules => ({ list, attributes: [], dayOf: () => undefined });

/** The index entries of one value that are a list of their own: sorted as their records are. */
export function dedicatedIndexRules(list: RankedList): ListRules {
  const sortKeyOf = ({ at, sale }: RawItem, order: OrderName) => Number((order === "rank" ? at : sale)?.N);
  return {
    list,
    attributes: ["at", "sale"],
    dayOf: (item, order) => {
      const key = sortKeyOf(item, order);
      return Number.isNaN(key) ? undefined : parseRank(rankOfNumber(key)).day;
    },
    sortKeyOf,
  };
}

/** The record of an item. */
export const recordOf = (item: RawItem): Record<string, unknown> => JSON.parse(item.body?.S ?? "{}");

/** An item's position in an order, where it has one, and that is on the right day. */
export function validPosition(rules: ListRules, item: RawItem, order: OrderName): string | undefined {
  const position = item[order]?.S;
  if (position === undefined || !isRank(position)) return undefined;
  const { day } = parseRank(position);
  return isDay(day) && day === (rules.dayOf(item, order) ?? day) ? position : undefined;
}

/** What an item's place in the index by customer must be; undefined where it belongs in none. */
export function expectedCustomerRank({ finding }: ListRules, item: RawItem, rank: string): string | undefined {
  const customer = finding?.customerOf?.(recordOf(item));
  return customer ? customerRankOf(customer, rank) : undefined;
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time) && utcDay(new Date(time)) === day;
}
