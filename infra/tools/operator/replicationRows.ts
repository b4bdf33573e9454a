import { replicationStates } from "../../../shared/api/enumerations.ts";
import { kindsByName, type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import type { Replication } from "../../../shared/api/schemas/replication.ts";
import { confirmationOf, readReplications } from "../../../shared/domain/replication/readReplications.ts";
import { type RejectedRecord, readRejected } from "../../../shared/domain/replication/rejectedRecords.ts";
import type { Intervals } from "../../../shared/domain/replication/replicationIntervals.ts";
import { noCounts, type ReplicationState } from "../../../shared/domain/replication/replicationState.ts";
import {
  determineReplicationState,
  errorOf,
  findNextRunDate,
  type ReplicationStatus,
  replicationStatusKeys,
  replicationStatusOf,
} from "../../../shared/domain/replication/replicationStatus.ts";
import { itemId, type Table } from "../../../shared/store/client.ts";
import { type Crb, toCrb } from "../../../shared/store/crb.ts";
import { crbKey } from "../../../shared/store/keys/crbs.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { readAllDue } from "../../../shared/store/replicationDue.ts";
import { stateCell } from "./stateStyles.ts";
import { type Columns, fields } from "./table.ts";
import type { Target } from "./target.ts";

/** The replication state of one kind of a CRB's records. */
export type KindRow = ReturnType<typeof kindRow>;

/** The replication state of a CRB (docs/spec.md#replication-status), a row for each of these kinds. */
export async function kindRows(
  { table, intervals }: Pick<Target, "table" | "intervals">,
  crbId: string,
  kinds: readonly RecordKind[],
): Promise<KindRow[]> {
  const [replications, items] = await Promise.all([
    readReplications(table, crbId, intervals),
    table.batchGet(
      kinds.map((kind) => replicationKey(crbId, kind)),
      { consistent: true },
    ),
  ]);
  return kinds.map((kind) => {
    const replication = replications.find((one) => kindsByName[one.kind] === kind) as Replication;
    return kindRow(kind, replication, items.get(itemId(replicationKey(crbId, kind))) as never);
  });
}

/** The status as the API returns it, and the counts of the current run. @param run undefined before the first run */
function kindRow(kind: RecordKind, replication: Replication, run: ReplicationState | undefined) {
  const { read, created, changed, unchanged, rejected, foreign, compared, mismatched } = run?.counts ?? noCounts;
  return {
    ...replication,
    kind,
    present_run: {
      ...{ read, created, changed, unchanged, rejected },
      foreign_rows: foreign ?? 0,
      compared_sums: compared ?? null,
      mismatched_sums: mismatched ?? null,
      position: run?.position ?? null,
    },
    failed_attempts: run?.attempts ?? 0,
  };
}

/** The most important columns come first: a narrow terminal omits the last ones. */
export const kindColumns: Columns<KindRow> = {
  kind: (row) => row.kind,
  state: (row) => stateCell(row.state),
  error: (row) => row.error && { style: "red", text: row.error },
  progress: ({ progress }) => progress && `${progress.read} of ${progress.total ?? "?"}`,
  unconfirmed: ({ awaiting_confirmation: waiting }) =>
    waiting && { style: "yellow", text: `${waiting.records} since ${time(waiting.since_date)}` },
  failures: (row) => row.failed_attempts,
  "rejected records": (row) => row.rejected_records,
  "as of": (row) => time(row.data_as_of),
  "next due": (row) => time(row.next_due_date),
  records: (row) => row.records,
  begun: (row) => time(row.last_started_date),
  finished: (row) => time(row.last_succeeded_date),
  read: (row) => row.present_run.read,
  new: (row) => row.present_run.created,
  changed: (row) => row.present_run.changed,
  same: (row) => row.present_run.unchanged,
  rejected: (row) => row.present_run.rejected,
  "of other stores": (row) => row.present_run.foreign_rows,
  "mismatched sums": ({ present_run: { compared_sums, mismatched_sums } }) =>
    compared_sums && `${mismatched_sums} of ${compared_sums}`,
  position: ({ present_run: { position } }) => position,
};

export type CrbRow = ReturnType<typeof crbRow>;

/** The replication state of every connected CRB, one row each, the longest-waiting one first. */
export async function crbRows({ table, intervals }: Pick<Target, "table" | "intervals">, now: Date): Promise<CrbRow[]> {
  const crbIds = (await readAllDue(table)).map(({ crbId }) => crbId);
  const [crbs, items] = await Promise.all([
    table.batchGet(crbIds.map(crbKey)),
    table.batchGet(crbIds.flatMap((id) => recordKinds.flatMap((kind) => replicationStatusKeys(id, kind)))),
  ]);
  const rows = [...crbs.values()].map((item) => {
    const crb = toCrb(item);
    const standings = recordKinds.map((kind) => replicationStatusOf(items, crb.record.id, kind));
    return crbRow(crb, standings, intervals, now);
  });
  return rows.sort((a, b) => (a.oldest_date < b.oldest_date ? -1 : 1));
}

function crbRow(crb: Crb, standings: readonly ReplicationStatus[], intervals: Intervals, now: Date) {
  const { record, connection } = crb;
  const states = new Set(standings.map((standing) => determineReplicationState(crb, standing, intervals, now)));
  const oldest = standings.map(({ state }) => state?.succeeded_at ?? connection?.connectedAt ?? "").sort()[0] ?? "";
  return {
    crb_id: record.id,
    name: record.name,
    pos_type: connection?.posType ?? null,
    pos_status: record.pos_configs.find(({ name }) => name === connection?.posType)?.status ?? null,
    oldest_date: oldest,
    oldest_seconds: Math.max(0, Math.round((now.getTime() - Date.parse(oldest)) / 1_000)) || 0,
    states: replicationStates.filter((state) => states.has(state)),
    failing: standings.flatMap(({ kind, state }) => (state?.error ? [{ kind, error: errorOf(state.error) }] : [])),
    awaiting_confirmation: standings.flatMap(({ kind, state }) => {
      const waiting = confirmationOf(state);
      return waiting ? [{ kind, ...waiting }] : [];
    }),
    rejected_records: standings.reduce((sum, { rejected }) => sum + rejected, 0),
    next_due_date: standings.flatMap((standing) => findNextRunDate(standing) ?? []).sort()[0] ?? null,
  };
}

export const crbColumns: Columns<CrbRow> = {
  ...fields("crb_id", "name"),
  states: (row) => stateCell(...row.states),
  oldest: (row) => age(row.oldest_seconds),
  failing: (row) => row.failing.map(({ kind, error }) => `${kind} (${error})`).join(", ") || null,
  unconfirmed: (row) => row.awaiting_confirmation.map(({ kind, records }) => `${kind} (${records})`).join(", ") || null,
  "POS status": (row) => stateCell(row.pos_status),
  "rejected records": (row) => row.rejected_records,
  "next due": (row) => time(row.next_due_date),
  POS: (row) => row.pos_type,
};

export type RejectedRow = RejectedRecord & { kind: RecordKind };

/** The rejected records of a CRB's POS, newest first in each kind. */
export async function rejectedRows(table: Table, crbId: string, kinds: readonly RecordKind[]): Promise<RejectedRow[]> {
  const rows: RejectedRow[] = [];
  for (const kind of kinds) {
    for (const { pos_id, field, reason, at } of await readRejected(table, crbId, kind)) {
      rows.push({ kind, pos_id, field, reason, at });
    }
  }
  return rows;
}

export const rejectedColumns: Columns<RejectedRow> = {
  kind: (row) => row.kind,
  "POS id": (row) => row.pos_id || null,
  field: (row) => row.field || null,
  reason: (row) => row.reason,
  "last seen": (row) => time(row.at),
};

/** An instant in whole seconds, so that a row fits into the terminal. */
function time(instant: string | null | undefined): string | null {
  return instant ? `${instant.slice(0, 19)}Z` : null;
}

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
