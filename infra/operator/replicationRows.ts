import { type RecordKind, recordKinds } from "../../shared/kinds.ts";
import { isPaused } from "../../shared/onboarding/crbStatus.ts";
import { mostKept, type RejectedRecord, readRejected } from "../../shared/replication/rejectedRecords.ts";
import type { ReplicationState } from "../../shared/replication/replicationState.ts";
import { type Item, itemId, type Table } from "../../shared/table/client.ts";
import { type Crb, toCrb } from "../../shared/table/crb.ts";
import { crbKey, rejectedRecordsKey, replicationDueKey, replicationKey } from "../../shared/table/keys.ts";
import { readAllDue } from "../../shared/table/replicationDue.ts";
import { withEscapes } from "../../shared/text/invisible.ts";
import type { Rows } from "./watch.ts";

/** What there is to say of one kind of a CRB's records. */
interface Standing {
  kind: RecordKind;
  /** undefined before the first run */
  state: ReplicationState | undefined;
  /** when its turn comes, ISO 8601 UTC; undefined when nothing is planned */
  due: string | undefined;
  /** how many records are set aside now */
  aside: number;
}

/** How the replication of a CRB stands, a row for each of these kinds. */
export async function kindRows(table: Table, crbId: string, kinds: readonly RecordKind[]): Promise<Rows> {
  const keys = kinds.flatMap((kind) => [
    replicationKey(crbId, kind),
    replicationDueKey(crbId, kind),
    rejectedRecordsKey(crbId, kind),
  ]);
  const items = await table.batchGet(keys, { consistent: true });
  return {
    headings: [
      "kind",
      "state",
      "begun",
      "finished",
      "read",
      "new",
      "changed",
      "same",
      "rejected",
      "set aside",
      "position",
      "error",
      "failures",
      "next due",
    ],
    rows: kinds.map((kind) => kindRow(standingOf(items, crbId, kind))),
  };
}

function kindRow({ kind, state, due, aside }: Standing): string[] {
  if (!state) return [kind, "never", ...Array.from({ length: 11 }, () => "-"), time(due)];
  const { started_at, succeeded_at, counts, position, error, attempts } = state;
  const { read, created, changed, unchanged, rejected } = counts;
  return [
    kind,
    stateOf(state),
    time(started_at),
    time(succeeded_at),
    ...[read, created, changed, unchanged, rejected].map(String),
    asideText(aside),
    position === null ? "-" : shortened(position, 24),
    error ?? "-",
    String(attempts),
    time(nextOf(state, due)),
  ];
}

/** How the replication of every connected CRB stands, a row for each, the one that waits longest first. */
export async function crbRows(table: Table, now: Date): Promise<Rows> {
  const due = await readAllDue(table);
  const crbIds = [...new Set(due.map(({ crbId }) => crbId))];
  const [crbs, items] = await Promise.all([
    table.batchGet(crbIds.map(crbKey)),
    table.batchGet(due.flatMap(({ crbId, kind }) => [replicationKey(crbId, kind), rejectedRecordsKey(crbId, kind)])),
  ]);
  for (const one of due) {
    const key = replicationDueKey(one.crbId, one.kind);
    items.set(itemId(key), { ...key, rank: one.due });
  }
  const ages = [...crbs.values()].map((item) => {
    const crb = toCrb(item);
    const standings = recordKinds.map((kind) => standingOf(items, crb.record.id, kind));
    const oldest =
      standings.map(({ state }) => state?.succeeded_at ?? crb.connection?.connectedAt ?? "").sort()[0] ?? "";
    return { crb, standings, oldest };
  });
  return {
    headings: ["CRB_ID", "name", "POS", "POS status", "oldest", "failing", "set aside", "next due"],
    rows: ages
      .sort((a, b) => (a.oldest < b.oldest ? -1 : 1))
      .map(({ crb, standings, oldest }) => crbRow(crb, standings, oldest, now)),
  };
}

function crbRow({ record, connection }: Crb, standings: readonly Standing[], oldest: string, now: Date): string[] {
  const config = record.pos_configs.find(({ name }) => name === connection?.posType);
  const failing = standings.flatMap(({ kind, state }) => (state?.error ? [`${kind} (${state.error})`] : []));
  const aside = standings.reduce((sum, standing) => sum + standing.aside, 0);
  const next = standings.flatMap(({ state, due }) => nextOf(state, due) ?? []).sort()[0];
  return [
    record.id,
    shortened(record.name, 40),
    connection?.posType ?? "-",
    isPaused(record.status) ? "paused" : (config?.status ?? "-"),
    ago(oldest, now),
    failing.join(", ") || "-",
    asideText(aside),
    time(next),
  ];
}

/** What was set aside of a CRB's records, newest first in each kind. */
export async function rejectedRows(table: Table, crbId: string, kinds: readonly RecordKind[]): Promise<Rows> {
  const rows: string[][] = [];
  for (const kind of kinds) {
    for (const { pos_id, field, reason, at } of await readRejected(table, crbId, kind)) {
      rows.push([kind, shortened(pos_id, 60) || "-", shortened(field, 60) || "-", shortened(reason, 60), time(at)]);
    }
  }
  return { headings: ["kind", "POS id", "field", "reason", "last met"], rows };
}

function standingOf(items: ReadonlyMap<string, Item>, crbId: string, kind: RecordKind): Standing {
  const aside = items.get(itemId(rejectedRecordsKey(crbId, kind)))?.records as RejectedRecord[] | undefined;
  return {
    kind,
    state: items.get(itemId(replicationKey(crbId, kind))) as unknown as ReplicationState | undefined,
    due: items.get(itemId(replicationDueKey(crbId, kind)))?.rank as string | undefined,
    aside: aside?.length ?? 0,
  };
}

/** How the last run stands: one that was killed before its first page says nothing of itself any more. */
function stateOf({ held_until, error, position, started_at, succeeded_at }: ReplicationState): string {
  if (held_until > Date.now()) return "running";
  if (error) return "failed";
  if (position !== null) return "waiting";
  return succeeded_at && succeeded_at >= started_at ? "done" : "cut off";
}

/** No more are listed than are kept. */
function asideText(count: number): string {
  return count >= mostKept ? `${mostKept} or more` : String(count);
}

/** A pause after a failure ends in a turn. */
function nextOf(state: ReplicationState | undefined, due: string | undefined): string | undefined {
  const notBefore = state?.not_before ?? "";
  return due && notBefore > due ? notBefore : due;
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
