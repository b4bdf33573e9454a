import { linkedLicenseStatuses } from "../../api/enumerations.ts";
import { notFound } from "../../api/errors.ts";
import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { itemId, type Table } from "../../store/client.ts";
import { contentHash } from "../../store/contentHash.ts";
import type { Crb } from "../../store/crb.ts";
import { readCrb } from "../../store/crbs.ts";
import { damagedText } from "../../store/damagedRecords.ts";
import { type Inventory, stockedLocations } from "../../store/inventory.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { outboxPartition } from "../../store/keys/inventory.ts";
import {
  crbList,
  documentList,
  licenseStatusList,
  locationInventoryList,
  type OrderedList,
  recordKey,
  recordList,
} from "../../store/keys/orderedLists.ts";
import { announcedKey } from "../../store/keys/replication.ts";
import { recordOf } from "../../store/listRebuild/listRules.ts";
import { type ListReport, noDifferences, rebuildList } from "../../store/listRebuild/rebuildList.ts";
import { streamItems } from "../../store/listRebuild/streamItems.ts";
import { type Fence, transactFenced } from "../../store/orderedList/fence.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { correctDocumentsToReview } from "../documents/documentsToReview.ts";
import { readDocuments } from "../documents/storedDocument.ts";
import { correctInsightList, correctInsightsOfCrb } from "../insights/correctInsightLists.ts";
import { correctLicenseLists } from "../linkedLicenses/correctLicenseLists.ts";
import { tryAnnounceChanges } from "./announceChanges.ts";
import { byLocation, LocationLists } from "./locationLists.ts";
import type { ReplicationLease } from "./replicationLease.ts";
import { withReplicationLease } from "./withReplicationLease.ts";

/** The kinds of lists of a CRB. `inventory` includes the inventory list of each location. */
export const listKinds = [...recordKinds, "document", "insight"] as const;
export type ListKind = (typeof listKinds)[number];

export interface RebuildListsOptions {
  kinds?: readonly ListKind[];
  /** Compare the lists with the records, but write nothing. */
  isCheck?: boolean;
  /** Keep the watermark. In a restored table it may be newer than the records, so that changes would be missed. */
  keepsWatermark?: boolean;
  clock?: Clock;
  /** Called with the name of a list and the number of its records that were read since the last call. */
  onProgress?: (list: string, records: number) => void;
  /** The segment size of the lists of records; tests use small segments. */
  segmentSize?: number;
}

/** A list, with the name that the operator sees, and its differences from the records. */
export interface ReportedList extends ListReport {
  list: string;
}

/**
 * Compares all lists of a CRB with the stored records: each kind of records, inventory by location, documents, and its
 * documents to review and insights in the lists of the service provider. Unless `isCheck` is set, also rebuilds them,
 * each kind under its replication lease. After an interruption, another call finishes the rebuild.
 *
 * @throws ServiceError "notFound" if the CRB is not stored or is being purged; "unavailable" if a replication keeps its
 *   lease for 90 seconds, or the table cannot be reached
 */
export async function* rebuildLists(
  table: Table,
  crbId: string,
  options: RebuildListsOptions = {},
): AsyncGenerator<ReportedList> {
  const { kinds = listKinds, clock = systemClock, isCheck = false } = options;
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb) throw notFound("CRB");
  const names = { spId: crb.serviceProviderId, crbId };
  for (const kind of kinds) {
    if (kind === "document") {
      const report = await rebuildOne(table, kind, documentList(crbId), options);
      const documents = crb.endedAt ? [] : await readDocuments(table, crbId);
      const entries = await correctDocumentsToReview(table, names, documents, isCheck);
      yield withCounts(report, { entries });
    } else if (kind === "insight") {
      const { size, entries } = await correctInsightsOfCrb(table, names, { isAssociated: !crb.endedAt, isCheck });
      yield { list: kind, size, differences: { ...noDifferences, entries } };
    } else {
      const rebuild = (lease: ReplicationLease) => rebuildKind(table, crb.record, kind, lease, options);
      yield* await withReplicationLease(table, crbId, kind, clock, rebuild);
    }
  }
}

/**
 * Compares and rebuilds the lists of a service provider's CRBs, in all and by the status of their licenses, and takes
 * entries without an insight off its list of insights. Unless `isCheck` is set, also removes associations whose CRB is not
 * stored.
 */
