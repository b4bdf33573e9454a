import { purgeCrbJournaled } from "../../../../shared/domain/crbs/journaledCrbChanges.ts";
import type { PurgeResult } from "../../../../shared/domain/crbs/purge/purgeCrb.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { endedAssociations } from "../../../../shared/store/endedAssociations.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { crbArgument } from "../arguments.ts";
import { dayOf, daysLater, heldByBackups } from "../certificate.ts";
import { startCountBar } from "../countBar.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, jsonOption, printList } from "../table.ts";
import { facts } from "../terminal.ts";
import { crbOf, noCrb } from "./crbOf.ts";

export const due: MakeCommand = (session) =>
  newProgram("due", "Lists the CRBs that are due to be purged, earliest end first.")
    .option("--all", "also those whose association has ended and that are not due yet")
    .addOption(jsonOption())
    .action(async ({ all, json }) => {
      const { table, retentionDays } = session.target;
      const now = new Date();
      const found = await endedAssociations(table, all ? now : daysLater(now, -retentionDays));
      const rows = found.map(({ crbId, endedAt, crb }) => ({
        crb_id: crbId,
        ended_date: endedAt,
        due_date: dayOf(daysLater(new Date(endedAt), retentionDays)),
        purge_began_date: crb?.purgeBeganAt ?? null,
        name: crb?.record.name ?? null,
      }));
      printList(session, rows, dueColumns, { json, none: all ? "No association has ended." : "Nothing is due." });
    });

const dueColumns: Columns<{
  crb_id: string;
  ended_date: string;
  due_date: string;
  purge_began_date: string | null;
  name: string | null;
}> = {
  crb_id: (row) => row.crb_id,
  ended: (row) => row.ended_date,
  due: (row) => row.due_date,
  "purge begun": (row) => row.purge_began_date,
  name: (row) => row.name,
};

export const purge: MakeCommand = (session) =>
  newProgram("purge", "Removes all that is stored of a CRB whose association has ended.")
    .addArgument(crbArgument())
    .action(async (crbId) => {
      const { target, confirm, print, stdout } = session;
      const crb = await crbOf(target.table, crbId);
      const bucket = target.documents();
      if (crb.endedAt) await confirm(questionOf(session, crb, new Date(crb.endedAt)));
      const removed = new Map<string, number>();
      const bar = startCountBar(stdout, "removed");
      let result: PurgeResult | undefined;
      try {
        result = await purgeCrbJournaled({ table: target.table, bucket }, crbId, {
          removed: (what, count) => {
            removed.set(what, (removed.get(what) ?? 0) + count);
            bar.add(what, count);
          },
        });
      } finally {
        bar.stop();
      }
      if (!result) throw noCrb(crbId);
      if (result.outcome !== "purged") throw new StageError(rejectionOf(crb, result));
      print(...certificateOf(session, crb, result, removed));
    });

function questionOf({ target }: Session, { record }: Crb, endedAt: Date): string {
  const due = daysLater(endedAt, target.retentionDays);
  const all = `Purge all that is stored of ${record.name}, for good?`;
  return due > new Date() ? `It is not due before ${dayOf(due)}. ${all}` : all;
}

function rejectionOf({ record, serviceProviderId }: Crb, result: Exclude<PurgeResult, { outcome: "purged" }>): string {
  switch (result.outcome) {
    case "associated":
      return `${record.name} is associated with service provider ${serviceProviderId}: association end comes first.`;
    case "unknown":
      return `When the association of ${record.name} ended is not stored: association end stores it.`;
    case "early":
      return `The association of ${record.name} has just ended: purge it from ${result.until.toISOString()} on, when nothing is under way any more.`;
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
      backups: heldByBackups(target, now),
      files: "no version is left",
      journal: "keeps the ids of the CRB and its service provider",
      table: "keeps a digest of the CRB's id, so that no other CRB gets it",
      events: "keep the id until they expire, 30 days after they were stored",
      deliveries: "keep it as long after they were tried: up to 60 days, where an event was replayed",
      POS: "has its own data, which stays",
    }),
    "What an earlier call removed that was cut off is not among these numbers.",
  ];
}
