import { createHash } from "node:crypto";
import type { RecordKind } from "../api/kinds.ts";
import { comparedName } from "../text/comparedName.ts";
import type { IndexName } from "./schema.ts";

/** Every key string of the table is built here; docs/storage.md has the table of them with their reasons. */
export interface Key {
  pk: string;
  sk: string;
}

/** One order in which a ordered list can be paged: the index that holds it and the items that count it. */
export interface RankOrder {
  index: IndexName;
  /** Partition of the day index items; their range key is the year. */
  dayIndex: string;
  /** Partition of what is known of empty slots; the range key is the day, for a segment's with the segment. */
  slots: string;
  /** Slots that one bitmap covers. */
  segmentSize: number;
  /** Whether a day may take records again that later days have followed. */
  daysReturn: boolean;
}

/** A bitmap of 4,096 bits takes 512 bytes, half of the smallest unit that a write is charged for. */
const slotsPerSegment = 4096;

/** Names the partition of a list's records and the orders it is kept in. */
export interface OrderedList {
  pk: string;
  orders: { rank: RankOrder; saleRank?: RankOrder };
  /** A value that more records have than this has a list of its own; absent where none ever has, see `dedicatedIndexes.ts`. */
  maxEntries?: number;
}

function orderedList(pk: string, segmentSize = slotsPerSegment): OrderedList {
  const places = { dayIndex: `${pk}#DAYS`, slots: `${pk}#SLOTS` };
  return { pk, orders: { rank: { index: "byRank", ...places, segmentSize, daysReturn: false } } };
}

/** A list that is also kept by the day of the sale. */
function salesList(pk: string, segmentSize: number): Required<OrderedList["orders"]> {
  const places = { dayIndex: `${pk}#SALE_DAYS`, slots: `${pk}#SALE_SLOTS` };
  const saleRank: RankOrder = { index: "bySaleRank", ...places, segmentSize, daysReturn: true };
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
  return { pk, orders: { rank: { ...rank, daysReturn: true }, saleRank } };
}

/** The inventory of one location of a CRB; the items are by-location records, by inventory id. */
export function locationInventoryList(crbId: string, locationId: string): OrderedList {
  return orderedList(`CRB#${crbId}#LOCATION#${locationId}#INVENTORY`);
}

/**
 * What has been written to a CRB's inventory, and not yet to that of its locations: items that name the records of a
 * transaction, by the first rank that it handed out.
 */
export function outboxPartition(crbId: string): string {
  return `CRB#${crbId}#INVENTORY#OUTBOX`;
}

/** A location that has inventory; in a partition of its own, since it may be there before the location's record is. */
export function stockedLocationKey(crbId: string, locationId: string): Key {
  return { pk: `CRB#${crbId}#INVENTORY#LOCATIONS`, sk: locationId };
}

/** The daily snapshots of a location's inventory, and the immutable parts that they consist of. */
export function snapshotPartition(crbId: string, locationId: string): string {
  return `CRB#${crbId}#LOCATION#${locationId}#CLOSING`;
}

/** The daily snapshot of a local day (yyyy-MM-dd), in the partition of its location's. */
export function dailySnapshotKey(pk: string, day: string): Key {
  return { pk, sk: `DAY#${day}` };
}

/** The local day of a daily snapshot, by its range key. */
export function dayOfDailySnapshot(sk: string): string {
  return sk.slice("DAY#".length);
}

/** A part that daily snapshots consist of, by its name: a node names chunks, a chunk holds records. */
export function snapshotPartKey(pk: string, kind: "NODE" | "CHUNK", name: string): Key {
  return { pk, sk: `${kind}#${name}` };
}

/** The local day from which on the present inventory stands; see `keepDailySnapshots.ts`. */
export function inventoryDayKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "INVENTORY_DAY" };
}

/** The daily snapshot that is being kept, which its maker may have left to the next. */
export function snapshotProgressKey(crbId: string): Key {
  return { pk: `REPLICATION#${crbId}`, sk: "CLOSING" };
}

/** The CRBs of a service provider; the items are the associations, by CRB id. */
export function crbList(serviceProviderId: string): OrderedList {
  return orderedList(`SERVICE_PROVIDER#${serviceProviderId}#CRB`);
}

export function recordKey(list: OrderedList, id: string): Key {
  return { pk: list.pk, sk: id };
}

