import { beginRestoration, readClosed } from "../../../../shared/domain/restoration/beginRestoration.ts";
import { estimateEnd } from "../../../../shared/domain/restoration/estimateEnd.ts";
import { requestRestorations } from "../../../../shared/domain/restoration/restorationMessage.ts";
import { restoreCrb } from "../../../../shared/domain/restoration/restoreCrb.ts";
import { readRestoration } from "../../../../shared/store/restoration.ts";
import { newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import { StageError } from "../../../cli/stageError.ts";
import { RecordArgument } from "../arguments.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, fields, jsonOption, printList } from "../table.ts";
import { crbOf } from "./crbOf.ts";

/** Milliseconds for which no worker restores a CRB that this program restores. */
const heldMs = 60 * 60_000;

export const restore: MakeCommand = (session) =>
  newProgram(
    "restore",
    "Closes all CRBs of a restored table to callers. Run it again after the replay of the journal: then it requests the restoration of the closed CRBs from the workers, through the queue (RESTORATION_QUEUE_URL), and each CRB opens when its lists are right. With a CRB, restores this closed one here, without a limit of time. Can be repeated.",
  )
    .addArgument(RecordArgument.orAll("crb"))
    .action(async (crbId) => {
      const { target, confirm, print } = session;
      const { table } = target;
      target.provide("RESTORATION_QUEUE_URL");
      if (crbId !== "all") return restoreHere(session, crbId);
      const present = await readRestoration(table);
      if (!present?.prepared_at)
        await confirm(`Close all CRBs of table ${table.name} to callers until their lists are rebuilt?`);
      const restoration = await withProgress(session, (show) => beginRestoration(table, show));
      const closed = (await readClosed(table)).flatMap(({ crbs }) => crbs.map(({ crbId: id }) => id));
      if (!restoration.replayed_at) {
        print(`Closed ${closed.length} CRBs, and rebuilt the lists of service providers. Now run journal replay.`);
        return;
      }
      await requestRestorations(closed);
      print(`Requested the restoration of ${closed.length} closed CRBs; lists progress shows how far it is.`);
    });

async function restoreHere(session: Session, crbId: string): Promise<void> {
  const { target, print } = session;
  const { record } = await crbOf(target.table, crbId);
  const options = { heldUntil: new Date(Date.now() + heldMs) };
  const { outcome } = await withProgress(session, (show) =>
    restoreCrb(target.table, crbId, { ...options, onProgress: (list) => show(`reads ${list}`) }),
  ).catch(() => {
    throw new StageError(`${record.name} stays closed: lists progress shows the reason.`);
  });
  if (outcome === "waits") throw new StageError("No CRB opens before the journal is replayed: run journal replay.");
  if (outcome === "held") throw new StageError(`A worker restores ${record.name} now: lists progress shows it.`);
  print(outcome === "opened" ? `Restored and opened ${record.name}.` : `${record.name} is not closed.`);
}

async function withProgress<Result>(
  { stdout }: Session,
  work: (show: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  using bar = startProgressBar(stdout, { done: 0, total: 0, text: "…" });
  return await work((text) => bar.show({ done: 0, total: 0, text }));
}

export const progress: MakeCommand = (session) =>
  newProgram(
    "progress",
    "Shows how many CRBs of a restored table are open, closed or failed, when all will be open, and why CRBs failed. Exits with status 1 while CRBs are closed.",
  )
    .addOption(jsonOption())
    .action(async ({ json }) => {
      const { target, print } = session;
      const restoration = await readRestoration(target.table);
      if (!restoration) throw new StageError(`Table ${target.table.name} was not restored: lists restore begins.`);
      const [now, closed] = [new Date(), await readClosed(target.table)];
      const rows = closed.flatMap(({ spId, crbs }) => crbs.map((crb) => ({ sp_id: spId, ...rowOf(crb, now) })));
      const failed = rows.filter(({ state }) => state === "failed");
      const running = rows.filter(({ state }) => state === "running").length;
      const open = restoration.crbs - rows.length;
      if (!json) {
        print(`Open: ${open} of ${restoration.crbs} CRBs. Closed: ${rows.length}, of them ${running} running.`);
        const end = estimateEnd(restoration, { open, left: rows.length }, now);
        if (rows.length > 0) print(`Estimated end: ${end?.toISOString() ?? "unknown, since no CRB is open yet"}.`);
        if (!restoration.replayed_at) print("No CRB opens before the journal is replayed: run journal replay.");
      }
      printList(session, json ? rows : failed, columns, { json, none: "No CRB failed." });
      if (rows.length > 0) throw new StageError(`${rows.length} CRBs are closed, ${failed.length} failed.`);
    });

type Progress = Awaited<ReturnType<typeof readClosed>>[number]["crbs"][number];

/** A row per closed CRB. Scripts may rely on the field names. */
const rowOf = ({ crbId, step, attempts, held_until, error, failed_at }: Progress, now: Date) => {
  // A worker whose time is over was killed.
  const isKilled = held_until > 0 && held_until < now.getTime();
  const isRunning = held_until >= now.getTime();
  const isFailed = !isRunning && (error !== null || isKilled);
  return {
    crb_id: crbId,
    state: isRunning ? "running" : isFailed ? "failed" : "waiting",
    completed_steps: step,
    attempts,
    reason: isFailed ? (error ?? "the worker was stopped") : null,
    failed_date: isFailed ? (failed_at ?? null) : null,
  };
};

const columns: Columns<ReturnType<typeof rowOf> & { sp_id: string }> = {
  ...fields("crb_id", "state", "attempts", "reason"),
  failed: (row) => row.failed_date,
};
