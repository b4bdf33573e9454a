import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import {
  apiOutputs,
  apiParameters,
  describeReleaseBase,
  followed,
  formatReleases,
  none,
  parseReleases,
  releaseAlarm,
  workersTemplate,
} from "../../constructs/releaseParameters.ts";
import { alarmName } from "../../monitoring/alarmName.ts";
import { stackName } from "../../stages/stackName.ts";
import { deployCanary, rejectWhileRinging } from "./deployCanary.ts";
import { deployData } from "./deployData.ts";
import { invokeVersions } from "./invokeVersions.ts";
import type { PlannedRelease } from "./plannedRelease.ts";
import { removeUnusedResources } from "./removeUnusedResources.ts";
import { Stacks } from "./stacks.ts";
import { WatchedAlarm } from "./watch.ts";

/**
 * Deploys a release: first what it stores and hands over, then the API, then the workers. Where the stage has a canary, every
 * new version is invoked once; then the API's new deployment has that share of the calls at first, and all of them only when the
 * release's alarm has not rung.
 *
 * @throws StageError when it was taken back: all calls go to the deployment before, and workers are as they were
 */
export async function release(planned: PlannedRelease, terminal: Terminal): Promise<void> {
  const { stage, settings, region, deployStacks, directory } = planned;
  const isService = settings.answers === "service";
  using stacks = new Stacks(region);
  const api = stackName(stage, "api");
  const before = await stacks.find(api);
  const live = before?.outputs[apiOutputs.live];
  const workersBefore = await stacks.find(stackName(stage, "workers"));
  const { canary, paused } = settings.aws ?? {};
  using alarm = new WatchedAlarm(alarmName(stage, releaseAlarm), region);
  // What ran on another table, or before a pause, is nothing to share calls with, or to go back to. Workers are still there
  // where the release that left it was cut off before it came to them.
  const ground = before?.outputs[apiOutputs.ground] ?? describeReleaseBase({});
  const grounds = [ground, workersBefore?.outputs[apiOutputs.ground] ?? ground];
  const goesOn = grounds.every((each) => each === describeReleaseBase(settings.aws ?? {}));
  // Of a stage that is paused every call fails, and one that was deployed without versions has nothing to go back to.
  const watched = canary && live && goesOn && !paused && !planned.atOnce ? canary : undefined;
  // One that was cut off has left its canary open, and may be why the alarm rings.
  if (before?.parameters[apiParameters.open] === "yes") await stacks.setParameters(api, { [apiParameters.open]: "no" });
  else if (watched) await rejectWhileRinging(alarm);

  if (isService) {
    await deployData(planned);
    await deployStacks(["Monitoring", "Background"]);
  }
  // Calls stay where they are until the new deployment is there, and go there by an update of their own.
  await deployStacks([isService ? "Api" : "Mock"], {
    [apiParameters.live]: (canary && live) ?? none,
    [apiParameters.ground]: ground,
    ...(canary && { [apiParameters.canary]: none, [apiParameters.open]: "no" }),
    ...(!goesOn && { [apiParameters.former]: none }),
  });
  const { outputs = {} } = (await stacks.find(api)) ?? {};
  const own = outputs[apiOutputs.own] ?? "";
  const workers = isService ? templateOf(directory, "Workers") : none;
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
      throw new StageError(
        `${error.message} All calls go to deployment ${live} as before, and the workers are as they were.`,
      );
    });
    await deployCanary({ stacks, api, alarm, live, own, ...watched }, promote, terminal);
  } else await promote();
  write(terminal.stdout, own === live ? "The API is as it was." : `Promoted: all calls go to deployment ${own}.`);
  if (isService) await deployStacks(["Workers"], { [workersTemplate]: workers });
  await removeNeedless(planned, terminal);
}

/** Removes what the stage cannot go back to. It is no matter of the release, and is done again by the next one. */
async function removeNeedless({ stage, region }: PlannedRelease, { stdout }: Terminal): Promise<void> {
  try {
    const removed = await removeUnusedResources(stage, region);
    if (removed !== undefined) write(stdout, `Removed what no release uses: ${removed}.`);
  } catch (error) {
    const { name, message } = error as Error;
    write(stdout, `Note: what no release uses is not all removed: ${name}: ${message} npm run tidy goes on with it.`);
  }
}

/** Where the CDK's program puts the template of a stack: `bucket/key`. */
function templateOf(directory: string, id: string): string {
  const { artifacts } = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8"));
  const { stackTemplateAssetObjectUrl: url } = artifacts[id].properties;
  return url.replace(/^s3:\/\//, "");
}
