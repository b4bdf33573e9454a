import { type ReplicationError, replicationErrors } from "../../api/enumerations.ts";
import type { RecordKind } from "../../api/kinds.ts";
import { isUploaded, lacks } from "../../api/pos/posTypes.ts";
import type { Replication } from "../../api/schemas/replication.ts";
import { type Item, itemId } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import type { Key } from "../../store/keys/key.ts";
import { rejectedRecordsKey, replicationDueKey, replicationKey } from "../../store/keys/replication.ts";
import { isPaused } from "../statuses/crbStatus.ts";
import type { RejectedItem } from "./rejectedRecords.ts";
import type { Intervals } from "./replicationIntervals.ts";
import type { ReplicationState } from "./replicationState.ts";

/** The stored facts about the replication of one kind of a CRB's records. */
export interface ReplicationStatus {
  kind: RecordKind;
  /** undefined before the first run */
  state: ReplicationState | undefined;
  /** when the next run is due, ISO 8601 UTC; undefined if none is planned */
  due: string | undefined;
  /** number of rejected records */
  rejected: number;
}

/**
 * Records are late this many intervals after the last success. So records are not late after one failed run, while the next run
 * is in progress.
 */
const intervalsUntilLate = 3;

/** The keys of the items of a replication status. */
export const replicationStatusKeys = (crbId: string, kind: RecordKind): Key[] => [
  replicationKey(crbId, kind),
  replicationDueKey(crbId),
  rejectedRecordsKey(crbId, kind),
];

/** Builds the replication status of a kind from its items. */
export function replicationStatusOf(
  items: ReadonlyMap<string, Item>,
  crbId: string,
  kind: RecordKind,
): ReplicationStatus {
  const [state, due, rejected] = replicationStatusKeys(crbId, kind).map((key) => items.get(itemId(key)));
  return {
    kind,
    state: state as unknown as ReplicationState | undefined,
    due: due?.[kind] as string | undefined,
    rejected: (rejected as unknown as RejectedItem | undefined)?.count ?? 0,
  };
}

/** When the next run begins, ISO 8601 UTC: at the due time, but not before the end of the pause after a failure. */
export function findNextRunDate({ state, due }: ReplicationStatus): string | undefined {
  const notBefore = state?.not_before ?? "";
  return due && notBefore > due ? notBefore : due;
}

/**
 * The state of a kind: the first state in the table of docs/spec.md#replication-status whose condition is met.
 *
 * @param crb the CRB that the records belong to
 */
export function determineReplicationState(
  { record, connection }: Crb,
  { kind, state }: ReplicationStatus,
  intervals: Intervals,
  now: Date,
): Replication["state"] {
  if (!connection) return "not_connected";
  if (lacks(connection.posType, kind)) return "not_available";
  if (isUploaded(connection.posType)) return "manual";
  if (isPaused(record.status)) return "paused";
  if (state?.error) return "failing";
  if (!state?.started_at) return "waiting";
  if (!state.first_succeeded_at) return "initial";
  const age = now.getTime() - Date.parse(state.succeeded_at ?? "");
  return age > intervalsUntilLate * intervals[kind] * 1_000 ? "late" : "current";
}

/**
 * Whether a run has begun, but neither finished nor failed, and either a worker has the lease or a message will continue the
 * run.
 */
export function isRunning({ started_at, succeeded_from, held_until, position, error }: ReplicationState, now: Date) {
  if (!started_at || started_at === succeeded_from) return false;
  return held_until > now.getTime() || (position !== null && !error);
}

/**
 * How far the present connection has read its POS. Both times are null without a connection, because the stored state
 * belongs to an ended connection. They are null for uploads, because the service does not know when the records were
 * exported from the POS.
 */
export function readingTimes(
  { connection }: Crb,
  state: ReplicationState | undefined,
): Pick<Replication, "data_as_of" | "initial_sync_completed_date"> {
  const reading = connection && !isUploaded(connection.posType) ? state : undefined;
  return { data_as_of: reading?.data_as_of || null, initial_sync_completed_date: reading?.first_succeeded_at || null };
}

/** Converts the stored code of a failure to the error of docs/spec.md#replication-status. */
export function errorOf(code: string | null | undefined): ReplicationError | null {
  if (!code) return null;
  const word = code.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return replicationErrors.find((each) => each === word) ?? "unexpected";
}
