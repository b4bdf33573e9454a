import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { startStage } from "../infra/local/stage.ts";

/**
 * Fills a data directory as the first start of a stage would. The demo is made and replicated once for a whole run, by
 * the first test file that asks, and copied from then on.
 */
export async function copyDemoData(directory: string): Promise<void> {
  const made = join(inject("temporaryDirectory"), "demo");
  await once(made, async (data) => {
    const stage = await startStage({ port: 0, data, replicateEvery: 0 });
    await stage.stop();
  });
  cpSync(made, directory, { recursive: true, preserveTimestamps: true });
}

/** Makes a directory once, whichever process comes first; the others wait for it. */
async function once(directory: string, make: (directory: string) => Promise<void>): Promise<void> {
  const unfinished = join(dirname(directory), "unfinished");
  try {
    mkdirSync(unfinished);
  } catch {
    while (!existsSync(directory)) await sleep(100);
    return;
  }
  await make(unfinished);
  renameSync(unfinished, directory);
}
