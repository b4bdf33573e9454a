import { ServiceError } from "../../api/errors.ts";
import type { Table } from "../../store/client.ts";
import { outboxPartition } from "../../store/keys/inventory.ts";
import { replicationKey } from "../../store/keys/replication.ts";
import { RetryPolicy } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { LocationLists } from "./locationLists.ts";
import type { ReplicationLease } from "./replicationLease.ts";
import { computeCutOff } from "./runContext.ts";
import { tryWithReplicationLease } from "./withReplicationLease.ts";

/**
 * Updates the inventory of each location without a run. Call it for a CRB whose connection has ended or is paused, because no
 * further run will process the CRB's outbox. If another worker has the lease, the function returns, because the other worker,
 * or the message that continues its run, finishes the update.
 *
 * @throws OutOfTimeError at the deadline, but only after at least one step; ServiceError "unavailable" if the table cannot be
 *   reached, or if the lease cannot be acquired although no worker has it
 */
export async function updateDerivedLists(
  table: Table,
  business: { crbId: string; timezone: string },
  clock: Clock,
  deadline: Date | undefined,
): Promise<void> {
  const { crbId } = business;
  const first = await table.queryPartition(outboxPartition(crbId), { consistent: true, limit: 1 });
  if (first.length === 0) return;
  const time = { clock, deadline, cutOff: computeCutOff(deadline) };
  const follow = ({ fence }: Pick<ReplicationLease, "fence">) =>
    new LocationLists({ table, connection: business, fence, ...time }).updateLists();
  const isHeld = async () => {
    const state = await table.get(replicationKey(crbId, "inventory"), { consistent: true, attributes: ["held_until"] });
    return Number(state?.held_until ?? 0) > clock.now().getTime();
  };
  const tries = new RetryPolicy(clock, { deadline: time.cutOff });
  try {
    // Retry if no worker has the lease: a concurrent transaction on one of the lease's items can make the attempt fail.
    while (!(await tryWithReplicationLease(table, crbId, "inventory", clock, follow)) && !(await isHeld()))
      await tries.pause();
  } catch (error) {
    // If the CRB is being purged, the purge deletes these lists.
    if (!(error instanceof ServiceError && error.kind === "notFound")) throw error;
  }
}
