import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Figure, Point } from "../bench.ts";
import { digestOf } from "./keptData.ts";

/** What decides figures: the benchmark with all that it imports, and the programs it runs. */
const measuringCode = [
  "../run.ts",
  "../memory/pageWorker.ts",
  "../memory/posWorker.ts",
  "../memory/replicationWorker.ts",
  "../memory/uploadWorker.ts",
  "../server/stageProcess.ts",
];

/** What a group of figures has come to. */
export interface Measured {
  figures: Figure[];
  points: Point[];
}

/**
 * The groups that were measured before, of the same code and with as many records, by name: what a run that was cut off
 * need not do again.
 *
 * @param file where they are noted, each when it is finished; those of other code or another number of records go
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
