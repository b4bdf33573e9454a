import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { Option } from "@commander-js/extra-typings";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { isUploaded } from "../../../../shared/api/pos/posTypes.ts";
import { connectUpload, takesUploads, uploadConnectionOf } from "../../../../shared/domain/crbs/connectUpload.ts";
import { isPaused } from "../../../../shared/domain/statuses/crbStatus.ts";
import { type AmountUnit, amountUnits } from "../../../../shared/pos/upload/amounts.ts";
import type { RowRejection } from "../../../../shared/pos/upload/uploadConnector.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { newProgram } from "../../../cli/program.ts";
import { StageError } from "../../../cli/stageError.ts";
import type { Line } from "../../../cli/terminalOutput.ts";
import { crbArgument, kindArgument } from "../arguments.ts";
import { asStageError } from "../asStageError.ts";
import { describeLinesAbove } from "../csvRows.ts";
import { startFileBar } from "../fileBar.ts";
import type { MakeCommand, Session } from "../session.ts";
import type { Target } from "../target.ts";
import type { UploadResult } from "../uploadFile.ts";
import { associatedCrbOf, crbOf } from "./crbOf.ts";

export const upload: MakeCommand = (session) =>
  newProgram("upload", "Uploads a file with records of a CRB whose POS cannot be read (docs/upload).")
    .addArgument(crbArgument())
    .addArgument(kindArgument())
    .argument("<FILE>", "a CSV or NDJSON file")
    .addOption(
      new Option(
        "--amounts <UNIT>",
        "unit of the amounts: dollars or cents; required if any amount looks like dollars",
      ).argParser(amountUnitOf),
    )
    .option("--complete", "the file has all inventory: the quantity of all other inventory becomes 0")
    .option("--report <FILE.csv>", "writes every rejected row to this file; default: shows the first ones")
    .addHelpText("after", "\nThe exit status is 1 if any row is rejected; the other rows are stored.")
    .action(async (crbId, kind, file, { complete = false, amounts, report: reportFile }) => {
      const { table } = session.target;
      if (complete && kind !== "inventory") throw new StageError("--complete works only for inventory.");
      const crb = await associatedCrbOf(table, crbId);
      await confirmUpload(session, crb, file, complete);
      provideServiceKey(session.target);
      // Imported late: hashing reads the service key on import, and other commands do not need it.
      const { uploadFile } = await import("../uploadFile.ts");
      const { movePosConfig } = await import("../../../../shared/domain/replication/movePosConfig.ts");
      const report = new RejectionReport(reportFile, file);
      const bar = startFileBar(file, session.stdout);
      const above: string[] = [];
      let result: UploadResult;
      try {
        result = await uploadFile(table, uploadConnectionOf(crb), kind, file, {
          complete,
          ...(amounts && { amounts }),
          before: () => (crb.connection ? undefined : asStageError(connectUpload(table, crbId))),
          isCurrent: () => takesUploads(table, crbId),
          refused: (rejections) => report.add(rejections),
          above: (texts) => above.push(...texts),
          progress: bar,
        });
      } finally {
        bar.stop();
        report.close();
      }
      await movePosConfig(table, await crbOf(table, crbId), "succeed", systemClock);
      session.print(...describeLinesAbove(above), ...report.lines, summaryOf(file, kind, crb, result));
      const { rejected, idsRepeated } = result;
      if (idsRepeated > 0) session.print(`Rows that replace an earlier row with the same id: ${idsRepeated}.`);
      if (complete && !result.isComplete) {
        session.print("No quantity was set to 0, because the file has rejected rows.");
      }
      const records = result.unconfirmed?.records ?? 0;
      if (records > 0) {
        session.print({
          style: "yellow",
          text: `No quantity was set to 0, because the file lacks most of the stock (${records} records). If they are really gone, upload the file again to confirm.`,
        });
      }
      if (rejected > 0) {
        const refused = rejected === 1 ? "1 row was" : `${rejected} rows were`;
        throw new StageError(`${refused} rejected. Correct the file and upload it again.`);
      }
    });

/** @throws StageError */
function amountUnitOf(text: string): AmountUnit {
  const unit = amountUnits.find((one) => one === text.toLowerCase());
  if (!unit) throw new StageError("`--amounts` must be `dollars` or `cents`.");
  return unit;
}

/**
 * @throws StageError if the association is paused, a POS provides the records, or the operator does not confirm an
 *   irreversible effect
 */
async function confirmUpload({ confirm }: Session, crb: Crb, file: string, complete: boolean): Promise<void> {
  const { connection } = crb;
  const { name, status } = crb.record;
  if (isPaused(status)) throw new StageError(`The association of ${name} is paused: run association resume first.`);
  if (connection && !isUploaded(connection.posType)) {
    throw new StageError(`The records of ${name} come from ${connection.posType}: they cannot be uploaded.`);
  }
  if (!connection) {
    await confirm(`From now on, ${name} can get records only from files; no POS can be connected afterward. Continue?`);
  }
  if (complete) await confirm(`Set the quantity to 0 for all inventory of ${name} that is not in ${file}?`);
}

/**
 * Sets the service key in process.env, from which functions read the key.
 *
 * @throws StageError if there is no key, or if the key belongs to another stage
 */
function provideServiceKey(target: Target): void {
  const { local } = target;
  const { SERVICE_KEY_SECRET: secret, SERVICE_KEY_FILE: file } = process.env;
  if (local && secret) throw new StageError("Unset SERVICE_KEY_SECRET: the local stage has its own service key.");
  if (local || !file) target.provide("SERVICE_KEY_SECRET");
}

function summaryOf(file: string, kind: RecordKind, { record }: Crb, result: UploadResult): Line {
  const { read, created, changed, unchanged, rejected } = result;
  const left = `${rejected} rejected`;
  const counts = `${read} read (${created} new, ${changed} changed, ${unchanged} unchanged)`;
  return [
    `${file}, ${kind} records of ${record.name}: ${counts}, `,
    rejected > 0 ? { style: "yellow", text: left } : left,
  ];
}

/** Maximum of rejections in the output. Further ones are only counted, or written to the report. */
const maxListed = 50;

/** The rejected rows of a file: the first ones as lines, and all of them in a CSV file if one is named. */
class RejectionReport {
  readonly #lines: string[] = [];
  readonly #file: number | undefined;
  #more = 0;

  /**
   * @param name of the CSV file, which is overwritten
   * @throws StageError if the CSV file cannot be written
   */
  constructor(name: string | undefined, source: string) {
    if (name === undefined) return;
    if (isSame(name, source)) throw new StageError(`The report would overwrite ${source}: choose another file.`);
    try {
      this.#file = openSync(name, "w");
    } catch (error) {
      throw new StageError(`Cannot write ${name}: ${(error as NodeJS.ErrnoException).code}.`);
    }
    writeSync(this.#file, "line,field,reason\n");
  }

  add(rejections: readonly RowRejection[]): void {
    for (const { line, field, reason } of rejections) {
      if (this.#lines.length < maxListed) this.#lines.push(`  line ${line}: ${field} ${reason}`.replace(":  ", ": "));
      else this.#more++;
    }
    // The service's own names and codes need no quotes.
    const rows = rejections.map(({ line, field, reason }) => `${line},${field},${reason}\n`);
    if (this.#file !== undefined) writeSync(this.#file, rows.join(""));
  }

  /** The output: one line per rejection. */
  get lines(): string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `  ... and ${this.#more} more`];
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}