export function dayIndexKey(order: RankOrder, year: string): Key {
  return { pk: order.dayIndex, sk: year };
}

/** How many slots of each segment of a day are empty. */
export function dayKey(order: RankOrder, day: string): Key {
  return { pk: order.slots, sk: day };
}

/** Which slots of a segment of a day are empty. */
export function segmentKey(order: RankOrder, day: string, segment: number): Key {
  return { pk: order.slots, sk: `${day}#${String(segment).padStart(5, "0")}` };
}

/** Behind all that is known of the empty slots of a day. */
export function lastSegmentKey(order: RankOrder, day: string): Key {
  return segmentKey(order, day, 99_999);
}

/** A record's place in an order: its day (yyyy-MM-dd) and its slot, sorting as text like the pair. */
export function rankOf(day: string, slot: number): string {
  return `${day}#${String(slot).padStart(8, "0")}`;
}

/** Whether a text has the form of a rank. */
export function isRank(text: string): boolean {
  return /^\d{4}-\d\d-\d\d#\d{8}$/.test(text);
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
export function entriesPartition(list: OrderedList, term: Term): string {
  const digest = createHash("sha256").update(`${list.pk}#${term.field}#${term.value}`).digest("base64url");
  return `${entryPrefix}${digest.slice(0, 22)}`;
}

/** What the partitions of all entries begin with. */
export const entryPrefix = "ENTRY#";

/** An entry's range key is the record's UUID in 22 characters, for the same reason. */
export function entryKey(list: OrderedList, term: Term, recordId: string): Key {
  return entryKeyIn(entriesPartition(list, term), recordId);
}

/** The same, in the partition of a value's entries. */
export function entryKeyIn(pk: string, recordId: string): Key {
  const bytes = Buffer.from(recordId.replaceAll("-", ""), "hex");
  return { pk, sk: bytes.toString("base64url") };
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

/**
 * An access token of a credential. Tokens have a partition of their own, so that the token exchange, which anyone may call,
 * needs no permission to write credentials.
 *
 * @param digest SHA-256 of the token, hexadecimal
 */
export function tokenKey(clientId: string, digest: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: `TOKEN#${digest}` };
}

/** How many access tokens were made from a credential, and when. */
export function tokenCountKey(clientId: string): Key {
  return { pk: `ACCESS_TOKENS#${clientId}`, sk: "COUNT" };
}

/**
 * The last UTC day on which a credential was used. It has a partition of its own: every function may write it, and none may
 * therefore change a credential.
 */
export function credentialUseKey(clientId: string): Key {
  return { pk: `CREDENTIAL_USE#${clientId}`, sk: "USE" };
}

/**
 * How often a credential has made requests of a kind on a UTC day (yyyy-MM-dd), in a partition of its own: who counts them
 * may not touch credentials.
 */
export function rateLimitKey(clientId: string, operationId: string, day: string): Key {
  return { pk: `ALLOWANCE#${clientId}`, sk: `${operationId}#${day}` };
}

/**
 * The POS credentials that a caller had checked on a UTC day (yyyy-MM-dd), counted.
 *
 * @param callerId client id of a credential; for invited users the CRB id
 */
export function posChecksKey(callerId: string, day: string): Key {
  return { pk: `POS_CHECKS#${callerId}`, sk: day };
}

/** The same of the invited users of all CRBs that a credential created. */
export const posChecksOfInvitedKey = (clientId: string, day: string): Key => posChecksKey(`INVITED#${clientId}`, day);

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

/** Which CRBs of a service provider have a name in a state, however that is written (docs/spec.md#same-organization). */
export function organizationNameKey(serviceProviderId: string, name: string, state: string): Key {
  const compared = createHash("sha256").update(comparedName(name)).digest("base64url");
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#ORGANISATION`, sk: `NAME#${state}#${compared}` };
}

export function crbKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "CRB" };
}

/**
 * A CRB whose association has ended, so that all of them can be listed.
 *
 * @param endedAt ISO 8601 UTC, so that the range keys sort by time
 */
export function endedCrbKey(endedAt: string, crbId: string): Key {
  return { pk: endedCrbPartition, sk: `${endedAt}#${crbId}` };
}

export const endedCrbPartition = "ENDED_CRBS";

