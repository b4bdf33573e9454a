import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { readStoredFormat } from "../../../shared/store/storedFormat.ts";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import {
  apiOutputs,
  apiParameters,
  formatReleases,
  none,
  parseReleaseBase,
  parseReleases,
  pausedParameter,
  workersTemplate,
} from "../../constructs/releaseParameters.ts";
import { stackName } from "../../stages/stackName.ts";
import { type StageName, stages } from "../../stages/stages.ts";
import { readPauseState } from "../pauseState.ts";
import { Stacks } from "./stacks.ts";
import { findOwnTable } from "./stageResources.ts";

/**
 * Rolls back the latest release. If its canary is open, closing the canary is enough. Otherwise all calls go to the
 * previous release's deployment, and the workers get its template.
 *
 * After an interruption, a second rollback finishes the first: the target leaves the list of former releases only at
 * the end.
 *
 * @throws StageError if there is no former release, the stored data was migrated to another format since, or CloudFormation
 * rolled back an update
 */
export async function rollback(stage: StageName, region: string, { stdout }: Terminal): Promise<void> {
  const stacks = new Stacks(region);
  const api = stackName(stage, "api");
  const found = await stacks.find(api);
  if (found?.parameters[apiParameters.open] === "yes") {
    await stacks.setParameters(api, { [apiParameters.open]: "no" });
    write(stdout, `Ended the canary: all calls go to deployment ${found.outputs[apiOutputs.live]} again.`);
    return;
  }
  const [target, ...older] = parseReleases(found?.parameters[apiParameters.former]);
  if (!found || !target) throw new StageError(`Stage ${stage} has no previous release in ${region} to go back to.`);
  // All former releases work on the same table and format as the live release. A stage of examples has no table.
  const base = found.outputs[apiOutputs.base] ?? none;
  if (stages[stage].answers === "service") await rejectOtherFormat(stage, region, base);
  const live = found.outputs[apiOutputs.live];
  if (live !== target.deployment) {
    // If a stage of API Gateway has a canary, its calls can only be moved to the canary's deployment.
    if (apiParameters.canary in found.parameters) {
      await stacks.setParameters(api, { [apiParameters.canary]: target.deployment, [apiParameters.open]: "no" });
    }
    await stacks.setParameters(api, { [apiParameters.live]: target.deployment, [apiParameters.base]: base });
    write(stdout, `All calls go to deployment ${target.deployment} instead of ${live}.`);
  }
  const workers = stackName(stage, "workers");
  const workersNow = (await stacks.find(workers))?.parameters[workersTemplate] ?? none;
  if (target.workers !== none && target.workers !== workersNow) {
    const paused = (await readPauseState(stage, region)) === "paused" ? "yes" : "no";
    await stacks.setTemplate(workers, target.workers, { [workersTemplate]: target.workers, [pausedParameter]: paused });
    write(stdout, "The workers are also those of that release.");
  }
  await stacks.setParameters(api, { [apiParameters.former]: formatReleases(older) });
  write(stdout, `Rolled back. ${older.length} older releases are kept. The next deployment starts from this release.`);
}

/** @throws StageError if the table of a base has another format number than the base */
async function rejectOtherFormat(stage: StageName, region: string, base: string): Promise<void> {
  const { tableName = await findOwnTable(stage, region), format } = parseReleaseBase(base);
  const found = await readStoredFormat(new DynamoDBClient({ region }), tableName);
  if (found === format) return;
  throw new StageError(
    `Table ${tableName} has stored data of format ${found ?? "unknown"}, but the previous release of stage ${stage} works ` +
      `on format ${format}: deploy a release of the table's format instead (docs/operations/releases.md#stored-format).`,
  );
}
