import { restoring } from "../api/errors.ts";
import type { Item, Table } from "./client.ts";
import { restorationKey, restoringKey, restoringOfKey } from "./keys/replication.ts";

// Until the lists of a CRB in a restored table are rebuilt, the CRB is closed: callers get 503, and nothing replicates it
// (docs/operations/restore.md).

/** The restoration of a table. */
export interface Restoration {
  /** The table that is restored. A table that is restored from this one has a copy of this item, and another name. */
  table: string;
  /** ISO 8601 UTC */
  began_at: string;
  crbs: number;
  /** Set once all CRBs are closed and the lists of service providers are right. ISO 8601 UTC */
  prepared_at?: string;
  /** Set once the journal is replayed: before, no CRB opens. ISO 8601 UTC */
  replayed_at?: string;
  /** The first start of a worker, ISO 8601 UTC. */
  started_at?: string;
}

export interface Restoring {
  /** Number of completed steps. */
  step: number;
  /** Attempts so far, each by one worker. */
  attempts: number;
  /** End of the present worker's lease, epoch ms; 0 between two workers. */
  held_until: number;
  /** The reason why the last attempt failed; a code without values of records. Null if it did not fail. */
  error: string | null;
  /** ISO 8601 UTC */
  failed_at?: string;
}

/** The restoration of this table; undefined if there is none. */
export async function readRestoration(table: Table): Promise<Restoration | undefined> {
  const item = (await table.get(restorationKey, { consistent: true })) as (Item & Restoration) | undefined;
  return item?.table === table.name ? item : undefined;
}

/** Whether a CRB is closed because it is restored. */
export const isRestoring = async (table: Table, crbId: string): Promise<boolean> =>
  (await table.get(restoringKey(crbId), { consistent: true })) !== undefined;

/** The closed CRBs of a service provider, with their progress. */
export async function readRestoring(table: Table, spId: string): Promise<(Restoring & { crbId: string })[]> {
  const items = await table.queryPartition(restoringOfKey(spId, "").pk, { consistent: true });
  return items.map(({ pk: _, sk: crbId, ...progress }) => ({ crbId, ...(progress as unknown as Restoring) }));
}

/** For lists of all CRBs of a service provider. @throws ServiceError "unavailable" that names closed CRBs, if any */
export async function requireAllOpen(table: Table, spId: string): Promise<void> {
  const closed = (await readRestoring(table, spId)).map(({ crbId }) => crbId);
  const count = closed.length;
  if (count === 0) return;
  const message = `The list lacks the records of ${count} CRBs, which are being restored. Try again after Retry-After.`;
  throw restoring(message, { restoring: count, crb_ids: closed.slice(0, maxNamed) });
}

const maxNamed = 100;
