import type { LinkedLicenseStatus } from "../../api/enumerations.ts";
import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import type { IndexName } from "../schema.ts";
import { type Key, key, ofCrb, ofProvider } from "./key.ts";
import { crbLicensesPartition } from "./licenses.ts";

/** One order of an ordered list: its index in the table, and the partitions of the items that hold its counts. */
export interface ListOrder {
  index: IndexName;
  /** Partition of the day indexes; the range key is the year. */
  dayIndexPartition: string;
  /** Partition of the items of empty sequence numbers. The range key is a day, or a day and a segment. */
  slots: string;
  segmentSize: number;
  /** Whether a record can enter a day before the newest day of the list. */
  canReopenDays: boolean;
  /** Whether the day index of the newest year has a digest of all records of the list (docs/spec.md#digests). */
  hasDigest: boolean;
}

/** A bitmap of 4,096 bits takes 512 bytes, half of the smallest unit that a write is charged for. */
const slotsPerSegment = 4096;

/** The partition of a list's records, and its orders. */
export interface OrderedList {
  pk: string;
  /** Absent in lists of other items than a CRB's replicated records, and in the inventory of a location. */
  kind?: RecordKind;
  orders: { rank: ListOrder; saleRank?: ListOrder };
  /** Partition of the totals of sales days (`salesDays/`); absent if the list is not of sales. */
  totalsPartition?: string;
  /** Whether index entries hold no position, so that they are written only when a record gains the value (`openSearch.ts`). */
  hasPlainEntries?: boolean;
}

function orderedList(pk: string, segmentSize = slotsPerSegment): OrderedList {
  const places = { dayIndexPartition: `${pk}#DAYS`, slots: `${pk}#SLOTS` };
  const rank = { index: "byRank", ...places, segmentSize, canReopenDays: false, hasDigest: false } as const;
  return { pk, orders: { rank } };
}

/** The replicated records of a kind; sales have a second order, by sale day. @param segmentSize smaller in tests */
export function recordList(crbId: string, kind: RecordKind, segmentSize = slotsPerSegment): OrderedList {
  const pk = ofCrb(crbId, kind.toUpperCase());
  const { rank } = orderedList(pk, segmentSize).orders;
  const orders = { rank: { ...rank, hasDigest: true } };
  if (kind !== "sale") return { pk, kind, orders, hasPlainEntries: kind === "customer" };
  const places = { dayIndexPartition: `${pk}#SALE_DAYS`, slots: `${pk}#SALE_SLOTS` };
  const saleRank = { index: "bySaleRank", ...places, segmentSize, canReopenDays: true, hasDigest: false } as const;
  return { pk, kind, orders: { ...orders, saleRank }, totalsPartition: salesTotalsPartition(crbId) };
}

const kindNames = recordKinds.map((kind) => kind.toUpperCase()).join("|");
const recordPartition = new RegExp(`^CRB#[^#]+#(?:${kindNames}|LOCATION#[^#]+#INVENTORY)$`);

/** Whether all items of a partition are replicated records, or inventory of a location. */
export const isRecordPartition = (pk: string): boolean => recordPartition.test(pk);

/** The inventory of one location of a CRB. The items are by-location records, by inventory id. */
export const locationInventoryList = (crbId: string, locationId: string): OrderedList =>
  orderedList(ofCrb(crbId, `LOCATION#${locationId}#INVENTORY`));

/** The CRBs of a service provider. The items are the associations, by CRB id. */
export const crbList = (spId: string): OrderedList => orderedList(ofProvider(spId, "CRB"));

/** The CRBs of a service provider that the filter `license_status` finds. The items have only a position, by CRB id. */
export const licenseStatusList = (spId: string, status: LinkedLicenseStatus): OrderedList =>
  orderedList(`${crbLicensesPartition(spId)}#${status.toUpperCase()}`);

export const documentList = (crbId: string): OrderedList => orderedList(ofCrb(crbId, "DOCUMENT"));

export const recordKey = (list: OrderedList, id: string): Key => ({ pk: list.pk, sk: id });

export const dayIndexKey = (order: ListOrder, year: string): Key => key(order.dayIndexPartition, year);

/** The number of empty sequence numbers in each segment of a day. */
export const daySlotsKey = (order: ListOrder, day: string): Key => key(order.slots, day);

export const segmentKey = (order: ListOrder, day: string, segment: number): Key =>
  key(order.slots, day, String(segment).padStart(5, "0"));

/** An upper bound for the keys of a day's empty sequence numbers. */
export const lastSegmentKey = (order: ListOrder, day: string): Key => segmentKey(order, day, 99_999);

/** The beginning of the partitions of fingerprints: first, so that one short pattern of IAM matches all lists. */
export const fingerprintsPrefix = "FINGERPRINTS#";

export const fingerprintsPartition = (list: OrderedList): string => `${fingerprintsPrefix}${list.pk}`;

export const fingerprintsKey = (list: OrderedList, group: string): Key => key(fingerprintsPartition(list), group);

export const salesTotalsPartition = (crbId: string): string => ofCrb(crbId, "SALE#TOTALS");

/** The totals of the sales days of a week. @param monday its first day */
export const salesWeekKey = (partition: string, monday: string): Key => key(partition, monday);

/** The beginning of the keys of both outboxes of days. These keys are sorted after all weeks. */
export const dayOutboxPrefix = "OUTBOX#";
export const revisedDayPrefix = `${dayOutboxPrefix}REVISED#`;
export const flaggedDayPrefix = `${dayOutboxPrefix}FLAGGED#`;

/** A revision of a complete sales day that no event has reported yet. */
export const revisedDayKey = (partition: string, day: string): Key => key(partition, `${revisedDayPrefix}${day}`);

/** A sales day with more flagged sales than an event has reported. */
export const flaggedDayKey = (partition: string, day: string): Key => key(partition, `${flaggedDayPrefix}${day}`);
