import { applyExport, findExportsSince } from "../../../../shared/domain/copies/applyChanges.ts";
import type { ExportBucket } from "../../../../shared/domain/copies/findExports.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import { instant } from "../arguments.ts";
import type { MakeCommand } from "../session.ts";

export const applyCopies: MakeCommand = (session) =>
  newProgram(
    "apply",
    "Applies the exported changes of a lost table to a table that was restored from an older copy. Continues up to the first hour without an export.",
  )
    .requiredOption(
      "--since <TIME>",
      "the time of the restored copy, such as 2026-11-21T07:00:00Z",
      instant("--since", "start"),
    )
    .requiredOption("--from <TABLE>", "the name of the lost table")
    .requiredOption("--bucket <NAME>", "the bucket with the exports")
    .requiredOption("--table <NAME>", "the restored table, as a confirmation: TABLE_NAME must name it, too")
    .action(async ({ since, from, bucket: name, table: confirmed }) => {
      const { target, confirm, print } = session;
      const { table } = target;
      if (table.name !== confirmed) {
        throw new StageError(
          `--table is ${confirmed}, but TABLE_NAME is ${table.name}: both must name the restored table.`,
        );
      }
      if (table.name === from) throw new StageError("--from must be the lost table, not the restored one.");
      const bucket: ExportBucket = { s3: target.documents().client, bucket: name, tableName: from };
      const { exports, missing } = await findExportsSince(bucket, since);
      if (exports.length === 0) {
        throw new StageError(
          `${name} has no export of ${from} for the hour of ${since.toISOString()}: check --since, --from and --bucket.`,
        );
      }
      await confirm(`Overwrite items of ${table.name} with the changes of ${exports.length} hours?`);
      for (const [i, each] of exports.entries()) {
        const { put, deleted } = await applyExport(table, bucket, each);
        const count = `${i + 1} of ${exports.length} hours`;
        print(`${each.from.toISOString()}: ${put} items written, ${deleted} deleted (${count})`);
      }
      if (missing) {
        throw new StageError(
          `The hour of ${missing.toISOString()} has no export, so the changes after it were not applied. Export that hour from the lost table, or accept the loss.`,
        );
      }
    });
