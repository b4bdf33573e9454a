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
 * Brings the inventory of each location up to date with what runs have stored and none may go on with, since the
 * connection has ended, or rests. It needs no POS. Where somebody has the lease that one does it, or leaves it to its
 * message.
 *
 * @throws OutOfTimeError at the deadline, but never before something was followed; ServiceError "unavailable" when the table
 *   cannot be reached, or refuses the lease every time
 */
export async function updateDerivedLists(
  table: Table,
  business: { crbId: string; timezone: string },
  clock: Clock,
  deadline: Date | undefined,
): Promise<void> {
  const { crbId } = business;
  const first = await table.query({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": outboxPartition(crbId) },
    ConsistentRead: true,
    Limit: 1,
  });
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
    // A lease is refused also where somebody has just written to one of its items.
    while (!(await tryWithReplicationLease(table, crbId, "inventory", clock, follow)) && !(await isHeld()))
      await tries.pause();
  } catch (error) {
    // Whoever purges the CRB takes all of this away.
    if (!(error instanceof ServiceError && error.kind === "notFound")) throw error;
  }
}
