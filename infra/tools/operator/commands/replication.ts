import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Option } from "@commander-js/extra-typings";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { isUploaded } from "../../../../shared/api/pos/posTypes.ts";
import { requestRecheck } from "../../../../shared/domain/replication/recheckSales.ts";
import { requestReplication } from "../../../../shared/domain/replication/requestReplications.ts";
import { withReplicationLease } from "../../../../shared/domain/replication/withReplicationLease.ts";
import { isPaused } from "../../../../shared/domain/statuses/crbStatus.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { filesIn, functionEnvironment } from "../../../local/environment.ts";
import { FunctionHost } from "../../../local/functionHost.ts";
import { sqsEvent } from "../../../local/sqsEvent.ts";
import { crbArgument, instant, kindOf } from "../arguments.ts";
import { crbColumns, crbRows, kindColumns, kindRows, rejectedColumns, rejectedRows } from "../replicationRows.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, jsonOption, printList, tableLines } from "../table.ts";
import type { Target } from "../target.ts";
import { watch } from "../watch.ts";
import { crbOf, openCrbOf } from "./crbOf.ts";

const kindOption = () =>
  new Option("--kind <KIND>", `only this kind of records: ${recordKinds.join(", ")}; can be repeated`).argParser(
    (text: string, before: RecordKind[] | undefined): RecordKind[] => [...(before ?? []), kindOf(text)],
  );
const watchOption = () =>
  new Option("--watch", "repeats the output until Ctrl-C; in a pipe, prints each row that has changed").conflicts(
    "json",
  );

export const start: MakeCommand = (session) =>
  newProgram(
    "start",
    "Replicates a CRB now: in this process on the local stage, through the queue (REPLICATION_QUEUE_URL) on a deployed stage.",
  )
    .addArgument(crbArgument())
    .addOption(kindOption())
    .option("--full", "reads all records again, not only changed ones")
    .action(async (crbId, { kind, full }) => {
      const { target, print, screen } = session;
      const record = await replicatedCrb(target.table, crbId);
      const wanted = kindsOf(kind);
      if (!target.local) {
        target.provide("REPLICATION_QUEUE_URL");
        await requestReplication(crbId, wanted, { full });
        print(`Queued a replication of ${record.name}: ${wanted.join(", ")}; replication state shows its progress.`);
        return;
      }
      await runHere(target.local, crbId, wanted, full);
      const rows = await kindRows(target, crbId, wanted);
      // A kind is not done while another run works on it, or while it needs another run. State "late" counts as done:
      // with several kinds, the first kind may be late again when the run of the last kind ends.
      const isDone = (state: string) => ["current", "late"].includes(state);
      const undone = rows.filter(
        ({ state, progress, awaiting_confirmation }) => !isDone(state) || progress || awaiting_confirmation,
      );
      const reasonOf = ({ state, awaiting_confirmation }: (typeof rows)[number]) => {
        if (awaiting_confirmation) return "must be confirmed by another run";
        return isDone(state) ? "under way" : state;
      };
      const open = undone.map((row) => `${row.kind} (${reasonOf(row)})`);
      print(...(open.length > 0 ? [] : [`Replicated ${record.name}.`]), ...tableLines(screen, rows, kindColumns));
      if (open.length > 0) throw new StageError(`Not fully replicated for ${record.name}: ${open.join(", ")}.`);
    });

export const state: MakeCommand = (session) =>
  newProgram("state", "Shows the progress of the replication of a CRB, and when it continues.")
    .addArgument(crbArgument())
    .addOption(kindOption())
    .addOption(watchOption())
    .addOption(jsonOption())
    .action(async (crbId, { kind, ...how }) => {
      await crbOf(session.target.table, crbId);
      await show(session, kindColumns, () => kindRows(session.target, crbId, kindsOf(kind)), how);
    });

export const list: MakeCommand = (session) =>
  newProgram("list", "Shows the state of the replication of every connected CRB, the least current one first.")
    .addOption(watchOption())
    .addOption(jsonOption())
    .action((how) => show(session, crbColumns, () => crbRows(session.target, new Date()), how));

export const rejected: MakeCommand = (session) =>
  newProgram("rejected", "Lists the newest rejected records of a CRB's POS, with id, field and reason.")
    .addArgument(crbArgument())
    .addOption(kindOption())
    .addOption(jsonOption())
    .action(async (crbId, { kind, json }) => {
      const { table } = session.target;
      const { record } = await crbOf(table, crbId);
      const rows = await rejectedRows(table, crbId, kindsOf(kind));
      printList(session, rows, rejectedColumns, { json, none: `No record of ${record.name} is rejected.` });
    });

export const recheckSales: MakeCommand = (session) =>
  newProgram(
    "recheck-sales",
    "Makes the next runs check the stored sales of a CRB by the present rules again, newest day first.",
  )
    .addArgument(crbArgument())
    .requiredOption("--since <DAY>", "the oldest day of sale, yyyy-MM-dd", instant("--since", "start"))
    .action(async (crbId, { since }) => {
      const { table } = session.target;
      const record = await replicatedCrb(table, crbId);
      const day = since.toISOString().slice(0, 10);
      await withReplicationLease(table, crbId, "sale", systemClock, (lease) => requestRecheck(lease, day));
      session.print(
        `The next runs check the sales of ${record.name} since ${day} again, about a thousand in each; replication start runs one now.`,
      );
    });

/** The record of a CRB whose runs fetch records from a POS. */
async function replicatedCrb(table: Table, crbId: string) {
  const { record, connection } = await openCrbOf(table, crbId);
  if (!connection) throw new StageError(`${record.name} is not connected to a POS: connect it with pos connect.`);
  if (isUploaded(connection.posType)) {
    throw new StageError(`The records of ${record.name} come by upload: use upload instead.`);
  }
  if (isPaused(record.status)) {
    throw new StageError(`The association of ${record.name} is paused: run association resume first.`);
  }
  return record;
}

/** The kinds that an option names, in the order of all kinds; all kinds without the option. */
const kindsOf = (named: readonly RecordKind[] | undefined): readonly RecordKind[] =>
  named ? recordKinds.filter((kind) => named.includes(kind)) : recordKinds;

async function show<Row extends object>(
  session: Session,
  columns: Columns<Row>,
  read: () => Promise<readonly Row[]>,
  { watch: watched, json }: { watch?: true | undefined; json?: true | undefined },
): Promise<void> {
  if (watched) await watch(session.stdout, columns, read);
  else printList(session, await read(), columns, { json, none: "No CRB is connected to a POS." });
}

async function runHere(
  { data, endpoints }: NonNullable<Target["local"]>,
  crbId: string,
  wanted: readonly RecordKind[],
  full: true | undefined,
): Promise<void> {
  const host = new FunctionHost(
    functionEnvironment(data, endpoints),
    createWriteStream(filesIn(data).log, { flags: "a" }),
  );
  try {
    for (const kind of wanted) {
      const event = sqsEvent("replication", JSON.stringify({ crb_id: crbId, kinds: [kind], full }));
      await host.invoke("replication/worker", event, randomUUID());
    }
  } finally {
    await host.stop();
  }
}
