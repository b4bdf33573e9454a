import { notFound } from "../../api/errors.ts";
import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { type Item, itemId, type Table } from "../../store/client.ts";
import { readCrb } from "../../store/crbs.ts";
import type { Inventory } from "../../store/inventory.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { outboxPartition } from "../../store/keys/inventory.ts";
import {
  crbList,
  documentList,
  locationInventoryList,
  type OrderedList,
  recordKey,
  recordList,
} from "../../store/keys/orderedLists.ts";
import { announcedKey } from "../../store/keys/replication.ts";
import { type ListRules, plainRules, recordOf, recordRules } from "../../store/listRebuild/listRules.ts";
import { type ListReport, noDifferences, rebuildList } from "../../store/listRebuild/rebuildList.ts";
import { StoredOrder } from "../../store/listRebuild/storedOrder.ts";
import { streamCustomerValues } from "../../store/listRebuild/streamCustomerValues.ts";
import { streamItems } from "../../store/listRebuild/streamItems.ts";
import { type Fence, transactFenced } from "../../store/orderedList/fence.ts";
import { contentHash } from "../../store/orderedList/recordBody.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { stockedLocations } from "../../store/snapshots/stockedLocations.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { tryAnnounceChanges } from "./announceChanges.ts";
import { byLocation, LocationLists } from "./locationLists.ts";
import type { ReplicationLease } from "./replicationLease.ts";
import { withReplicationLease } from "./withReplicationLease.ts";

/** Lists of a CRB by what they hold; `inventory` includes the lists of its locations. */
export const listKinds = [...recordKinds, "document"] as const;
export type ListKind = (typeof listKinds)[number];

export interface RebuildListsOptions {
  kinds?: readonly ListKind[];
  /** Compares only, and writes nothing. */
  isCheck?: boolean;
  /**
   * The next replication continues where the last one ended. Otherwise it reads everything: a restored watermark may be newer
   * than the records, which would then never get the changes in between.
   */
  keepsWatermark?: boolean;
  /** Lists that were rebuilt since then are left as they are. */
  notSince?: Date;
  clock?: Clock;
  /** Called with the number of records that were read since the last call. */
  onProgress?: (list: string, records: number) => void;
  /** The segment size of the lists of records; tests use a small one. */
  segmentSize?: number;
}

/** A list, by the name that an operator sees, and its differences. */
export interface ReportedList extends ListReport {
  list: string;
}

/**
 * Compares all lists of a CRB with their records, and unless it is a check, rebuilds them: records of each kind,
 * inventory by location, documents. Each kind of records is compared and rebuilt under its replication lease.
 *
 * Another call finishes an interrupted rebuild. Callers that follow changes begin again.
 *
 * @throws ServiceError "notFound" when the CRB is not stored, or is being purged; "unavailable" when a replication does
 *   not end for a minute and a half, or the table cannot be reached
 */
export async function* rebuildLists(
  table: Table,
  crbId: string,
  options: RebuildListsOptions = {},
): AsyncGenerator<ReportedList> {
  const { kinds = listKinds, clock = systemClock } = options;
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb) throw notFound();
  const business = { crbId, timezone: crb.record.timezone };
  for (const kind of kinds) {
    if (kind === "document") yield* rebuildOne(table, "document", plainRules(documentList(crbId)), undefined, options);
    else
      yield* await withReplicationLease(table, crbId, kind, clock, (lease) =>
        rebuildKind(table, business, kind, lease, options),
      );
  }
}

/** The same for the list of a service provider's CRBs. An association without its CRB is removed. */
export async function* rebuildCrbList(
  table: Table,
  serviceProviderId: string,
  options: RebuildListsOptions = {},
): AsyncGenerator<ReportedList> {
  const list = crbList(serviceProviderId);
  let records = 0;
  for await (const part of streamItems(table, list.pk, [])) {
    const ids = part.map(({ sk }) => sk?.S ?? "");
    const crbs = await table.batchGet(ids.map(crbKey), { consistent: true, attributes: [] });
    const stray = ids.filter((id) => !crbs.has(itemId(crbKey(id))));
    records += stray.length;
    if (!options.isCheck) await table.batchDelete(stray.map((id) => recordKey(list, id)));
  }
  for await (const report of rebuildOne(table, "crb", plainRules(list), undefined, options)) {
    yield { ...report, differences: { ...report.differences, records } };
  }
}

