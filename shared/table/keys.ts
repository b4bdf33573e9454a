import { createHash } from "node:crypto";
import type { RecordKind } from "../kinds.ts";
import { comparedName } from "../text/comparedName.ts";
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
  return `${entryPrefix}${digest.slice(0, 22)}`;
}

/** What the partitions of all entries begin with. */
export const entryPrefix = "ENTRY#";

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

/** A record's place among those of one customer, in the list's order. */
export function customerRankOf(customerId: string, rank: string): string {
  return `${customerId}#${rank}`;
}

/** A rank as one number, which takes 9 bytes in an entry instead of 19; sorts like the rank. */
export function rankNumber(rank: string): number {
  const { day, slot } = parseRank(rank);
  return Number(day.replaceAll("-", "")) * (lastSlot + 1) + slot;
}

/** The reverse of `rankNumber`. */
export function rankOfNumber(number: number): string {
  const day = String(Math.floor(number / (lastSlot + 1))).replace(/(....)(..)(..)/, "$1-$2-$3");
  return rankOf(day, number % (lastSlot + 1));
}

export function credentialKey(clientId: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: "CREDENTIAL" };
}

/** Leads from a service provider to a credential that it owns or has issued; the id comes last, so that all can be listed. */
export function credentialListKey(serviceProviderId: string, clientId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CREDENTIAL`, sk: clientId };
}

/** @param digest SHA-256 of the token, hexadecimal */
export function tokenKey(clientId: string, digest: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: `TOKEN#${digest}` };
}

/** How many access tokens were made from a credential, and when. */
export function tokenCountKey(clientId: string): Key {
  return { pk: `CREDENTIAL#${clientId}`, sk: "TOKENS" };
}

/**
 * How often a credential has made requests of a kind on a UTC day (yyyy-MM-dd), in a partition of its own: who counts them
 * may not touch credentials.
 */
export function allowanceKey(clientId: string, operationId: string, day: string): Key {
  return { pk: `ALLOWANCE#${clientId}`, sk: `${operationId}#${day}` };
}

/** The credentials that a service provider has issued for a CRB and that are still good. */
export function issuedCredentialsKey(serviceProviderId: string, crbId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#CRB_CREDENTIALS`, sk: crbId };
}

export function associationKey(serviceProviderId: string, crbId: string): Key {
  return recordKey(crbList(serviceProviderId), crbId);
}

export function serviceProviderKey(serviceProviderId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}`, sk: "SERVICE_PROVIDER" };
}

/** Leads to a service provider, so that all of them can be listed. */
export function serviceProviderListKey(serviceProviderId: string): Key {
  return { pk: "SERVICE_PROVIDERS", sk: serviceProviderId };
}

/** Which CRBs of a service provider have an employer identification number. */
export function einKey(serviceProviderId: string, ein: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `EIN#${ein}` };
}

/** Which CRBs of a service provider have a name in a state, however that is written (contract 7.2, check 9). */
export function organisationNameKey(serviceProviderId: string, name: string, state: string): Key {
  const compared = createHash("sha256").update(comparedName(name)).digest("base64url");
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `NAME#${state}#${compared}` };
}

export function crbKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "CRB" };
}

/** The sealed credentials for a CRB's POS, in a partition of their own: who may read the CRB may not read these. */
export function posCredentialsKey(crbId: string): Key {
  return { pk: `POS_CREDENTIALS#${crbId}`, sk: "POS_CREDENTIALS" };
}

/** The people that a CRB's creation invites. */
export function invitationsKey(crbId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: "INVITATIONS" };
}

/** How far the sending of an invitation is. */
export function invitationKey(crbId: string, invitationId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: `INVITATION#${invitationId}` };
}

/** A CRB whose invitations are not all sent. */
export function unsentInvitationsKey(crbId: string): Key {
  return { pk: "UNSENT_INVITATIONS", sk: crbId };
}

/** How many invitation mails were asked for on a UTC day (yyyy-MM-dd) for a service provider. */
export function invitationMailsKey(serviceProviderId: string, day: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#INVITATION_MAILS`, sk: day };
}

