import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { ExportError, ExportFormat, ExportStatus } from "../../api/enumerations.ts";
import type { KindName } from "../../api/kinds.ts";
import type { Export } from "../../api/schemas/export.ts";
import { type PersonName, toPerson } from "../../api/schemas/person.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import type { NewEvent } from "../../store/eventLog/newEvent.ts";
import {
  exportDueKey,
  exportKey,
  liveExportsKey,
  runningExportKey,
  waitingExportKey,
} from "../../store/keys/exports.ts";
import type { Key } from "../../store/keys/key.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { type FileLink, noLink } from "../documents/fileLink.ts";

/** A file of an export. */
export interface StoredPart {
  kind: KindName;
  part: number;
  records: number;
  bytes: number;
  sha256: string;
  storage_key: string;
}

/** How far an export has read one kind of records. */
export interface StoredKind {
  kind: KindName;
  /** The last position that the export reads; null if the list was empty. Records that change later get a later one. */
  until: string | null;
  /** The generation of the list; null if it was never rebuilt. */
  generation: number | null;
  /** The cursor of the change feed after `until`. */
  end_cursor: string;
  data_as_of: string | null;
  /** Number of records in the list when the export began. */
  total: number;
  /** The cursor of the change feed after the last record in a file; null before the first file. */
  cursor: string | null;
  records: number;
  /** Digest of the records in files. */
  digest: string;
  is_done: boolean;
}

/** An export, as stored. All instants are ISO 8601 UTC. */
export interface StoredExport {
  crb_id: string;
  id: string;
  sp_id: string;
  /** Increases with every change. All changes depend on it, so that an ended export never changes again. */
  version: number;
  status: ExportStatus;
  error: ExportError | null;
  kinds: readonly KindName[];
  format: ExportFormat;
  created_at: string;
  /** Client id of the credential. */
  created_by: string | null;
  created_by_person: PersonName | null;
  /** As in `endsWithOf`. */
  ends_with?: readonly string[];
  expires_at: string;
  /** When a worker first had it; null before. */
  started_at: string | null;
  /** When the sweeper must look at the export, see `exportDueKey`. */
  due: string;
  /** Epoch milliseconds until which no other worker may continue the export; 0 if no worker runs. */
  held_until: number;
  /** Number of attempts in succession that stored no file, with the current one. */
  failures: number;
  /** Empty before the first run. */
  progress: readonly StoredKind[];
  parts: readonly StoredPart[];
}

/** Seconds after its creation for which an ended export is listed (docs/spec.md#exports). */
const listedSeconds = 14 * 24 * 60 * 60;

/** Epoch seconds after which an ended export is not listed. */
export const listedUntil = ({ created_at }: Pick<StoredExport, "created_at">): number =>
  Math.floor(Date.parse(created_at) / 1_000) + listedSeconds;

/** The extension of the files of each format. */
export const fileExtensions: Readonly<Record<ExportFormat, string>> = { ndjson: "ndjson.gz", parquet: "parquet" };

/** Another worker has changed or ended the export. */
export class ExportChangedError extends Error {
  override readonly name = "ExportChangedError";
}

/** Another export of the service provider runs. */
export class ProviderBusyError extends Error {
  override readonly name = "ProviderBusyError";
}

/** Whether an export counts against the limit of live exports. */
export const isLive = ({ status }: Pick<StoredExport, "status">): boolean =>
  status === "queued" || status === "running" || status === "ready";

/** Whether an export has ended and its files are removed. */
const isOver = (stored: StoredExport): boolean => !isLive(stored) && stored.parts.length === 0;

/**
 * The item of an export. Only an export that is over has the TTL attribute: while the service is paused, DynamoDB would remove
 * others, and nothing would free their place in the line.
 */
export const exportItem = (stored: StoredExport): Item => ({
  ...exportKey(stored.crb_id, stored.id),
  ...stored,
  ...(isOver(stored) && { expires: listedUntil(stored) }),
});

type ExportInLine = Pick<StoredExport, "sp_id" | "created_at" | "crb_id" | "id">;

const waitingKey = ({ sp_id, created_at, crb_id, id }: ExportInLine): Key =>
  waitingExportKey(sp_id, created_at, crb_id, id);

/** The place of a queued export in its service provider's line. */
export const waitingItem = (stored: ExportInLine): Item => ({ ...waitingKey(stored) });

const toStoredExport = ({ pk: _pk, sk: _sk, expires: _expires, ...stored }: Item): StoredExport =>
  stored as unknown as StoredExport;

/** Whether an export is still listed. DynamoDB removes its item some time after this. */
const isListed = (stored: StoredExport, now: Date): boolean =>
  !isOver(stored) || listedUntil(stored) * 1_000 > now.getTime();

