import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { claimStoredFormat } from "../../../shared/store/storedFormat.ts";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import {
  apiOutputs,
  apiParameters,
  concurrencyThreshold,
  concurrencyThresholdOf,
  describeReleaseBase,
  followed,
  formatReleases,
  none,
  parseReleases,
  pausedParameter,
  releaseAlarm,
  workersTemplate,
} from "../../constructs/releaseParameters.ts";
import { documentsBucket, replicatedKeyOutputs } from "../../constructs/replicatedKeys.ts";
import { alarmName } from "../../monitoring/alarmName.ts";
import { stackName } from "../../stages/stackName.ts";
import type { PlannedRelease } from "../plannedDeployment.ts";
import { templateOf } from "./assembly.ts";
import { deployCanary, WatchedAlarm } from "./deployCanary.ts";
import { invokeVersions } from "./invokeVersions.ts";
import { removeUnusedResources } from "./removeUnusedResources.ts";
import { Stacks } from "./stacks.ts";
import { findOwnTable } from "./stageResources.ts";

/**
 * Deploys a release: first data, monitoring and queues, then the API, then the workers.
 *
 * On a stage with a canary, the release invokes every new version once before any new version gets calls. The new
 * deployment of the API then gets the canary's share of the calls. It gets all calls only if the release alarm does not
 * ring.
 *
 * @throws StageError when the release was rolled back: all calls go to the previous deployment, and the workers are
 * unchanged
 */
export async function release(planned: PlannedRelease, terminal: Terminal): Promise<void> {
  const { stage, settings, region, accountConcurrency, deployStacks, directory } = planned;
  const isService = settings.answers === "service";
  const stacks = new Stacks(region);
  const api = stackName(stage, "api");
  const before = await stacks.find(api);
  const live = before?.outputs[apiOutputs.live];
  const workersBefore = await stacks.find(stackName(stage, "workers"));
  const { canary } = settings.aws ?? {};
  const pausing = { [pausedParameter]: planned.paused ? "yes" : "no" };
  const alarm = new WatchedAlarm(alarmName(stage, releaseAlarm), region);
  // Two releases can share calls, and be rolled back to each other, only if they use the same table and the same format of
  // stored data. If the last deployment was interrupted, the workers can be from an earlier release than the API, so
  // their base is compared too.
  const base = before?.outputs[apiOutputs.base] ?? describeReleaseBase({});
  const bases = [base, workersBefore?.outputs[apiOutputs.base] ?? base];
  const goesOn = bases.every((each) => each === describeReleaseBase(settings.aws ?? {}));
  // A canary is useless on a paused stage, where every call fails.
  const watched = canary && live && goesOn && !planned.paused && !planned.atOnce ? canary : undefined;
  // An interrupted release leaves its canary open. This canary may be the reason why the alarm rings.
  if (before?.parameters[apiParameters.open] === "yes") await stacks.setParameters(api, { [apiParameters.open]: "no" });
  else if (watched) await alarm.rejectWhileRinging();

  if (isService) {
    await deployData(planned);
    // No function ever worked on the table of a stage without an API, so the table is empty.
    if (!before && !settings.aws?.tableName)
      await claimStoredFormat(new DynamoDBClient({ region }), await findOwnTable(stage, region));
    await deployStacks(["Monitoring"], {
      ...(accountConcurrency !== undefined && {
        [concurrencyThreshold]: String(concurrencyThresholdOf(accountConcurrency)),
      }),
    });
    await deployStacks(["Background"]);
  }
  // Calls stay on the live deployment until the new deployment exists. A separate update then shifts the calls.
  await deployStacks([isService ? "Api" : "Mock"], {
    [apiParameters.live]: (canary && live) ?? none,
    [apiParameters.base]: base,
    ...(canary && { [apiParameters.canary]: none, [apiParameters.open]: "no" }),
    ...(!goesOn && { [apiParameters.former]: none }),
    ...(isService && pausing),
  });
  const { outputs = {} } = (await stacks.find(api)) ?? {};
  const own = outputs[apiOutputs.own] ?? "";
  const workers = isService ? templateOf(directory, "Workers", planned) : none;
  const older = goesOn ? parseReleases(before?.parameters[apiParameters.former]) : [];
  const presentWorkers = workersBefore?.parameters[workersTemplate] ?? none;
  const present = live && goesOn ? { deployment: live, workers: presentWorkers } : undefined;
  const former = present ? followed(present, { deployment: own, workers }, older) : older;
  const promote = () =>
    stacks.setParameters(api, {
      [apiParameters.live]: none,
      [apiParameters.open]: "no",
      [apiParameters.former]: formatReleases(former),
    });
  if (watched && live && own !== live) {
    await invokeVersions(stage, region, terminal).catch((error: Error) => {
      throw new StageError(`${error.message} All calls still go to deployment ${live}; the workers were not changed.`);
    });
    await deployCanary({ stacks, api, alarm, live, own, ...watched }, promote, terminal);
  } else await promote();
  write(terminal.stdout, own === live ? "The API is unchanged." : `Promoted: all calls go to deployment ${own}.`);
  if (isService) await deployStacks(["Workers"], { [workersTemplate]: workers, ...pausing });
  await removeUnused(planned, terminal);
}

/**
 * Deploys the data stack of a stage. If the stage has a recovery region, first deploys the target of the copies in that
 * region, and deploys the replicas of the keys last.
 */
export async function deployData({
  stage,
  settings: { aws },
  region,
  deployStacks,
}: Pick<PlannedRelease, "stage" | "settings" | "region" | "deployStacks">): Promise<void> {
  if (aws?.recoveryRegion) await deployStacks(["Recovery"]);
  await deployStacks(["Data"]);
  if (!aws?.recoveryRegion) return;
  const { outputs = {} } = (await new Stacks(region).find(stackName(stage, "data"))) ?? {};
  const keys = Object.entries(replicatedKeyOutputs(aws)).map(([key, output]) => [`${key}Arn`, outputs[output] ?? ""]);
  const parameters = { ...Object.fromEntries(keys), [documentsBucket]: outputs[documentsBucket] ?? "" };
  await deployStacks(["RecoveryKeys"], parameters);
}

/**
 * Removes resources that no rollback needs. If the removal fails, the release still succeeds, and the next release
 * tries again.
 */
async function removeUnused({ stage, region }: PlannedRelease, { stdout }: Terminal): Promise<void> {
  try {
    const removed = await removeUnusedResources(stage, region);
    if (removed !== undefined) write(stdout, `Removed resources that no release uses: ${removed}.`);
  } catch (error) {
    const { name, message } = error as Error;
    write(
      stdout,
      `Note: some resources that no release uses were not removed: ${name}: ${message} Run npm run tidy to remove them.`,
    );
  }
}
