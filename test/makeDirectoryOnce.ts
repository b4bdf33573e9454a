import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "./infra/local/startedProcess.ts";

/**
 * Makes a directory once, in the process that comes first; the others wait for it.
 *
 * @throws Error if the first process failed or was killed
 */
export async function makeDirectoryOnce(directory: string, make: (directory: string) => Promise<void>): Promise<void> {
  // This file stays, so that no other process begins again once the directory exists.
  const begun = `${directory}.begun`;
  try {
    writeFileSync(begun, String(process.pid), { flag: "wx" });
  } catch {
    while (!existsSync(directory)) {
      const isBeingMade = isRunning(Number(readFileSync(begun, "utf8")));
      if (!isBeingMade && !existsSync(directory))
        throw new Error(`Another test was to make ${directory}, and has failed.`);
      await sleep(100);
    }
    return;
  }
  const unfinished = `${directory}.unfinished`;
  try {
    await make(unfinished);
  } catch (error) {
    writeFileSync(begun, "failed");
    throw error;
  }
  renameSync(unfinished, directory);
}
