import { cpSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { startStage } from "../infra/local/stage.ts";
import { once } from "./once.ts";

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