async function rebuildKind(
  table: Table,
  business: { crbId: string; timezone: string },
  kind: RecordKind,
  lease: ReplicationLease,
  options: RebuildListsOptions,
): Promise<ReportedList[]> {
  const { clock = systemClock, segmentSize, isCheck, keepsWatermark } = options;
  const { crbId } = business;
  const list = recordList(crbId, kind, segmentSize);
  const rules = recordRules(list, kind, kind === "sale" ? () => streamCustomerValues(table, crbId) : undefined);
  const reports = await Array.fromAsync(rebuildOne(table, kind, rules, lease.fence, options));
  if (kind === "inventory") reports.push(...(await rebuildLocations(table, business, list, lease.fence, options)));
  if (isCheck) return reports;
  if (!keepsWatermark) await lease.restart();
  // The generation changed: the next announcement covers the whole list.
  await table.delete(announcedKey(crbId, kind));
  await tryAnnounceChanges(table, crbId, kind, clock);
  return reports;
}

/** The inventory of each location, which follows from the CRB's: first the lists, then their missing records. */
async function rebuildLocations(
  table: Table,
  business: { crbId: string; timezone: string },
  inventory: OrderedList,
  fence: Fence,
  options: RebuildListsOptions,
): Promise<ReportedList[]> {
  const { crbId } = business;
  const { isCheck, clock = systemClock, onProgress } = options;
  const reports: ReportedList[] = [];
  for (const id of await stockedLocations(table, crbId)) {
    const rules = recordRules(locationInventoryList(crbId, id));
    reports.push(...(await Array.fromAsync(rebuildOne(table, `inventory of location ${id}`, rules, fence, options))));
  }
  const context = { table, connection: business, fence, clock, deadline: undefined, cutOff: undefined };
  const pending = new Set<string>();
  if (isCheck) for (const id of await outboxIds(table, crbId)) pending.add(id);
  else await new LocationLists(context).updateLists();
  let [size, records] = [0, 0];
  for await (const part of streamItems(table, inventory.pk, ["rank", "body"])) {
    onProgress?.("inventory by location", part.length);
    size += part.length;
    const stale = await staleAtLocations(table, crbId, part.map(recordOf) as Inventory[]);
    const ids = stale.filter((id) => !pending.has(id));
    records += ids.length;
    if (isCheck || ids.length === 0) continue;
    // The outbox names records whose locations do not follow yet.
    const note = table.putWrite({ pk: outboxPartition(crbId), sk: part[0]?.rank?.S ?? "", ids });
    await retryOnConflict(clock, () => transactFenced(table, fence, [note]));
    await new LocationLists(context).updateLists();
  }
  return [...reports, { list: "inventory by location", size, differences: { ...noDifferences, records } }];
}

async function outboxIds(table: Table, crbId: string): Promise<string[]> {
  const items = await table.queryPartition(outboxPartition(crbId), { consistent: true });
  return items.flatMap(({ ids }) => ids as string[]);
}

/** The ids of inventory records that a location does not show as they are. */
async function staleAtLocations(table: Table, crbId: string, records: readonly Inventory[]): Promise<string[]> {
  const derived = [...byLocation(records)].flatMap(([locationId, ofLocation]) =>
    ofLocation.map(({ id, content }) => ({
      id,
      hash: contentHash(content),
      key: recordKey(locationInventoryList(crbId, locationId), id),
    })),
  );
  const keys = derived.map(({ key }) => key);
  const stored = await table.batchGet(keys, { consistent: true, attributes: ["hash"] });
  const stale = derived.filter(({ key, hash }) => (stored.get(itemId(key)) as Item | undefined)?.hash !== hash);
  return [...new Set(stale.map(({ id }) => id))];
}

async function* rebuildOne(
  table: Table,
  list: string,
  rules: ListRules,
  fence: Fence | undefined,
  { isCheck = false, notSince, clock = systemClock, onProgress }: RebuildListsOptions,
): AsyncGenerator<ReportedList> {
  if (notSince) {
    const { generation, isBroken } = await StoredOrder.load({ table }, rules.list.orders.rank);
    if (generation !== undefined && generation >= notSince.getTime() && !isBroken) return;
  }
  const report = await rebuildList(table, rules, {
    ...(fence && { fence }),
    clock,
    isCheck,
    onProgress: (records) => onProgress?.(list, records),
  });
  yield { list, ...report };
}