/** The CRB and the instant that a range key of `endedCrbKey` names. */
export function crbOfEnded(sk: string): { crbId: string; endedAt: string } {
  const [endedAt = "", crbId = ""] = sk.split("#");
  return { crbId, endedAt };
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

/** The tokens of an invitation that are good, in a partition of its own: by it alone a request is authorized. */
export function invitationTokenKey(invitationId: string): Key {
  return { pk: `INVITATION_TOKEN#${invitationId}`, sk: "TOKEN" };
}

/**
 * Leads from an address of electronic mail to a CRB for which it is invited.
 *
 * @param address its digest, see `addressDigest`
 */
export function invitedAddressKey(address: string, crbId: string): Key {
  return { pk: `INVITED_ADDRESS#${address}`, sk: crbId };
}

/**
 * The requests for links that were answered for an address on a UTC day (yyyy-MM-dd).
 *
 * @param address its digest
 */
export function linkRequestsKey(address: string, day: string): Key {
  return { pk: `LINK_REQUESTS#${address}`, sk: day };
}

/** A notice that a CRB's users are to be sent. */
export function noticeKey(crbId: string): Key {
  return { pk: `INVITATIONS#${crbId}`, sk: "NOTICE" };
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

/**
 * Says that a CRB of a service provider was purged, so that none is given its id again, which follows from an
 * `Idempotency-Key`; beside what is known of these. No key has a blank. A digest, so that nothing names the CRB any more.
 */
export function purgedCrbKey(serviceProviderId: string, crbId: string): Key {
  const digest = createHash("sha256").update(crbId).digest("base64url");
  return idempotencyKey(serviceProviderId, `${purgedPrefix}${digest}`);
}

/** What the range keys of `purgedCrbKey` begin with. */
export const purgedPrefix = "PURGED ";

/** An onboarding template of a service provider. */
export function templateKey(serviceProviderId: string, templateId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#TEMPLATE`, sk: templateId };
}

/** A CRB's answers to its onboarding template. */
export function answersKey(crbId: string): Key {
  return { pk: `CRB#${crbId}`, sk: "ONBOARDING" };
}

/** The documents of a CRB, deleted ones included. */
export function documentList(crbId: string): OrderedList {
  return orderedList(`CRB#${crbId}#DOCUMENT`);
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

/** The last range key of what is sorted by time, up to an instant (ISO 8601 UTC). */
export function lastUntil(instant: string): string {
  return `${instant}#~`;
}

/** The storage key in the range key of a removal. */
export function storageKeyOfRemoval(sk: string): string {
  return sk.slice(sk.indexOf("#") + 1);
}

/** A customer who was erased, and whom replication leaves out from then on; the id comes last, so that all can be listed. */
export function erasedKey(crbId: string, customerId: string): Key {
  return { pk: `CRB#${crbId}#ERASED`, sk: customerId };
}

/** How far the changes of one kind of a CRB's records have been announced; an item of its own, so that it meets no fence. */
export function announcedKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `ANNOUNCED#${kind.toUpperCase()}` };
}

/** The progress of a rebuild of all lists (`operator -- lists rebuild`). */
export const listRebuildKey: Key = { pk: "LIST_REBUILD", sk: "LIST_REBUILD" };

/** The number of who may write one kind of a CRB's records; small, since every transaction of a run checks it. */
export function fenceKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `FENCE#${kind.toUpperCase()}` };
}

/** Lease, position and counts of the replication of one kind of a CRB's records. */
export function replicationKey(crbId: string, kind: RecordKind): Key {
  return { pk: `REPLICATION#${crbId}`, sk: kind.toUpperCase() };
}

/** A part of what the pull under way of one kind of a CRB's records has seen. */
export function seenKey(crbId: string, kind: RecordKind, part: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `SEEN#${kind.toUpperCase()}#${part}` };
}

