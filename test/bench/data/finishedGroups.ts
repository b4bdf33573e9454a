import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Figure, Point } from "../bench.ts";
import { digestOf } from "./keptData.ts";

/** The code that determines figures: the benchmark with all its imports, and the programs that it runs. */
const measuringCode = [
  "../run.ts",
  "../memory/batchWorker.ts",
  "../memory/pageWorker.ts",
  "../memory/posWorker.ts",
  "../memory/replicationWorker.ts",
  "../memory/uploadWorker.ts",
];

/** The results of a group of figures. */
export interface Measured {
  figures: Figure[];
  points: Point[];
}

/**
 * Opens the file of finished groups. It returns, by name, the groups that earlier runs measured with the same code and number
 * of records, which an interrupted run need not repeat.
 * @param file gets each group once it is finished; groups of other code or another number of records are dropped
 */
export async function openFinishedGroups(file: string, records: number, code: readonly string[] = measuringCode) {
  const of = `${records} records, code ${await digestOf(code)}`;
  const noted = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const groups: Record<string, Measured> = noted.of === of ? noted.groups : {};
  return {
    groups: groups as Readonly<Record<string, Measured>>,
    note(name: string, measured: Measured): void {
      groups[name] = measured;
      writeFileSync(`${file}.new`, JSON.stringify({ of, groups }));
      renameSync(`${file}.new`, file);
    },
  };
}
