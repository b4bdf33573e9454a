import { replicationStates } from "../../shared/api/enumerations.ts";
import type { Replication } from "../../shared/api/schemas/replication.ts";
import { kindsByName, type RecordKind, recordKinds } from "../../shared/kinds.ts";
import type { Intervals } from "../../shared/replication/intervals.ts";
import { readReplications } from "../../shared/replication/readReplications.ts";
import { readRejected } from "../../shared/replication/rejectedRecords.ts";
import { noCounts, type ReplicationState } from "../../shared/replication/replicationState.ts";
import {
  errorOf,
  nextOf,
  type Standing,
  standingKeys,
  standingOf,
  stateOf,
} from "../../shared/replication/standing.ts";
import { itemId, type Table } from "../../shared/table/client.ts";
import { type Crb, toCrb } from "../../shared/table/crb.ts";
import { crbKey, replicationKey } from "../../shared/table/keys.ts";
import { readAllDue } from "../../shared/table/replicationDue.ts";
import { withEscapes } from "../../shared/text/invisible.ts";
import type { Target } from "./target.ts";
import type { Rows } from "./watch.ts";

/** How the replication of a CRB stands (contract 14.2), a row for each of these kinds. */
export async function kindRows(
  { table, intervals }: Pick<Target, "table" | "intervals">,
  crbId: string,
  kinds: readonly RecordKind[],
): Promise<Rows> {
  const [replications, items] = await Promise.all([
    readReplications(table, crbId, intervals),
    table.batchGet(
      kinds.map((kind) => replicationKey(crbId, kind)),
      { consistent: true },
    ),
  ]);
  return {
    headings: [
      "kind",
      "state",
      "progress",
      "as of",
      "begun",
      "finished",
      "read",
      "records",
      "new",
      "changed",
      "same",
      "rejected",
      "odd sums",
      "rejected now",
      "position",
      "error",
      "failures",
      "next due",
    ],
    rows: kinds.map((kind) => {
      const replication = replications.find((one) => kindsByName[one.kind] === kind) as Replication;
      return kindRow(kind, replication, items.get(itemId(replicationKey(crbId, kind))) as never);
    }),
  };
}

/** @param run undefined before the first */
function kindRow(kind: RecordKind, replication: Replication, run: ReplicationState | undefined): string[] {
  const { read, created, changed, unchanged, rejected, compared, odd } = run?.counts ?? noCounts;
  return [
    kind,
    replication.state,
    progressText(replication.progress),
    time(replication.data_as_of),
    time(replication.last_started_date),
    time(replication.last_succeeded_date),
    ...[read, replication.records, created, changed, unchanged, rejected].map(String),
    compared ? `${odd} of ${compared}` : "-",
    String(replication.rejected_records),
    run?.position == null ? "-" : shortened(run.position, 24),
    replication.error ?? "-",
    String(run?.attempts ?? 0),
    time(replication.next_due_date),
  ];
}

/** How the replication of every connected CRB stands, a row for each, the one that waits longest first. */
export async function crbRows({ table, intervals }: Pick<Target, "table" | "intervals">, now: Date): Promise<Rows> {
  const due = await readAllDue(table);
  const crbIds = [...new Set(due.map(({ crbId }) => crbId))];
  const [crbs, items] = await Promise.all([
    table.batchGet(crbIds.map(crbKey)),
    table.batchGet(due.flatMap(({ crbId, kind }) => standingKeys(crbId, kind))),
  ]);
  const ages = [...crbs.values()].map((item) => {
    const crb = toCrb(item);
    const standings = recordKinds.map((kind) => standingOf(items, crb.record.id, kind));
    const oldest =
      standings.map(({ state }) => state?.succeeded_at ?? crb.connection?.connectedAt ?? "").sort()[0] ?? "";
    return { crb, standings, oldest };
  });
  return {
    headings: ["CRB_ID", "name", "POS", "POS status", "oldest", "states", "failing", "rejected now", "next due"],
    rows: ages
      .sort((a, b) => (a.oldest < b.oldest ? -1 : 1))
      .map(({ crb, standings, oldest }) => crbRow(crb, standings, oldest, intervals, now)),
  };
}

function crbRow(crb: Crb, standings: readonly Standing[], oldest: string, intervals: Intervals, now: Date): string[] {
  const { record, connection } = crb;
  const config = record.pos_configs.find(({ name }) => name === connection?.posType);
  const states = new Set(standings.map((standing) => stateOf(crb, standing, intervals, now)));
  const failing = standings.flatMap(({ kind, state }) => (state?.error ? [`${kind} (${errorOf(state.error)})`] : []));
  const next = standings.flatMap((standing) => nextOf(standing) ?? []).sort()[0];
  return [
    record.id,
    shortened(record.name, 40),
    connection?.posType ?? "-",
    config?.status ?? "-",
    ago(oldest, now),
    replicationStates.filter((state) => states.has(state)).join(", "),
    failing.join(", ") || "-",
    String(standings.reduce((sum, { rejected }) => sum + rejected, 0)),
    time(next),
  ];
}

/** What was rejected of a CRB's records, newest first in each kind. */
export async function rejectedRows(table: Table, crbId: string, kinds: readonly RecordKind[]): Promise<Rows> {
  const rows: string[][] = [];
  for (const kind of kinds) {
    for (const { pos_id, field, reason, at } of await readRejected(table, crbId, kind)) {
      rows.push([kind, shortened(pos_id, 60) || "-", shortened(field, 60) || "-", shortened(reason, 60), time(at)]);
    }
  }
  return { headings: ["kind", "POS id", "field", "reason", "last met"], rows };
}

function progressText(progress: Replication["progress"]): string {
  return progress ? `${progress.read} of ${progress.total ?? "?"}` : "-";
}

/** To the second, as much as a row has room for. */
function time(instant: string | null | undefined): string {
  return instant ? `${instant.slice(0, 19)}Z` : "-";
}

function ago(instant: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(instant)) / 1_000));
  if (!(seconds >= 120)) return `${seconds || 0} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

/** A text of a POS that is no longer than a row has room for, as it is written. */
function shortened(text: string, most: number): string {
  const plain = withEscapes(text);
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