/** Reads an export; undefined if it does not exist, or ended too long ago. */
export async function readExport(
  table: Table,
  crbId: string,
  exportId: string,
  now: Date,
): Promise<StoredExport | undefined> {
  const item = await table.get(exportKey(crbId, exportId), { consistent: true });
  const stored = item?.id === undefined ? undefined : toStoredExport(item);
  return stored && isListed(stored, now) ? stored : undefined;
}

/** Reads the exports of a CRB, newest first. */
export async function readExports(table: Table, crbId: string, now: Date): Promise<StoredExport[]> {
  const items = await table.queryPartition(exportKey(crbId, "").pk, { consistent: true });
  return items
    .filter(({ id }) => id !== undefined)
    .map(toStoredExport)
    .filter((stored) => isListed(stored, now))
    .sort((one, other) => (one.created_at + one.id < other.created_at + other.id ? 1 : -1));
}

/** Reads the live exports of CRBs. Costs two calls for each hundred CRBs. */
export async function readLiveExports(table: Table, crbIds: readonly string[]): Promise<StoredExport[]> {
  const sets = await table.batchGet(crbIds.map(liveExportsKey), { consistent: true });
  const keys = [...sets.values()].flatMap(({ pk, ids = [] }) =>
    [...(ids as Iterable<string>)].map((sk) => ({ pk, sk })),
  );
  const items = await table.batchGet(keys, { consistent: true });
  return [...items.values()].map(toStoredExport).filter(isLive);
}

/**
 * Stores a change of an export, with further writes and events, in one transaction. Updates the limit of live exports, the
 * sweeper's time, and the service provider's line: exactly an export with the status `running` takes the one place to run.
 *
 * @returns the stored export
 * @throws ExportChangedError if the export has changed since it was read; ProviderBusyError if it should begin to run while
 *   another one of its service provider runs; "unavailable" if every attempt conflicts
 */
export async function changeExport(
  table: Table,
  before: StoredExport,
  change: Partial<StoredExport>,
  clock: Clock,
  { writes = [], events = [] }: { writes?: readonly TransactWriteItem[]; events?: readonly NewEvent[] } = {},
): Promise<StoredExport> {
  const after: StoredExport = { ...before, ...change, version: before.version + 1 };
  const { crb_id: crbId, id } = after;
  const isBeginning = before.status === "queued" && after.status === "running";
  const all = [
    table.putWrite(exportItem(after), unchanged("version", before.version)),
    ...(isBeginning
      ? [
          table.putWrite(
            { ...runningExportKey(after.sp_id), crb_id: crbId, export_id: id },
            { expression: "attribute_not_exists(pk)" },
          ),
        ]
      : []),
    ...(before.status === "running" && after.status !== "running"
      ? [table.deleteWrite(runningExportKey(after.sp_id))]
      : []),
    ...(before.status === "queued" && after.status !== "queued" ? [table.deleteWrite(waitingKey(before))] : []),
    ...(isLive(before) && !isLive(after)
      ? [table.updateWrite(liveExportsKey(crbId), { expression: "DELETE ids :one", values: { ":one": new Set([id]) } })]
      : []),
    ...(after.due === before.due
      ? []
      : [
          table.deleteWrite(exportDueKey(before.due, crbId, id)),
          table.putWrite({ ...exportDueKey(after.due, crbId, id) }),
        ]),
    ...writes,
  ];
  await retryOnConflict(clock, async () => {
    try {
      await commitWithEvents(table, { writes: all, events }, clock);
    } catch (error) {
      if (isUnmet(error, 0)) throw new ExportChangedError();
      if (isBeginning && isUnmet(error, 1)) throw new ProviderBusyError();
      throw error;
    }
  });
  return after;
}

/**
 * An export as the API returns it.
 *
 * @param linkOf returns the link of a file; without it, the files have none
 */
export function toExport(stored: StoredExport, linkOf: (part: StoredPart) => FileLink = () => noLink): Export {
  const { id, crb_id, kinds, format, status, error, progress, created_by, parts } = stored;
  const isComplete = progress.length > 0 && progress.every(({ is_done }) => is_done);
  return {
    ...{ id, crb_id, kinds: [...kinds], format, status, error },
    progress: progress.length > 0 ? { read: sumOf(progress, "records"), total: sumOf(progress, "total") } : null,
    created_date: stored.created_at,
    created_by,
    created_by_person: toPerson(stored.created_by_person),
    expires_date: stored.expires_at,
    files:
      status === "ready"
        ? parts.map((file) => {
            const { kind, part, records, bytes, sha256 } = file;
            return { kind, part, records, bytes, sha256, ...linkOf(file) };
          })
        : [],
    manifest: isComplete
      ? progress.map(({ kind, records, digest, end_cursor: cursor, data_as_of }) => {
          return { kind, records, digest, cursor, data_as_of };
        })
      : [],
  };
}

const sumOf = (progress: readonly StoredKind[], field: "records" | "total"): number =>
  progress.reduce((sum, one) => sum + one[field], 0);
