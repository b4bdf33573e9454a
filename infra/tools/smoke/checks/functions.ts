import { LambdaClient } from "@aws-sdk/client-lambda";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";
import { pages } from "../../../../shared/web/pageRoutes.ts";
import { stageFunctions } from "../../../deploy/deployedFunctions.ts";
import { type Invocation, invoke, requestWithoutCredential } from "../../../deploy/invoke.ts";
import { listGatewayFunctions } from "../../../deploy/listGatewayFunctions.ts";
import { stackName } from "../../../stages/stackName.ts";
import type { StageName } from "../../../stages/stages.ts";
import type { Check, Trial } from "../trial.ts";

/** Milliseconds that a first call may take: above them is what the alarm "latency" tells of. */
const coldBar = 3_000;

/** Functions that are tried at once. */
const atOnce = 5;

/** A function as it is tried. */
interface Tried extends Invocation {
  /** Its file, by which it is told. */
  description: string;
}

/**
 * Every function of the stage that runs: those that the gateway calls, in the version that it names, and the workers. Each is
 * called by itself, until a new instance of it has answered and one that was there.
 */
export const functions: Check = {
  name: "functions, cold and warm",
  page: "docs/operations.md",
  canRunWithoutData: true,
  skipReason: ({ target }) =>
    target.local ? "the functions of a local stage share threads, which are never cold" : undefined,
  async run(trial) {
    const client = new LambdaClient({});
    try {
      const found = await running(client, trial.tried.stage);
      const expected = new Set([...operationRegistry, ...pages].map(({ handler }) => `functions/${handler}.ts`));
      const there = new Set(found.map(({ description }) => description));
      trial.equal("operations and pages without a function", [], [...expected.difference(there)]);
      const times: Times[] = [];
      const left = [...found];
      const work = async () => {
        for (let each = left.pop(); each; each = left.pop()) times.push(await tryFunction(client, trial, each));
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      trial.note(`${found.length} functions`);
      noteTimes(
        trial,
        "cold",
        times.flatMap(({ cold }) => cold ?? []),
      );
      noteTimes(
        trial,
        "warm",
        times.flatMap(({ warm }) => warm ?? []),
      );
      if (!times.some(({ isTold }) => isTold)) trial.note("which calls were cold is not told here");
    } finally {
      client.destroy();
    }
  },
};

/** What runs of a stage. Functions that a release has left, and code that has no calls yet, are there beside it. */
async function running(client: LambdaClient, stage: StageName): Promise<Tried[]> {
  const descriptions = new Map<string, string>();
  for await (const { FunctionName, Description = "" } of stageFunctions(client, stage)) {
    descriptions.set(FunctionName, Description);
  }
  const called = await listGatewayFunctions(stage, await client.config.region());
  const workers = [...descriptions].filter(([name]) => name.startsWith(`${stackName(stage, "workers")}-`));
  return [
    ...called.map(({ name, version, route }) => ({
      description: descriptions.get(name) ?? `${route.method} ${route.path}`,
      name,
      version,
      event: requestWithoutCredential(route),
    })),
    // A queue without a message, or the time.
    ...workers.map(([name, description]) => ({ description, name, event: { Records: [] } })),
  ];
}

function noteTimes(trial: Trial, which: string, times: readonly number[]): void {
  if (times.length > 0) trial.note(`${times.length} ${which} in ${Math.min(...times)} to ${Math.max(...times)} ms`);
}

/** Milliseconds of a call with a new instance, and of one with an instance that was there; whether the platform tells. */
interface Times {
  cold?: number;
  warm?: number;
  isTold: boolean;
}

async function tryFunction(client: LambdaClient, trial: Trial, tried: Tried): Promise<Times> {
  const { description } = tried;
  const times: Times = { isTold: false };
  // As many at once as it takes for one to find no instance that is free.
  for (let calls = 1; calls <= 5 && (times.cold === undefined || times.warm === undefined); calls++) {
    const all = Array.from({ length: calls }, () => invoke(client, tried));
    const made = await Promise.all(all).catch((error: Error) => error);
    if (made instanceof Error) {
      trial.holds(description, "an answer", false, `${made.name}: ${made.message}`);
      return times;
    }
    const failed = made.find(({ failure }) => failure !== undefined);
    if (failed) {
      trial.holds(description, "an answer", false, failed.failure);
      return times;
    }
    for (const { report } of made) {
      if (!report) continue;
      times.isTold = true;
      times[report.init === undefined ? "warm" : "cold"] ??= Math.round(report.duration + (report.init ?? 0));
    }
    if (!times.isTold && calls === 2) return times;
  }
  trial.holds(
    `${description}: a new instance`,
    `an answer within ${coldBar} ms`,
    (times.cold ?? 0) <= coldBar,
    times.cold,
  );
  const none = times.cold === undefined ? "no new one" : "none that was there";
  const both = times.cold !== undefined && times.warm !== undefined;
  trial.holds(`${description}: instances`, "a new one and one that was there", both, none);
  return times;
}
