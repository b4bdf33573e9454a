import { createHash } from "node:crypto";
import type { IndexName } from "./schema.ts";

/** Every key string of the table is built here; docs/storage.md has the table of them with their reasons. */
export interface Key {
  pk: string;
  sk: string;
}

/** One order in which a ranked list can be paged: the index that holds it and the items that count it. */
export interface RankOrder {
  index: IndexName;
  /** Partition of the directory items; their range key is the year. */
  directory: string;
  /** Partition of the bitmaps of empty slots; their range key is the day and the chapter. */
  emptySlots: string;
}

/** Names the partition of a list's records and the orders it is kept in. */
export interface RankedList {
  pk: string;
  orders: { rank: RankOrder; saleRank?: RankOrder };
}

function rankedList(pk: string): RankedList {
  return { pk, orders: { rank: { index: "byRank", directory: `${pk}#DAYS`, emptySlots: `${pk}#EMPTY` } } };
}

/** The kinds of replicated records, as they stand in keys. */
export type RecordKind = "location" | "product" | "customer" | "inventory" | "sale";

/** The list of one kind of replicated records of a CRB; sales are also kept by the day of the sale. */
export function recordList(crbId: string, kind: RecordKind): RankedList {
  const list = rankedList(`CRB#${crbId}#${kind.toUpperCase()}`);
  if (kind !== "sale") return list;
  const saleRank = {
    index: "bySaleRank",
    directory: `${list.pk}#SALE_DAYS`,
    emptySlots: `${list.pk}#SALE_EMPTY`,
  } as const;
  return { pk: list.pk, orders: { ...list.orders, saleRank } };
}

/** The inventory of one location of a CRB; the items are by-location records, by inventory id. */
export function locationInventoryList(crbId: string, locationId: string): RankedList {
  return rankedList(`CRB#${crbId}#LOCATION#${locationId}#INVENTORY`);
}

/** What the closing state of a location's inventory holds, for its local day (yyyy-MM-dd). */
export function snapshotKey(crbId: string, locationId: string, day: string): Key {
  return { pk: `CRB#${crbId}#LOCATION#${locationId}#SNAPSHOT`, sk: day };
}

/** One part of the records of a closing state. */
export function snapshotChunkKey(crbId: string, locationId: string, day: string, chunk: number): Key {
  return { pk: `CRB#${crbId}#LOCATION#${locationId}#CHUNK`, sk: `${day}#${String(chunk).padStart(5, "0")}` };
}

/** The local day from which on the present inventory stands; see `snapshots.ts`. */
export function inventoryDayKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "INVENTORY_DAY" };
}

/** The CRBs of a service provider; the items are the associations, by CRB id. */
export function crbList(serviceProviderId: string): RankedList {
  return rankedList(`SERVICE_PROVIDER#${serviceProviderId}#CRB`);
}

export function recordKey(list: RankedList, id: string): Key {
  return { pk: list.pk, sk: id };
}

export function directoryKey(order: RankOrder, year: string): Key {
  return { pk: order.directory, sk: year };
}

export function emptySlotsKey(order: RankOrder, day: string, chapter: number): Key {
  return { pk: order.emptySlots, sk: `${day}#${String(chapter).padStart(5, "0")}` };
}

/** A record's place in an order: its day (yyyy-MM-dd) and its slot, sorting as text like the pair. */
export function rankOf(day: string, slot: number): string {
  return `${day}#${String(slot).padStart(8, "0")}`;
}

/** The highest slot that a rank can name. */
export const lastSlot = 99_999_999;

export function parseRank(rank: string): { day: string; slot: number } {
  return { day: rank.slice(0, 10), slot: Number(rank.slice(11)) };
}

/** A value of a record by which it can be found. */
export interface Term {
  field: string;
  value: string;
}

/**
 * Partition of the entries that lead from one value to the records that have it. A digest, so that an entry stays
 * small (a search reads one for each match) and a value of any length fits a key.
 */
export function entriesPartition(list: RankedList, term: Term): string {
  const digest = createHash("sha256").update(`${list.pk}#${term.field}#${term.value}`).digest("base64url");
  return `ENTRY#${digest.slice(0, 22)}`;
}

/** An entry's range key is the record's UUID in 22 characters, for the same reason. */
export function entryKey(list: RankedList, term: Term, recordId: string): Key {
  const bytes = Buffer.from(recordId.replaceAll("-", ""), "hex");
  return { pk: entriesPartition(list, term), sk: bytes.toString("base64url") };
}

/** The record that an entry leads to, by the entry's range key. */
export function recordIdOfEntry(sk: string): string {
  const hex = Buffer.from(sk, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A rank as one number, which takes 9 bytes in an entry instead of 19; sorts like the rank. */
export function rankNumber(rank: string): number {
  const { day, slot } = parseRank(rank);
  return Number(day.replaceAll("-", "")) * (lastSlot + 1) + slot;
}

export function credentialKey(clientId: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: "CREDENTIAL" };
}

/** @param digest SHA-256 of the token, hexadecimal */
export function tokenKey(clientId: string, digest: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: `TOKEN#${digest}` };
}

export function associationKey(serviceProviderId: string, crbId: string): Key {
  return recordKey(crbList(serviceProviderId), crbId);
}

export function serviceProviderKey(serviceProviderId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}`, sk: "SERVICE_PROVIDER" };
}

export function crbKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "CRB" };
}

/** Lease, position and counts of the replication of one kind of a CRB's records. */
export function replicationKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: kind.toUpperCase() };
}
