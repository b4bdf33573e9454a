import type { Table } from "../../store/client.ts";
import { listServiceProviders, readCrb } from "../../store/crbs.ts";
import { endedAssociations } from "../../store/endedAssociations.ts";
import { mapInGroups } from "../../store/groups.ts";
import { crbList } from "../../store/keys/orderedLists.ts";
import { replicationDueKey, restorationKey, restoringKey, restoringOfKey } from "../../store/keys/replication.ts";
import { streamItems } from "../../store/listRebuild/streamItems.ts";
import { replicationDueWrites } from "../../store/replicationDue.ts";
import { type Restoration, type Restoring, readRestoration, readRestoring } from "../../store/restoration.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { rebuildCrbList } from "../replication/rebuildLists.ts";

const closedAtOnce = 25;

/** A service provider, with the closed CRBs among its CRBs. */
interface ClosedCrbs {
  spId: string;
  crbs: (Restoring & { crbId: string })[];
}

/**
 * Closes all CRBs of a restored table, plans replications that a part of a transaction lacks, then rebuilds the lists of service
 * providers. A repeated call continues an interrupted one, and closes no CRB that a worker has opened.
 *
 * @param onProgress called with a text for the operator
 * @throws errors of the table; CRBs that are closed by then stay closed
 */
export async function beginRestoration(
  table: Table,
  onProgress: (text: string) => void = () => undefined,
  clock: Clock = systemClock,
): Promise<Restoration> {
  const present = await readRestoration(table);
  if (present?.prepared_at) return present;
  const owners = await findCrbs(table);
  const began_at = clock.now().toISOString();
  // Also replaces the item of an earlier restoration, which the restored table has copied.
  const restoration: Restoration = { table: table.name, began_at, crbs: owners.length };
  await table.put({ ...restorationKey, ...restoration });
  const fresh: Restoring = { step: 0, attempts: 0, held_until: 0, error: null };
  let closed = 0;
  for await (const group of mapInGroups(owners, closedAtOnce, async ({ crbId, spId }) => {
    await table.put({ ...restoringOfKey(spId, crbId), ...fresh });
    await table.put({ ...restoringKey(crbId), sp_id: spId });
    await planLostReplication(table, crbId, clock.now());
  })) {
    closed += group.length;
    onProgress(`${closed} of ${owners.length} CRBs closed`);
  }
  for (const { id } of await listServiceProviders(table)) {
    for await (const { list } of rebuildCrbList(table, id, { clock })) onProgress(`rebuilt ${list} of ${id}`);
  }
  const prepared_at = clock.now().toISOString();
  await table.update(restorationKey, { prepared_at });
  return { ...restoration, prepared_at };
}

/** Plans the first replication of a connected CRB whose due times a restore has lost. Otherwise it would never be replicated. */
async function planLostReplication(table: Table, crbId: string, now: Date): Promise<void> {
  if (await table.get(replicationDueKey(crbId), { consistent: true })) return;
  const writes = replicationDueWrites(table, undefined, await readCrb(table, crbId, { consistent: true }), now);
  if (writes.length > 0) await table.transact(writes);
}

/** Permits that CRBs open: the journal is replayed on this table. Does nothing if the table is not being restored. */
export async function noteReplay(table: Table, clock: Clock = systemClock): Promise<void> {
  if (await readRestoration(table)) await table.update(restorationKey, { replayed_at: clock.now().toISOString() });
}

/** The closed CRBs of all service providers. */
export async function readClosed(table: Table): Promise<ClosedCrbs[]> {
  const all: ClosedCrbs[] = [];
  for (const { id: spId } of await listServiceProviders(table)) {
    all.push({ spId, crbs: await readRestoring(table, spId) });
  }
  return all;
}

/** All CRBs, and those whose association has ended. */
async function findCrbs(table: Table): Promise<{ crbId: string; spId: string }[]> {
  const found = new Map<string, string>();
  for (const { id: spId } of await listServiceProviders(table)) {
    for await (const part of streamItems(table, crbList(spId).pk, [])) {
      for (const { sk } of part) found.set(sk?.S ?? "", spId);
    }
  }
  for (const { crbId, crb } of await endedAssociations(table, new Date("9999-12-31"))) {
    if (crb) found.set(crbId, crb.serviceProviderId);
  }
  return [...found].map(([crbId, spId]) => ({ crbId, spId }));
}
