import { Argument } from "@commander-js/extra-typings";
import {
  type ListKind,
  listKinds,
  type RebuildListsOptions,
  rebuildLists,
} from "../../../../shared/domain/replication/rebuildLists.ts";
import { hasDifferences } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import { StageError } from "../../../cli/stageError.ts";
import { kindAmong, RecordArgument } from "../arguments.ts";
import { allLists, type FailedOwner, type OwnedList, ownedLists } from "../listRun.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, fields, jsonOption, printList } from "../table.ts";
import { crbOf } from "./crbOf.ts";

const optionalCrb = () => RecordArgument.orAll("crb");
const optionalKind = () =>
  new Argument("[KIND]", `only these lists: ${listKinds.join(", ")}`).argParser(
    (text): ListKind => kindAmong(text, listKinds),
  );

export const check: MakeCommand = (session) =>
  newProgram("check", "Compares lists with their records, and exits with status 1 if one differs.")
    .addArgument(optionalCrb())
    .addArgument(optionalKind())
    .addOption(jsonOption())
    .action(async (crbId, kind, { json }) => {
      const { total, different, failed } = await report(session, crbId, kind, { isCheck: true });
      printList(session, different, columns, { json, none: `${total} lists agree with their records.` });
      if (failed.length > 0) throw notAll(failed);
      if (different.length > 0) {
        throw new StageError(`${different.length} of ${total} lists differ from their records: run lists rebuild.`);
      }
    });

export const rebuild: MakeCommand = (session) =>
  newProgram(
    "rebuild",
    "Rebuilds lists from their records, after a restore, a manual change, a new filter, or a release that adds totals or digests. Continues an interrupted rebuild of all lists.",
  )
    .addArgument(optionalCrb())
    .addArgument(optionalKind())
    .option("--keep-watermark", "the next replication continues where the last one ended; default: it reads everything")
    .option("--from-start", "begins again instead of continuing an interrupted rebuild of all lists")
    .addOption(jsonOption())
    .action(async (crbId, kind, { keepWatermark, fromStart, json }) => {
      const whose = crbId === "all" ? "all CRBs" : (await crbOf(session.target.table, crbId)).record.name;
      await session.confirm(`Rebuild the lists of ${whose}? Callers that follow changes must begin again.`);
      const options = { keepsWatermark: keepWatermark ?? false };
      const { total, different, failed } = await report(session, crbId, kind, options, fromStart);
      const none = `Rebuilt ${total} lists. None differed from its records.`;
      printList(session, different, columns, { json, none });
      if (failed.length > 0) throw notAll(failed);
    });

async function report(
  { target: { table }, stdout }: Session,
  crbId: string,
  kind: ListKind | undefined,
  options: RebuildListsOptions,
  isFromStart = false,
): Promise<{ total: number; different: Row[]; failed: FailedOwner[] }> {
  if (crbId !== "all") await crbOf(table, crbId);
  const state = { done: 0, total: 0, unit: "owners", records: 0, list: "…" };
  using bar = startProgressBar(stdout, { ...state, text: "…" });
  const show = (change: Partial<typeof state>) => {
    Object.assign(state, change);
    const { done, total: all, unit, records, list } = state;
    bar.show({ ...state, text: `${done} of ${all} ${unit}, ${records} records read, now ${list}` });
  };
  const onProgress = (list: string, count: number) => show({ list, records: state.records + count });
  const onOwners = (done: number, all: number) => show({ done, total: all });
  const reporting = { ...options, ...(kind && { kinds: [kind] }), onProgress };
  async function* listsOfCrb() {
    const kinds = kind ? [kind] : listKinds;
    for (const [done, one] of kinds.entries()) {
      show({ done, total: kinds.length, unit: "kinds" });
      yield* rebuildLists(table, crbId, { ...reporting, kinds: [one] });
    }
    show({ done: kinds.length });
  }
  const different: Row[] = [];
  let total = 0;
  const failed: FailedOwner[] = [];
  const reports = crbId === "all" ? allLists(table, reporting, isFromStart, onOwners) : ownedLists(crbId, listsOfCrb());
  for await (const one of reports) {
    if ("reason" in one) failed.push(one);
    else {
      total++;
      if (hasDifferences(one)) different.push(rowOf(one));
    }
  }
  return { total, different, failed };
}

const notAll = (failed: readonly FailedOwner[]) =>
  new StageError(`Some lists were not read: ${failed.map(({ owner, reason }) => `${owner}: ${reason}`).join("; ")}.`);

/** A row per list. Scripts may rely on the field names. */
const rowOf = ({ owner, list, size, differences }: OwnedList) => ({
  owner_id: owner,
  list,
  records: size,
  stale_records: differences.records,
  wrong_positions: differences.positions,
  wrong_counts: differences.counts,
  wrong_entries: differences.entries,
  wrong_sales_days: differences.salesDays,
  wrong_digests: differences.digests,
  damaged_records: differences.damaged,
});

type Row = ReturnType<typeof rowOf>;

const columns: Columns<Row> = {
  owner: (row) => row.owner_id,
  ...fields("list", "records"),
  differences: ({ owner_id: _owner, list: _list, records: _records, ...differences }) =>
    Object.entries(differences)
      .flatMap(([name, count]) => (count > 0 ? [`${count} ${name.replaceAll("_", " ")}`] : []))
      .join(", "),
};
