import { purgeNoted } from "../../../shared/onboarding/journaled.ts";
import type { PurgeResult } from "../../../shared/onboarding/purge/purgeCrb.ts";
import type { Crb } from "../../../shared/table/crb.ts";
import { endedCrbs } from "../../../shared/table/endedCrbs.ts";
import { StageError } from "../../local/stageError.ts";
import { dayOf, daysLater, heldByBackups } from "../certificate.ts";
import type { Command, Session } from "../command.ts";
import { startCountBar } from "../countBar.ts";
import { columns, facts } from "../terminal.ts";
import { crbOf } from "./crbOf.ts";

export const due: Command = {
  name: "crb due",
  parameters: [],
  options: { all: { meaning: "also those whose association has ended and that are not due yet" } },
  summary: "Lists the CRBs that are due to be purged, the one that ended first at the top.",
  async run({ target: { table, retentionDays }, print }, _parameters, { all }) {
    const now = new Date();
    const found = await endedCrbs(table, all ? now : daysLater(now, -retentionDays));
    if (found.length === 0) {
      print(all ? "No association has ended." : "Nothing is due.");
      return;
    }
    const rows = found.map(({ crbId, endedAt, crb }) => [
      crbId,
      endedAt,
      dayOf(daysLater(new Date(endedAt), retentionDays)),
      crb?.purgeBeganAt ?? "-",
      crb?.record.name ?? "-",
    ]);
    print(...columns(["crb_id", "ended", "due", "purge begun", "name"], rows));
  },
};

export const purge: Command = {
  name: "crb purge",
  parameters: ["CRB_ID"],
  summary: "Removes all that is stored of a CRB whose association has ended.",
  async run(session, [crbId = ""]) {
    const { target, confirm, print, stdout } = session;
    const crb = await crbOf(target.table, crbId);
    const bucket = target.documents();
    if (crb.endedAt) await confirm(questionOf(session, crb, new Date(crb.endedAt)));
    const removed = new Map<string, number>();
    const bar = startCountBar(stdout);
    let result: PurgeResult | undefined;
    try {
      result = await purgeNoted({ table: target.table, bucket }, crbId, {
        removed: (what, count) => {
          removed.set(what, (removed.get(what) ?? 0) + count);
          bar.add(what, count);
        },
      });
    } finally {
      bar.stop();
    }
    if (!result) throw new StageError(`There is no CRB ${crbId}.`);
    if (result.outcome !== "purged") throw new StageError(refusalOf(crb, result));
    print(...certificateOf(session, crb, result, removed));
  },
};

function questionOf({ target }: Session, { record }: Crb, endedAt: Date): string {
  const due = daysLater(endedAt, target.retentionDays);
  const all = `Purge all that is stored of ${record.name}, for good?`;
  return due > new Date() ? `It is not due before ${dayOf(due)}. ${all}` : all;
}

function refusalOf({ record, serviceProviderId }: Crb, result: Exclude<PurgeResult, { outcome: "purged" }>): string {
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
      events: "keep the id until they expire, 30 days after they were stored",
      POS: "has its own data, which stays",
    }),
    "What an earlier call removed that was cut off is not among these numbers.",
  ];
}