/** What a request with an `Idempotency-Key` did. */
export function idempotencyKey(serviceProviderId: string, key: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#IDEMPOTENCY`, sk: key };
}

/** An onboarding template of a service provider. */
export function templateKey(serviceProviderId: string, templateId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#TEMPLATE`, sk: templateId };
}

/** A CRB's answers to its onboarding template. */
export function answersKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "ONBOARDING" };
}

/** The documents of a CRB, deleted ones included. */
export function documentList(crbId: string): RankedList {
  return rankedList(`CRB#${crbId}#DOCUMENT`);
}

/** A file that a caller may send to the store by itself, by the id of the document that it is to become. */
export function uploadKey(crbId: string, documentId: string): Key {
  return { pk: `CRB#${crbId}#UPLOAD`, sk: documentId };
}

/**
 * An object that is to be removed from the store once its time has come.
 *
 * @param due ISO 8601 UTC, so that the range keys sort by time
 */
export function removalKey(due: string, storageKey: string): Key {
  return { pk: removalPartition, sk: `${due}#${storageKey}` };
}

export const removalPartition = "REMOVAL";

/** The last range key of removals that are due at an instant (ISO 8601 UTC). */
export function lastRemovalDue(now: string): string {
  return `${now}#~`;
}

/** The storage key in the range key of a removal. */
export function storageKeyOfRemoval(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1);
}

/** A customer who was erased, and whom replication leaves out from then on; the id comes last, so that all can be listed. */
export function erasedKey(crbId: string, customerId: string): Key {
  return { pk: `CRB#${crbId}#ERASED`, sk: customerId };
}

/** Lease, position and counts of the replication of one kind of a CRB's records. */
export function replicationKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: kind.toUpperCase() };
}

/** The records that the replication of one kind of a CRB's records has set aside. */
export function rejectedRecordsKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `REJECTED#${kind.toUpperCase()}` };
}

/** When the replication of one kind of a CRB's records is due. */
export function replicationDueKey(crbId: string, kind: RecordKind): Key {
  return { pk: replicationDuePartition, sk: `${crbId}#${kind.toUpperCase()}` };
}

export const replicationDuePartition = "REPLICATION_DUE";

/** The replication whose time a range key of `replicationDueKey` names. */
export function replicationOfDue(sk: string): { crbId: string; kind: RecordKind } {
  const [crbId = "", kind = ""] = sk.split("#");
  return { crbId, kind: kind.toLowerCase() as RecordKind };
}

/** The partition of a packed list: the licences that have one value, such as `STATE` `CO`. */
export function licenseList(field: "ALL" | "STATE" | "TYPE" | "STATE_TYPE" | "NUMBER" | "WORD", value = ""): string {
  return `LICENSES#${field}#${value}`;
}

/** What a packed list consists of, and its records as long as one item holds them. */
export function packedListKey(pk: string): Key {
  return { pk, sk: "LIST" };
}

/** One part of a packed list's records. */
export function packedChunkKey(pk: string, chunk: string): Key {
  return { pk, sk: `CHUNK#${chunk}` };
}

/** Which licences a big packed list consists of, by their numbers. */
export function packedSetKey(pk: string): Key {
  return { pk, sk: "SET" };
}

/** A licence as last imported; ids are unique within the state's register. */
export function registerKey(state: string, id: string): Key {
  return { pk: `LICENSE_REGISTER#${state}`, sk: id };
}

/** Who imports a register now; one at a time. */
export const registerImportKey: Key = { pk: "LICENSE_IMPORT", sk: "HOLDER" };

/** A licence that an import is storing, until it is stored everywhere. */
export function registerIntentKey(state: string, id: string): Key {
  return { pk: "LICENSE_IMPORT", sk: `INTENT#${state}#${id}` };
}

/** What the range keys of all intents begin with. */
export const registerIntents = { pk: registerImportKey.pk, prefix: "INTENT#" };
