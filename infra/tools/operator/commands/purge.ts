import { purgeCrbJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import type { PurgeResult } from "../../../../shared/domain/crbs/purge/purgeCrb.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { endedAssociations } from "../../../../shared/store/endedAssociations.ts";
import { newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import { StageError } from "../../../cli/stageError.ts";
import { crbArgument } from "../arguments.ts";
import { dayOf, daysLater, heldByBackups } from "../certificate.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, jsonOption, printList } from "../table.ts";
import { facts } from "../terminal.ts";
import { crbOf, noCrb } from "./crbOf.ts";

export const due: MakeCommand = (session) =>
  newProgram("due", "Lists the CRBs that are due for a purge, the one whose association ended first at the top.")
    .option("--all", "also CRBs whose association has ended and that are not due yet")
    .addOption(jsonOption())
    .action(async ({ all, json }) => {
      const { table, retentionDays } = session.target;
      const now = new Date();
      const found = await endedAssociations(table, all ? now : daysLater(now, -retentionDays));
      const rows = found.map((ended) => dueRow(ended, retentionDays));
      printList(session, rows, dueColumns, { json, none: all ? "No association has ended." : "Nothing is due." });
    });

const dueRow = (
  { crbId, endedAt, crb }: Awaited<ReturnType<typeof endedAssociations>>[number],
  retentionDays: number,
) => ({
  crb_id: crbId,
  ended_date: endedAt,
  due_date: dayOf(daysLater(new Date(endedAt), retentionDays)),
  purge_began_date: crb?.purgeBeganAt ?? null,
  name: crb?.record.name ?? null,
});

const dueColumns: Columns<ReturnType<typeof dueRow>> = {
  crb_id: (row) => row.crb_id,
  ended: (row) => row.ended_date,
  due: (row) => row.due_date,
  "purge begun": (row) => row.purge_began_date,
  name: (row) => row.name,
};

export const purge: MakeCommand = (session) =>
  newProgram("purge", "Removes all stored data of a CRB whose association has ended.")
    .addArgument(crbArgument())
    .action(async (crbId) => {
      const { target, confirm, print, stdout } = session;
      const crb = await crbOf(target.table, crbId);
      const bucket = target.documents();
      if (crb.endedAt) await confirm(questionOf(session, crb, new Date(crb.endedAt)));
      const removed = new Map<string, number>();
      const progress = (what: string) => {
        const count = [...removed.values()].reduce((sum, each) => sum + each, 0);
        // The number of all items is unknown, since they are removed as they are found.
        return { done: 0, total: 0, text: `${count} items removed, total unknown; now ${what}` };
      };
      using bar = startProgressBar(stdout, progress("…"));
      const result = await purgeCrbJournaled({ table: target.table, bucket }, crbId, {
        removed: (what, count) => {
          removed.set(what, (removed.get(what) ?? 0) + count);
          bar.show(progress(what));
        },
      });
      bar.stop();
      if (!result) throw noCrb(crbId);
      if (result.outcome !== "purged") throw new StageError(rejectionOf(crb, result));
      print(...certificateOf(session, crb, result, removed));
    });

function questionOf({ target }: Session, { record }: Crb, endedAt: Date): string {
  const due = daysLater(endedAt, target.retentionDays);
  const all = `Purge all stored data of ${record.name}? This cannot be undone.`;
  return due > new Date() ? `The purge is not due before ${dayOf(due)}. ${all}` : all;
}

function rejectionOf({ record, serviceProviderId }: Crb, result: Exclude<PurgeResult, { outcome: "purged" }>): string {
  switch (result.outcome) {
    case "associated":
      return `${record.name} is associated with service provider ${serviceProviderId}: run association end first.`;
    case "unknown":
      return `The end of the association of ${record.name} is not stored: run association end first.`;
    case "early":
      return `The association of ${record.name} has just ended and requests may still be running: purge it after ${result.until.toISOString()}.`;
  }
}

function certificateOf(
  { target }: Session,
  { record }: Crb,
  { endedAt, beganAt }: Extract<PurgeResult, { outcome: "purged" }>,
  removed: ReadonlyMap<string, number>,
) {
  const now = new Date();
  return [
    `Purged CRB ${record.id}, ${record.name}.`,
    ...facts({
      at: now.toISOString(),
      begun: beganAt.toISOString(),
      "association ended": endedAt.toISOString(),
      from: `table ${target.table.name}, bucket ${target.documents().name}`,
      ...Object.fromEntries([...removed].filter(([, count]) => count > 0)),
      ...heldByBackups(target, now),
      files: "no object version is left",
      journal: "keeps the ids of the CRB and its service provider",
      table: "keeps a digest of the CRB's id, so that no other CRB gets the same id",
      events: "keep the id until they expire, 30 days after they were stored",
      deliveries: "keep the id until 30 days after the attempt; up to 60 days after the event if it was replayed",
      POS: "keeps its own data",
    }),
    "These numbers do not include items that an earlier, interrupted purge removed.",
  ];
}
