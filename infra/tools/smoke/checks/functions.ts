import { LambdaClient } from "@aws-sdk/client-lambda";
import { trialEvent } from "../../../../shared/platform/aws/trialEvent.ts";
import { pages } from "../../../../shared/web/pageRoutes.ts";
import { describeFunctions, inParallel } from "../../../deploy/deployedFunctions.ts";
import { type Invocation, invoke, requestWithoutCredential } from "../../../deploy/invoke.ts";
import { listGatewayFunctions } from "../../../deploy/listGatewayFunctions.ts";
import { stackName } from "../../../stages/stackName.ts";
import { stageOperations } from "../../../stages/stageOperations.ts";
import { type StageName, stages } from "../../../stages/stages.ts";
import type { Check, Trial } from "../trial.ts";

/** Maximum milliseconds of a cold call. The alarm "latency" uses the same limit. */
const coldBar = 3_000;

const atOnce = 5;

/** A function under test. */
interface Tried extends Invocation {
  /** The function's file, which identifies it. */
  description: string;
}

/**
 * Calls every running function of the stage directly: the functions of the gateway, in the version that the gateway
 * calls, and the workers. Repeats calls until a cold and a warm instance have answered.
 */
export const functions: Check = {
  name: "functions, cold and warm",
  page: "docs/operations/trying-a-stage.md",
  canRunWithoutData: true,
  skipReason: ({ target }) =>
    target.local ? "the functions of a local stage share threads and have no cold starts" : undefined,
  async run(trial) {
    const client = new LambdaClient({});
    const found = await running(client, trial.tried.stage);
    const operations = stageOperations(stages[trial.tried.stage]);
    const expected = new Set([...operations, ...pages].map(({ handler }) => `functions/${handler}.ts`));
    const there = new Set(found.map(({ description }) => description));
    trial.equal("operations and pages without a function", [], [...expected.difference(there)]);
    const times: Times[] = [];
    await inParallel(found, atOnce, async (each) => times.push(await tryFunction(client, trial, each)));
    trial.note(`${found.length} functions`);
    for (const which of ["cold", "warm"] as const) {
      const all = times.flatMap((each) => each[which] ?? []);
      if (all.length > 0) trial.note(`${all.length} ${which} in ${Math.min(...all)} to ${Math.max(...all)} ms`);
    }
    if (!times.some(({ isReported }) => isReported)) trial.note("this stage does not report cold starts");
  },
};

/** The functions in use. The stage also has functions of earlier releases, and new code without calls yet. */
async function running(client: LambdaClient, stage: StageName): Promise<Tried[]> {
  const descriptions = await describeFunctions(client, stage);
  const called = await listGatewayFunctions(stage, await client.config.region());
  const workers = [...descriptions].filter(([name]) => name.startsWith(`${stackName(stage, "workers")}-`));
  return [
    ...called.map(({ name, version, route }) => ({
      description: descriptions.get(name) ?? `${route.method} ${route.path}`,
      name,
      version,
      event: requestWithoutCredential(route),
    })),
    ...workers.map(([name, description]) => ({ description, name, event: trialEvent })),
  ];
}

/** Milliseconds of a cold and of a warm call. `isReported`: whether Lambda reports these times. */
interface Times {
  cold?: number;
  warm?: number;
  isReported: boolean;
}

async function tryFunction(client: LambdaClient, trial: Trial, tried: Tried): Promise<Times> {
  const { description } = tried;
  const times: Times = { isReported: false };
  // Increases the number of parallel calls until a call finds no free instance.
  for (let calls = 1; calls <= 5 && (times.cold === undefined || times.warm === undefined); calls++) {
    const all = Array.from({ length: calls }, () => invoke(client, tried));
    const made = await Promise.all(all).catch(({ name, message }: Error): Awaited<ReturnType<typeof invoke>>[] => [
      { failure: `${name}: ${message}` },
    ]);
    const failed = made.find(({ failure }) => failure !== undefined);
    if (failed) {
      trial.holds(description, "a response", false, failed.failure);
      return times;
    }
    for (const { report } of made) {
      if (!report) continue;
      times.isReported = true;
      times[report.init === undefined ? "warm" : "cold"] ??= Math.round(report.duration + (report.init ?? 0));
    }
    if (!times.isReported && calls === 2) return times;
  }
  trial.holds(
    `${description}: a new instance`,
    `a response within ${coldBar} ms`,
    (times.cold ?? 0) <= coldBar,
    times.cold,
  );
  const none = times.cold === undefined ? "no new instance" : "no existing instance";
  const both = times.cold !== undefined && times.warm !== undefined;
  trial.holds(`${description}: instances`, "a new instance and an existing one", both, none);
  return times;
}
