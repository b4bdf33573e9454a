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

/** What is known of the replication of one kind of a CRB's records. */
export interface ReplicationStatus {
  kind: RecordKind;
  /** undefined before the first run */
  state: ReplicationState | undefined;
  /** when its turn comes, ISO 8601 UTC; undefined when nothing is planned */
  due: string | undefined;
  /** how many records of the POS are rejected */
  rejected: number;
}

/** So many intervals after the last success records are late: one run may fail, and the next one take its time. */
const intervalsUntilLate = 3;

/** The items that tell how the replication of a kind stands. */
export const replicationStatusKeys = (crbId: string, kind: RecordKind): Key[] => [
  replicationKey(crbId, kind),
  replicationDueKey(crbId, kind),
  rejectedRecordsKey(crbId, kind),
];

/** How the replication of a kind stands, by its items. */
export function replicationStatusOf(
  items: ReadonlyMap<string, Item>,
  crbId: string,
  kind: RecordKind,
): ReplicationStatus {
  const [state, due, rejected] = replicationStatusKeys(crbId, kind).map((key) => items.get(itemId(key)));
  return {
    kind,
    state: state as unknown as ReplicationState | undefined,
    due: due?.rank as string | undefined,
    rejected: (rejected as unknown as RejectedItem | undefined)?.count ?? 0,
  };
}

/** When the next run begins, ISO 8601 UTC: a pause after a failure ends in a turn. */
export function findNextRunDate({ state, due }: ReplicationStatus): string | undefined {
  const notBefore = state?.not_before ?? "";
  return due && notBefore > due ? notBefore : due;
}

/**
 * The state of docs/spec.md#replication-status: the first that holds.
 *
 * @param crb whose records they are
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

/** Whether a run has begun, has neither finished nor failed, and will be gone on with by who is at it or is asked next. */
export function isRunning({ started_at, succeeded_from, held_until, position, error }: ReplicationState, now: Date) {
  if (!started_at || started_at === succeeded_from) return false;
  return held_until > now.getTime() || (position !== null && !error);
}

/** The word of docs/spec.md#replication-status for what stopped a run, by its code. */
export function errorOf(code: string | null | undefined): ReplicationError | null {
  if (!code) return null;
  const word = code.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return replicationErrors.find((each) => each === word) ?? "unexpected";
}