/** What the replication of one kind of a CRB's records has rejected; with a number, a part of the names of all of it. */
export function rejectedRecordsKey(crbId: string, kind: RecordKind, part?: number): Key {
  return { pk: `REPLICATION#${crbId}`, sk: `REJECTED#${kind.toUpperCase()}${part === undefined ? "" : `#${part}`}` };
}

/** Whom the POS systems of a type have let in and refused last. */
export function posTypeKey(posType: string): Key {
  return { pk: `POS_TYPE#${posType}`, sk: "LET_IN" };
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

/** A shard of a service provider's log of events: the events, its head, and what waits for a place in it. */
export function eventsPartition(serviceProviderId: string, shard: number | "*"): string {
  return `SERVICE_PROVIDER#${serviceProviderId}#EVENTS#${shard}`;
}

/** Whose events a partition of `eventsPartition` holds, and which shard of them. */
export function shardOfPartition(pk: string): { spId: string; shard: number } {
  const [, spId = "", , shard = ""] = pk.split("#");
  return { spId, shard: Number(shard) };
}

/** An event by its place in a shard, from 1 on; all events sort before the shard's other items. */
export function eventKey(pk: string, seq: number): Key {
  return { pk, sk: `EVENT#${String(seq).padStart(12, "0")}` };
}

/** The place of the last event of a shard; the first of the items that are no events. */
export function eventHeadKey(pk: string): Key {
  return { pk, sk: "HEAD" };
}

/**
 * Says that a service provider has webhook endpoints: whoever gives events of a shard their places sees it beside the head, and
 * asks for them to be delivered.
 */
export function listenedKey(pk: string): Key {
  return { pk, sk: "LISTENED" };
}

/** Events of a CRB, or without one, that were stored with what they tell and have no place in their shard yet. */
export function waitingEventsKey(pk: string, crbId: string | null): Key {
  return { pk, sk: `WAITING#${crbId ?? "NONE"}` };
}

/** A webhook endpoint of a service provider. */
export function webhookEndpointKey(serviceProviderId: string, endpointId: string): Key {
  return { pk: `SERVICE_PROVIDER#${serviceProviderId}#WEBHOOK`, sk: `ENDPOINT#${endpointId}` };
}

/** Which webhook endpoints a service provider has; the last item of their partition. */
export function webhookEndpointsKey(serviceProviderId: string): Key {
  return { pk: webhookEndpointKey(serviceProviderId, "").pk, sk: "ENDPOINTS" };
}

/** Leads to a webhook endpoint that is enabled, so that all of them can be listed. */
export function enabledWebhookKey(serviceProviderId: string, endpointId: string): Key {
  return { pk: enabledWebhookPartition, sk: `${serviceProviderId}#${endpointId}` };
}

export const enabledWebhookPartition = "WEBHOOKS_ENABLED";

/** The endpoint that a range key of `enabledWebhookKey` names. */
export function endpointOfEnabled(sk: string): { spId: string; endpointId: string } {
  const [spId = "", endpointId = ""] = sk.split("#");
  return { spId, endpointId };
}

/** How far a webhook endpoint has been told what a shard of the events holds. */
export function webhookPositionKey(endpointId: string, shard: number): Key {
  return { pk: `WEBHOOK#${endpointId}`, sk: `POSITION#${String(shard).padStart(2, "0")}` };
}

/** That deliveries to a webhook endpoint fail, so that it has one attempt at a time; beside its positions. */
export function webhookTroubleKey(endpointId: string): Key {
  return { pk: webhookPositionKey(endpointId, 0).pk, sk: "TROUBLE" };
}

/**
 * An attempt to deliver an event to a webhook endpoint.
 *
 * @param date ISO 8601 UTC, so that the range keys sort by time
 */
export function deliveryKey(endpointId: string, date: string, deliveryId: string): Key {
  return { pk: `WEBHOOK#${endpointId}#DELIVERY`, sk: `${date}#${deliveryId}` };
}

/**
 * How many attempts of a UTC day (yyyy-MM-dd) there are, by their hours.
 *
 * @param part of who makes them, so that no two meet in one item: a shard, or `TEST`
 */
export function deliveryCountKey(endpointId: string, day: string, part: number | "TEST"): Key {
  return { pk: `WEBHOOK#${endpointId}#DELIVERIES`, sk: `${day}#${part}` };
}

/** Where the sweep of webhook endpoints goes on that had no time for all of them. */
export const webhookSweepKey: Key = { pk: "WEBHOOK_SWEEP", sk: "WEBHOOK_SWEEP" };

/** Which generation of the licenses is the present one (`shared/domain/licenses/presentGeneration.ts`). */
export const licensesKey: Key = { pk: "LICENSES", sk: "PRESENT" };
