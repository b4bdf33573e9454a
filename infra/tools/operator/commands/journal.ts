import { entriesToReplay, type ReplayResult, replayEntry } from "../../../../shared/domain/crbs/replayJournal.ts";
import { type JournalPlace, journalKinds } from "../../../../shared/domain/documents/journal.ts";
import { noteReplay } from "../../../../shared/domain/restoration/beginRestoration.ts";
import { readRestoration } from "../../../../shared/store/restoration.ts";
import { newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import type { Terminal } from "../../../cli/runProgram.ts";
import { StageError } from "../../../cli/stageError.ts";
import { instant } from "../arguments.ts";
import type { MakeCommand } from "../session.ts";
import { type Columns, tableLines } from "../table.ts";

export const replay: MakeCommand = (session) =>
  newProgram(
    "replay",
    "Repeats the removals that a restored table lacks: erased customers, revoked credentials, ended associations, withdrawn consent, purged CRBs, removed service providers, deleted webhook endpoints and replaced secrets.",
  )
    .option("--since <TIME>", "the time to which the table was restored, such as 2026-11-20T08:00:00Z")
    .action(async ({ since }) => {
      const restoredTo = instantOf(since);
      const { target, confirm, print, stdout, screen } = session;
      const stores = { table: target.table, bucket: target.documents() };
      const restoration = await readRestoration(stores.table);
      if (restoration && !restoration.prepared_at) {
        throw new StageError("The lists of service providers are not rebuilt yet: run lists restore again first.");
      }
      const places = await entriesToReplay(stores, restoredTo);
      if (places.length === 0) {
        await noteReplay(stores.table);
        print("The journal has no entry since the day before.");
        return;
      }
      const counts = journalKinds.map((kind) => `${kind} ${places.filter((place) => place.kind === kind).length}`);
      await confirm(`Repeat the removals in the journal since the day before (${counts.join(", ")})?`);
      // The replay seals a new secret in place of a lost one.
      target.provide("TABLE_NAME");
      const results = await replayAll(stores, places, stdout);
      const rows = results.filter(([, { outcome }]) => outcome !== "done");
      print(`Repeated: ${results.length - rows.length} of ${results.length}.`);
      if (rows.length > 0) print(...tableLines(screen, rows, columns));
      const failed = results.filter(([, { outcome }]) => outcome === "failed").length;
      if (failed > 0) throw new StageError(`${failed} failed: run the same command again.`);
      await noteReplay(stores.table);
    });

type Results = [JournalPlace, ReplayResult][];

async function replayAll(
  stores: Parameters<typeof replayEntry>[0],
  places: readonly JournalPlace[],
  stdout: Terminal["stdout"],
): Promise<Results> {
  const total = places.length;
  const progress = (done: number) => ({ done, total, text: `${done} of ${total} removals` });
  using bar = startProgressBar(stdout, progress(0));
  const results: Results = [];
  for (const place of places) {
    results.push([place, await replayEntry(stores, place)]);
    bar.show(progress(results.length));
  }
  return results;
}

const outcomes = { done: "done", absent: "not in the table", createdAnew: "created again since; not removed" } as const;

const columns: Columns<Results[number]> = {
  noted: ([{ at }]) => at,
  kind: ([{ kind }]) => kind,
  outcome: ([{ key }, result]) =>
    result.outcome === "failed" ? `failed: ${result.reason} (${key})` : outcomes[result.outcome],
};

/** @throws StageError if the text is not an instant with a time zone */
function instantOf(text = ""): Date {
  // A day is not exact enough.
  if (!text.includes("T"))
    throw new StageError("Add the time to which the table was restored: --since 2026-11-20T08:00:00Z.");
  return instant("--since", "start")(text);
}
