import { afterAll, beforeAll } from "vitest";
import { type Stage, startStage } from "../infra/local/stage.ts";
import { copyDemoData } from "./demoData.ts";

/**
 * Starts a local stage with a copy of the demo's data in a folder, for all tests of a file. Its replications run only if a
 * test starts them.
 *
 * @returns the stage, from within a test
 */
export function useDemoStage(data: string): () => Stage {
  let stage: Stage;
  beforeAll(async () => {
    await copyDemoData(data);
    stage = await startStage({ port: 0, data, replicateEvery: 0 });
  });
  afterAll(() => stage?.stop());
  return () => stage;
}
