import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { ReplicationLease } from "../../../../shared/domain/replication/replicationLease.ts";

/** Acquires a lease that no other worker holds. */
export async function acquireFreeLease(...call: Parameters<typeof acquireLease>): Promise<ReplicationLease> {
  const lease = await acquireLease(...call);
  if (!(lease instanceof ReplicationLease)) throw new Error("The lease is held by another worker.");
  return lease;
}