export async function* rebuildCrbList(
  table: Table,
  serviceProviderId: string,
  options: RebuildListsOptions = {},
): AsyncGenerator<ReportedList> {
  const { clock = systemClock, isCheck = false } = options;
  const list = crbList(serviceProviderId);
  let strays = 0;
  for await (const part of streamItems(table, list.pk, [])) {
    const ids = part.map(({ sk }) => sk?.S ?? "");
    const crbs = await table.batchGet(ids.map(crbKey), { consistent: true, attributes: [] });
    const stray = ids.filter((id) => !crbs.has(itemId(crbKey(id))));
    strays += stray.length;
    if (!isCheck) await table.batchDelete(stray.map((id) => recordKey(list, id)));
  }
  yield withCounts(await rebuildOne(table, "crb", list, options), { records: strays });
  for (const status of linkedLicenseStatuses) {
    const byStatus = licenseStatusList(serviceProviderId, status);
    yield await rebuildOne(table, `crb by license ${status}`, byStatus, options);
  }
  // After the positions, because the correction moves CRBs in these lists.
  const records = await correctLicenseLists(table, serviceProviderId, { clock, isCheck });
  yield { list: "crb by license", size: records, differences: { ...noDifferences, records } };
  const { size, entries } = await correctInsightList(table, serviceProviderId, isCheck);
  yield { list: "insight", size, differences: { ...noDifferences, entries } };
}

async function rebuildKind(
  table: Table,
  crb: Crb["record"],
  kind: RecordKind,
  lease: ReplicationLease,
  options: RebuildListsOptions,
): Promise<ReportedList[]> {
  const { clock = systemClock, segmentSize, isCheck, keepsWatermark } = options;
  const list = recordList(crb.id, kind, segmentSize);
  const reports = [await rebuildOne(table, kind, list, options, lease.fence)];
  if (kind === "inventory") reports.push(...(await rebuildLocations(table, crb, list, lease.fence, options)));
  if (isCheck) return reports;
  if (!keepsWatermark) await lease.restart();
  if (kind === "sale") await lease.recheckCompletedDays();
  // The rebuild changed the list's generation. Without an announced position, the next announcement covers the whole list.
  await table.delete(announcedKey(crb.id, kind));
  await tryAnnounceChanges(table, crb.id, kind, clock);
  return reports;
}

/** Rebuilds the inventory lists of the locations, then updates their records that differ from the CRB's inventory. */
async function rebuildLocations(
  table: Table,
  { id: crbId, timezone }: Crb["record"],
  inventory: OrderedList,
  fence: Fence,
  options: RebuildListsOptions,
): Promise<ReportedList[]> {
  const { isCheck, clock = systemClock, onProgress } = options;
  const reports: ReportedList[] = [];
  for (const id of await stockedLocations(table, crbId)) {
    const ofLocation = locationInventoryList(crbId, id);
    reports.push(await rebuildOne(table, `inventory of location ${id}`, ofLocation, options, fence));
  }
  const outbox = outboxPartition(crbId);
  const context = { table, connection: { crbId, timezone }, fence, clock, deadline: undefined, cutOff: undefined };
  const lists = () => new LocationLists(context).updateLists();
  if (!isCheck) await lists();
  const pending = new Set((await table.queryPartition(outbox, { consistent: true })).flatMap(({ ids }) => ids));
  let [size, records] = [0, 0];
  for await (const part of streamItems(table, inventory.pk, ["rank", "body", "hash"])) {
    onProgress?.("inventory by location", part.length);
    size += part.length;
    const stale = await staleAtLocations(table, crbId, part.map(recordOf) as Inventory[]);
    const ids = stale.filter((id) => !pending.has(id));
    records += ids.length;
    if (isCheck || ids.length === 0) continue;
    // An outbox item names these records, so that `updateLists` writes them to the lists of their locations.
    const note = table.putWrite({ pk: outbox, sk: part[0]?.rank?.S ?? "", ids });
    await retryOnConflict(clock, () => transactFenced(table, fence, [note]));
    await lists();
  }
  return [...reports, { list: "inventory by location", size, differences: { ...noDifferences, records } }];
}

/** The ids of inventory records that are missing, outdated or damaged in the list of a location. */
async function staleAtLocations(table: Table, crbId: string, records: readonly Inventory[]): Promise<string[]> {
  const derived = [...byLocation(records)].flatMap(([locationId, ofLocation]) => {
    const list = locationInventoryList(crbId, locationId);
    return ofLocation.map(({ id, content }) => ({ id, hash: contentHash(content), key: recordKey(list, id) }));
  });
  const keys = derived.map(({ key }) => key);
  const stored = await table.batchGet(keys, { consistent: true, attributes: ["body", "hash"] });
  const stale = derived.filter(({ key, hash }) => {
    const item = stored.get(itemId(key));
    return item?.hash !== hash || item.body === damagedText;
  });
  return [...new Set(stale.map(({ id }) => id))];
}

async function rebuildOne(
  table: Table,
  name: string,
  list: OrderedList,
  { isCheck, clock = systemClock, onProgress }: RebuildListsOptions,
  fence?: Fence,
): Promise<ReportedList> {
  const progress = (records: number) => onProgress?.(name, records);
  return { list: name, ...(await rebuildList(table, list, { fence, clock, isCheck, onProgress: progress })) };
}

const withCounts = (report: ReportedList, counts: Partial<ListReport["differences"]>): ReportedList => ({
  ...report,
  differences: { ...report.differences, ...counts },
});
