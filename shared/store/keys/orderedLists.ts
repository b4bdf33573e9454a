import type { RecordKind } from "../../api/kinds.ts";
import type { IndexName } from "../schema.ts";
import type { Key } from "./key.ts";

/** One order in which an ordered list can be paged: the index that holds it and the items that count it. */
export interface ListOrder {
  index: IndexName;
  /** Partition of the day index items; their range key is the year. */
  dayIndexPartition: string;
  /** Partition of what is known of empty slots; the range key is the day, for a segment's with the segment. */
  slots: string;
  /** Slots that one bitmap covers. */
  segmentSize: number;
  /** Whether a day may take records again that later days have followed. */
  canReopenDays: boolean;
}

/** A bitmap of 4,096 bits takes 512 bytes, half of the smallest unit that a write is charged for. */
const slotsPerSegment = 4096;

/** Names the partition of a list's records and the orders it is kept in. */
export interface OrderedList {
  pk: string;
  orders: { rank: ListOrder; saleRank?: ListOrder };
  /** A value that more records have than this has a list of its own; absent where none ever has, see `dedicatedIndexes.ts`. */
  maxEntries?: number;
}

function orderedList(pk: string, segmentSize = slotsPerSegment): OrderedList {
  const places = { dayIndexPartition: `${pk}#DAYS`, slots: `${pk}#SLOTS` };
  return { pk, orders: { rank: { index: "byRank", ...places, segmentSize, canReopenDays: false } } };
}

/** A list that is also kept by the day of the sale. */
function salesList(pk: string, segmentSize: number): Required<OrderedList["orders"]> {
  const places = { dayIndexPartition: `${pk}#SALE_DAYS`, slots: `${pk}#SALE_SLOTS` };
  const saleRank: ListOrder = { index: "bySaleRank", ...places, segmentSize, canReopenDays: true };
  return { rank: orderedList(pk, segmentSize).orders.rank, saleRank };
}

/**
 * The list of one kind of replicated records of a CRB; sales are also kept by the day of the sale.
 *
 * @param segmentSize tests have small ones
 */
export function recordList(crbId: string, kind: RecordKind, segmentSize = slotsPerSegment): OrderedList {
  const pk = `CRB#${crbId}#${kind.toUpperCase()}`;
  if (kind !== "sale") return orderedList(pk, segmentSize);
  return { pk, orders: salesList(pk, segmentSize), maxEntries: segmentSize };
}

/**
 * The list that the entries of one value are in themselves, by the partition of those entries. Its days stay when they are
 * empty, so that a transaction that moves in several such lists drops none.
 */
export function dedicatedIndex({ orders }: OrderedList, pk: string): OrderedList {
  const { rank, saleRank } = salesList(pk, orders.rank.segmentSize);
  return { pk, orders: { rank: { ...rank, canReopenDays: true }, saleRank } };
}

/** The inventory of one location of a CRB; the items are by-location records, by inventory id. */
export function locationInventoryList(crbId: string, locationId: string): OrderedList {
  return orderedList(`CRB#${crbId}#LOCATION#${locationId}#INVENTORY`);
}

/** The CRBs of a service provider; the items are the associations, by CRB id. */
export function crbList(serviceProviderId: string): OrderedList {
  return orderedList(`SERVICE_PROVIDER#${serviceProviderId}#CRB`);
}

export function recordKey(list: OrderedList, id: string): Key {
  return { pk: list.pk, sk: id };
}

export function dayIndexKey(order: ListOrder, year: string): Key {
  return { pk: order.dayIndexPartition, sk: year };
}

/** How many slots of each segment of a day are empty. */
export function daySlotsKey(order: ListOrder, day: string): Key {
  return { pk: order.slots, sk: day };
}

/** Which slots of a segment of a day are empty. */
export function segmentKey(order: ListOrder, day: string, segment: number): Key {
  return { pk: order.slots, sk: `${day}#${String(segment).padStart(5, "0")}` };
}

/** Behind all that is known of the empty slots of a day. */
export function lastSegmentKey(order: ListOrder, day: string): Key {
  return segmentKey(order, day, 99_999);
}

/** The documents of a CRB, deleted ones included. */
export function documentList(crbId: string): OrderedList {
  return orderedList(`CRB#${crbId}#DOCUMENT`);
}
