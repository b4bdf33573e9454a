import type { ExportError } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import { exportDueKey } from "../../store/keys/exports.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Bucket } from "../documents/bucket.ts";
import { doAll } from "../documents/endLinks.ts";
import { reportFailedExport } from "./failedExports.ts";
import {
  changeExport,
  ExportChangedError,
  isLive,
  readExport,
  readExports,
  type StoredExport,
} from "./storedExport.ts";

/**
 * Why an export ends. `requested`: a caller deleted it. `erasure`: a customer was erased. `credential_revoked` and
 * `credential_expired`: the credential that created it, or received links to it, has ended. `association_ended`: it
 * ends without an event, because the service provider gets an event of the association.
 */
export type ExportEnd =
  | { status: "expired" }
  | { status: "failed"; error: ExportError }
  | {
      status: "deleted";
      reason: "requested" | "erasure" | "credential_revoked" | "credential_expired" | "association_ended";
    };

/**
 * Ends an export and removes its files, and with them all links. If a call is interrupted after the export has ended,
 * another call or the sweeper removes the files.
 *
 * @returns the ended export; undefined if it does not exist
 * @throws ServiceError "unavailable" if the table or the bucket cannot be reached
 */
export async function endExport(
  { table, bucket }: { table: Table; bucket: Bucket },
  crbId: string,
  exportId: string,
  end: ExportEnd,
  clock: Clock = systemClock,
): Promise<StoredExport | undefined> {
  for (;;) {
    const stored = await readExport(table, crbId, exportId, clock.now());
    if (!stored) return undefined;
    try {
      const ended = isLive(stored) ? await markEnded(table, stored, end, clock) : stored;
      return await removeFiles({ table, bucket }, ended, clock);
    } catch (error) {
      // A worker or another call has changed the export.
      if (!(error instanceof ExportChangedError)) throw error;
    }
  }
}

async function markEnded(table: Table, stored: StoredExport, end: ExportEnd, clock: Clock): Promise<StoredExport> {
  const error = end.status === "failed" ? end.error : null;
  // The sweeper finds the export at once, until its files are removed.
  const change = { status: end.status, error, due: stored.created_at, held_until: 0 };
  const ended = await changeExport(table, stored, change, clock, { events: eventsOf(stored, end) });
  // A rebuild of a list is no fault: its caller can request the export again at once.
  if (error !== null && error !== "list_rebuilt")
    reportFailedExport({ crb_id: stored.crb_id, export_id: stored.id }, error);
  return ended;
}

function eventsOf({ sp_id: spId, crb_id: crbId, id: export_id }: StoredExport, end: ExportEnd): NewEvent[] {
  if (end.status === "failed") {
    return [{ type: "export.failed", spId, crbId, data: { export_id, error: end.error } }];
  }
  if (end.status === "expired" || end.reason === "association_ended") return [];
  return [{ type: "export.deleted", spId, crbId, data: { export_id, reason: end.reason } }];
}

/** Removes the files of an ended export, then its entry for the sweeper. */
async function removeFiles(
  { table, bucket }: { table: Table; bucket: Bucket },
  ended: StoredExport,
  clock: Clock,
): Promise<StoredExport> {
  await doAll(ended.parts, ({ storage_key }) => bucket.remove(storage_key));
  const removed = ended.parts.length > 0 ? await changeExport(table, ended, { parts: [] }, clock) : ended;
  await table.delete(exportDueKey(removed.due, removed.crb_id, removed.id));
  return removed;
}

/**
 * Ends the live exports of a CRB, and completes interrupted ends. Call it after the cause can create no more exports.
 *
 * @param isConcerned selects the exports; all if absent
 * @returns the ended exports
 */
export async function endExports(
  stores: { table: Table; bucket: Bucket },
  crbId: string,
  end: ExportEnd,
  clock: Clock = systemClock,
  isConcerned: (stored: StoredExport) => boolean = () => true,
): Promise<StoredExport[]> {
  const stored = await readExports(stores.table, crbId, clock.now());
  const concerned = stored.filter((one) => isConcerned(one) && (isLive(one) || one.parts.length > 0));
  for (const { id } of concerned) await endExport(stores, crbId, id, end, clock);
  return concerned;
}

/**
 * Ends the exports that may hold a customer: all live exports of customers or sales. Call it after the customer is
 * erased from the records, so that no later export holds the customer.
 */
export const endExportsOfErased = (
  stores: { table: Table; bucket: Bucket },
  crbId: string,
  clock: Clock = systemClock,
): Promise<StoredExport[]> =>
  endExports(stores, crbId, { status: "deleted", reason: "erasure" }, clock, ({ kinds }) =>
    kinds.some((kind) => kind === "customers" || kind === "sales"),
  );
