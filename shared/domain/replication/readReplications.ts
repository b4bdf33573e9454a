import { notFound } from "../../api/errors.ts";
import { kindsByName } from "../../api/kinds.ts";
import type { Replication } from "../../api/schemas/replication.ts";
import { itemId, type Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { recordList } from "../../store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../store/orderedList/dayIndex.ts";
import { countRecords, selectDays } from "../../store/orderedList/planPage.ts";
import { emptyDigest, formatDigest } from "../../store/recordDigest.ts";
import type { Intervals } from "./replicationIntervals.ts";
import type { Counts, ReplicationState } from "./replicationState.ts";
import {
  determineReplicationState,
  errorOf,
  findNextRunDate,
  isRunning,
  type ReplicationStatus,
  readingTimes,
  replicationStatusKeys,
  replicationStatusOf,
} from "./replicationStatus.ts";

const kinds = Object.entries(kindsByName) as [Replication["kind"], (typeof kindsByName)[Replication["kind"]]][];

/**
 * Reads the replication status of each kind of a CRB's records (docs/spec.md#replication-status). All reads are consistent and
 * concurrent.
 *
 * @param intervals the replication intervals of the stage
 * @throws ServiceError "notFound" if the CRB does not exist; "unavailable" if a list changes during every attempt to count it
 */
export async function readReplications(
  table: Table,
  crbId: string,
  intervals: Intervals,
  now: Date = table.clock.now(),
): Promise<Replication[]> {
  const keys = [crbKey(crbId), ...kinds.flatMap(([, kind]) => replicationStatusKeys(crbId, kind))];
  const [items, contents] = await Promise.all([
    table.batchGet(keys, { consistent: true }),
    Promise.all(kinds.map(([, kind]) => readContents(table, crbId, kind))),
  ]);
  const item = items.get(itemId(crbKey(crbId)));
  if (!item) throw notFound("CRB");
  const crb = toCrb(item);
  return kinds.map(([name, kind], i) =>
    replicationOf(name, crb, replicationStatusOf(items, crbId, kind), contents[i] ?? noContents, intervals, now),
  );
}

type Contents = Pick<Replication, "records" | "digest">;

const noContents: Contents = { records: 0, digest: formatDigest(emptyDigest) };

/** The number of a list's records and their digest, both of one state of the list. */
async function readContents(table: Table, crbId: string, kind: ReplicationStatus["kind"]): Promise<Contents> {
  const dayIndexes = await loadDayIndexes(table, recordList(crbId, kind).orders.rank);
  const newest = dayIndexes.at(-1);
  if (!newest) return noContents;
  return {
    records: countRecords(selectDays(dayIndexes, {})),
    digest: newest.digest ? formatDigest(newest.digest) : null,
  };
}

/** Orders the fields. DynamoDB maps have no order, but an unchanged response must have the same bytes. */
const inOrder = ({ read, created, changed, unchanged, rejected }: Counts): Counts => ({
  read,
  created,
  changed,
  unchanged,
  rejected,
});

/** The result that waits for confirmation, as the API returns it; null if no result waits. */
export function confirmationOf(run: ReplicationState | undefined): Replication["awaiting_confirmation"] {
  return run?.unconfirmed ? { since_date: run.unconfirmed.since, records: run.unconfirmed.records } : null;
}

function replicationOf(
  kind: Replication["kind"],
  crb: Crb,
  status: ReplicationStatus,
  { records, digest }: Contents,
  intervals: Intervals,
  now: Date,
): Replication {
  const state = determineReplicationState(crb, status, intervals, now);
  // If the CRB has no connection, the stored state belongs to an ended connection and is not returned.
  const { state: run, rejected } = crb.connection ? status : { state: undefined, rejected: 0 };
  return {
    kind,
    state,
    ...readingTimes(crb, run),
    last_started_date: run?.started_at ?? null,
    last_succeeded_date: run?.succeeded_at ?? null,
    next_due_date: state === "paused" ? null : ((run || crb.connection) && findNextRunDate(status)) || null,
    progress: run && state !== "paused" && isRunning(run, now) ? { read: run.counts.read, total: run.total } : null,
    awaiting_confirmation: confirmationOf(run),
    records,
    digest,
    rejected_records: rejected,
    last_run: run?.succeeded_counts ? inOrder(run.succeeded_counts) : null,
    error: errorOf(run?.error),
  };
}
