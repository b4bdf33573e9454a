import { recordKinds } from "../../../api/kinds.ts";
import type { Table } from "../../../store/client.ts";
import type { Crb } from "../../../store/crb.ts";
import { readCrb } from "../../../store/crbs.ts";
import { sequenceEvents } from "../../../store/eventLog/sequenceEvents.ts";
import { shardOf } from "../../../store/eventLog/shards.ts";
import { associationKey, crbKey, endedCrbKey, posCredentialsKey, purgedCrbKey } from "../../../store/keys/crbs.ts";
import { eventsPartition } from "../../../store/keys/events.ts";
import {
  invitationsKey,
  invitationTokenKey,
  invitedAddressKey,
  unsentInvitationsKey,
} from "../../../store/keys/invitations.ts";
import { erasedKey, replicationDueKey, replicationKey } from "../../../store/keys/replication.ts";
import { type RemovalListener, removePartition } from "../../../store/removePartition.ts";
import { retryOnConflict } from "../../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../../time/clock.ts";
import type { Bucket } from "../../documents/bucket.ts";
import { withReplicationLeases } from "../../replication/withReplicationLease.ts";
import { purgeAccess } from "./purgeAccess.ts";
import { purgeFiles } from "./purgeFiles.ts";
import { purgeRecords } from "./purgeRecords.ts";

/**
 * How long after the end of an association (milliseconds) something may still be under way that began before it: a function
 * runs for 15 minutes at most, and as long is an upload link good.
 */
const defaultQuietPeriodMs = 20 * 60_000;

/**
 * What became of a purge. Nothing was removed, and nothing noted, where the CRB is still `associated`; where it is too
 * `early`, until that instant; and where it is `unknown` when the association ended, which `endAssociation` mends.
 */
export type PurgeResult =
  | { outcome: "purged"; endedAt: Date; beganAt: Date }
  | { outcome: "associated" | "unknown" }
  | { outcome: "early"; until: Date };

export interface PurgeOptions {
  clock?: Clock;
  removed?: RemovalListener;
  /**
   * Milliseconds from the end of the association until nothing is under way any more; less only where the caller knows
   * who has used the CRB, and that all of it was answered.
   */
  quietPeriodMs?: number;
  /** awaited when nothing keeps the CRB from being purged, before anything is removed */
  before?: (crb: Crb) => Promise<void>;
}

/**
 * Removes everything that is stored of a CRB whose association has ended: in the table, and in the bucket with all versions.
 * The CRB's own item is the last to go, so that cut off anywhere it is finished by being called again, and no CRB of the
 * same id is made meanwhile. What stays is the journal, which names the id, and in the table a digest of it: it is never given
 * again, since whoever follows the lists of the purged CRB would take those of the new one for them, and miss records.
 *
 * @returns undefined when there is no such CRB
 * @throws ServiceError "unavailable" when a replication does not give way for a minute and a half, or table or store
 *   cannot be reached
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

/** Removes what only the invitations of a CRB lead to: tokens, and what leads from addresses to the CRB. */
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

/** Removes all that belongs to a CRB, but not the CRB itself, which need not be there. */
export async function purgeBelongings(
  table: Table,
  bucket: Bucket,
  { crbId, spId }: { crbId: string; spId: string },
  clock: Clock,
  removed: RemovalListener,
): Promise<void> {
  const remove = (what: string, pk: string, except?: string) =>
    removePartition(table, pk, (count) => removed(what, count), { filter: ({ sk }) => sk?.S !== except });
  // First, for a sender that is at them: it makes nothing of them any more when what it has begun is removed below.
  const invitations = async () => {
    await purgeInvitationLinks(table, crbId, removed);
    await remove("invitations", invitationsKey(crbId).pk);
  };
  await invitations();
  await table.batchDelete([
    posCredentialsKey(crbId),
    unsentInvitationsKey(crbId),
    ...recordKinds.map((kind) => replicationDueKey(crbId, kind)),
  ]);
  await withReplicationLeases(table, crbId, recordKinds, clock, async () => {
    await purgeRecords(table, crbId, removed);
    await remove("erased customers", erasedKey(crbId, "").pk);
    // Last, since the leases are among them: whoever was at it finds none to write under.
    await remove("replication states", replicationKey(crbId, "sale").pk);
  });
  await purgeFiles(table, bucket, crbId, removed);
  await purgeAccess(table, { crbId, spId }, clock, removed);
  await invitations();
  // Its last events wait under its id no longer; they themselves expire.
  await sequenceEvents(table, eventsPartition(spId, shardOf(crbId)), clock);
  await remove("onboarding and inventory day", crbKey(crbId).pk, crbKey(crbId).sk);
}
