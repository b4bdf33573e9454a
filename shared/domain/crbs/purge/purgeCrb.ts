import { recordKinds } from "../../../api/kinds.ts";
import type { Table } from "../../../store/client.ts";
import type { Crb } from "../../../store/crb.ts";
import { readCrb } from "../../../store/crbs.ts";
import { sequenceEvents } from "../../../store/eventLog/sequenceEvents.ts";
import { shardOf } from "../../../store/eventLog/shards.ts";
import { crbHistoryPartition } from "../../../store/keys/crbHistory.ts";
import { associationKey, crbKey, endedCrbKey, posCredentialsKey, purgedCrbKey } from "../../../store/keys/crbs.ts";
import { eventsPartition } from "../../../store/keys/events.ts";
import { insightsPartition } from "../../../store/keys/insights.ts";
import {
  invitationsKey,
  invitationTokenKey,
  invitedAddressKey,
  unsentInvitationsKey,
} from "../../../store/keys/invitations.ts";
import { overviewKey } from "../../../store/keys/overview.ts";
import {
  erasedKey,
  replicationDueKey,
  replicationKey,
  restoringKey,
  restoringOfKey,
} from "../../../store/keys/replication.ts";
import { stateConnectionsKey, stateDaysPartition, stateKeysKey } from "../../../store/keys/stateSystems.ts";
import { type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import { retryOnConflict } from "../../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../../time/clock.ts";
import { removeDeposits } from "../../deposits/removeDeposits.ts";
import type { Bucket } from "../../documents/bucket.ts";
import { removeDocumentsToReview } from "../../documents/documentsToReview.ts";
import { unlistInsights } from "../../insights/removeInsights.ts";
import { removeLinks } from "../../linkedLicenses/unlinkLicense.ts";
import { withReplicationLeases } from "../../replication/withReplicationLease.ts";
import { purgeAccess } from "./purgeAccess.ts";
import { purgeFiles } from "./purgeFiles.ts";
import { purgeRecords } from "./purgeRecords.ts";

/**
 * After the end of an association, work in progress may continue for this many milliseconds. A function runs for at most 15
 * minutes, and an upload link is also valid for 15 minutes.
 */
const defaultQuietPeriodMs = 20 * 60_000;

/**
 * The result of a purge. Unless the outcome is `purged`, nothing was removed or written to the journal. `associated`: the CRB
 * is still associated. `early`: the quiet period has not ended; it lasts until `until`. `unknown`: the end time of the
 * association is not stored; call `endAssociation` to store it.
 */
export type PurgeResult =
  | { outcome: "purged"; endedAt: Date; beganAt: Date }
  | { outcome: "associated" | "unknown" }
  | { outcome: "early"; until: Date };

export interface PurgeOptions {
  clock?: Clock;
  removed?: RemovalListener;
  /**
   * Milliseconds after the end of the association until a purge may begin. Use a smaller value than the default only if all
   * clients of the CRB are known and all their requests have completed.
   */
  quietPeriodMs?: number;
  /** Awaited if the purge may begin, before anything is removed. */
  before?: (crb: Crb) => Promise<void>;
}

/**
 * Removes all data of a CRB whose association has ended: the items in the table, and the files in the bucket in all versions.
 * The CRB's own item is removed last. So after a crash a second call completes the purge, and until then no CRB with this id
 * can be created. The journal keeps the id, and the table keeps a digest of the id, so that the id is never used again. If a
 * new CRB got the id, clients with cursors of the purged CRB would continue in the lists of the new CRB and miss records.
 *
 * @returns undefined if the CRB does not exist
 * @throws ServiceError "unavailable" if a replication keeps its lease for 90 seconds, or the table or the bucket cannot be
 *   reached
 */
export async function purgeCrb(
  table: Table,
  bucket: Bucket,
  crbId: string,
  { clock = systemClock, removed = () => undefined, quietPeriodMs = defaultQuietPeriodMs, before }: PurgeOptions = {},
): Promise<PurgeResult | undefined> {
  const crb = await readCrb(table, crbId, { consistent: true });
  if (!crb) return undefined;
  const { serviceProviderId: spId, endedAt } = crb;
  if (await table.get(associationKey(spId, crbId), { consistent: true })) return { outcome: "associated" };
  if (!endedAt) return { outcome: "unknown" };
  const until = new Date(Date.parse(endedAt) + quietPeriodMs);
  const now = clock.now();
  if (now < until) return { outcome: "early", until };
  await before?.(crb);
  const beganAt = crb.purgeBeganAt ?? now.toISOString();
  const { done } = await table.change(
    crbKey(crbId),
    { expression: "SET purgeBeganAt = :began", values: { ":began": beganAt } },
    "attribute_exists(pk)",
  );
  if (!done) return undefined;
  await purgeBelongings(table, bucket, { crbId, spId }, clock, removed);
  const last = [crbKey(crbId), endedCrbKey(endedAt, crbId)].map((key) => table.deleteWrite(key));
  const purged = table.putWrite({ ...purgedCrbKey(spId, crbId) });
  await retryOnConflict(clock, () => table.transact([...last, purged]));
  return { outcome: "purged", endedAt: new Date(endedAt), beganAt: new Date(beganAt) };
}

/** Removes the items that can only be found from a CRB's invitations: tokens, and the items of invited mail addresses. */
async function purgeInvitationLinks(table: Table, crbId: string, removed: RemovalListener): Promise<void> {
  const { pk, sk } = invitationsKey(crbId);
  const items = await table.queryPartition(pk, { consistent: true });
  const { invitations = [] } = (items.find((item) => item.sk === sk) ?? {}) as { invitations?: { id: string }[] };
  const keys = [
    ...invitations.map(({ id }) => invitationTokenKey(id)),
    ...items.flatMap(({ address }) => (address ? [invitedAddressKey(address as string, crbId)] : [])),
  ];
  await table.batchDelete(keys);
  removed("links of invitations", keys.length);
}

/** Removes everything that belongs to a CRB, except the CRB's own item. The CRB's own item need not exist. */
export async function purgeBelongings(
  table: Table,
  bucket: Bucket,
  { crbId, spId }: { crbId: string; spId: string },
  clock: Clock,
  removed: RemovalListener,
): Promise<void> {
  const remove = (what: string, pk: string, except?: string) =>
    removePartition(table, pk, (count) => removed(what, count), { filter: ({ sk }) => sk?.S !== except });
  // Remove the invitations first, so that a running sender creates no more items for them. The second call below removes the
  // items that the sender created in the meantime.
  const invitations = async () => {
    await purgeInvitationLinks(table, crbId, removed);
    await remove("invitations", invitationsKey(crbId).pk);
  };
  await invitations();
  await table.batchDelete([
    posCredentialsKey(crbId),
    stateConnectionsKey(crbId),
    stateKeysKey(crbId),
    unsentInvitationsKey(crbId),
    restoringKey(crbId),
    restoringOfKey(spId, crbId),
    replicationDueKey(crbId),
  ]);
  await withReplicationLeases(table, crbId, recordKinds, clock, async () => {
    await purgeRecords(table, crbId, removed);
    await remove("erased customers", erasedKey(crbId, "").pk);
    // Remove these items after the records, because they include the leases. A worker whose lease was removed can write
    // nothing more.
    await remove("replication states", replicationKey(crbId, "sale").pk);
  });
  await remove("state days", stateDaysPartition(crbId));
  await removeDeposits(table, crbId, removed);
  removed("linked licenses", await removeLinks(table, spId, crbId, clock));
  await purgeFiles(table, bucket, { crbId, spId }, removed);
  await unlistInsights(table, { spId, crbId }, clock.now());
  await remove("insights", insightsPartition(crbId));
  await table.batchDelete([overviewKey(spId, crbId)]);
  await remove("history of licenses and consents", crbHistoryPartition(crbId));
  removed("documents to review", await removeDocumentsToReview(table, spId, crbId));
  await purgeAccess(table, { crbId, spId }, clock, removed);
  await invitations();
  // Give the last events their sequence numbers, so that no item is left whose key contains the CRB's id. The events
  // themselves expire.
  await sequenceEvents(table, eventsPartition(spId, shardOf(crbId)), clock);
  await remove("onboarding and inventory day", crbKey(crbId).pk, crbKey(crbId).sk);
}
