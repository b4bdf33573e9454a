import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { APIGatewayClient, GetDeploymentsCommand, GetStageCommand } from "@aws-sdk/client-api-gateway";
import { CloudFormationClient, DeleteStackCommand, waitUntilStackDeleteComplete } from "@aws-sdk/client-cloudformation";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetFunctionConcurrencyCommand, InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiOutputs, apiParameters, maxFormer, workersTemplate } from "../../../infra/constructs/releaseParameters.ts";
import { listGatewayFunctions } from "../../../infra/deploy/listGatewayFunctions.ts";
import { pauseOrResume } from "../../../infra/deploy/pause.ts";
import { readPauseState } from "../../../infra/deploy/pauseState.ts";
import { release } from "../../../infra/deploy/release/release.ts";
import { removeUnusedResources } from "../../../infra/deploy/release/removeUnusedResources.ts";
import { rollback } from "../../../infra/deploy/release/rollback.ts";
import { Stacks } from "../../../infra/deploy/release/stacks.ts";
import { Table } from "../../../shared/store/client.ts";
import { storedFormatKey } from "../../../shared/store/keys/storedFormat.ts";
import { readStoredFormat, storedFormat } from "../../../shared/store/storedFormat.ts";
import { region } from "../deployed/template.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { functions, mayAssume, roles } from "./leftInAccount.ts";
import { SmallStage, signing } from "./smallStage.ts";

// Each release continues with the stage that the previous one left. The emulator sends no calls to a canary.

let emulator: Emulator;
let stage: SmallStage;
let stacks: Stacks;
let gateway: APIGatewayClient;
let lambda: LambdaClient;
let table: Table;

beforeAll(async () => {
  emulator = await startEmulator();
  for (const [name, value] of Object.entries(emulator.environment)) vi.stubEnv(name, value);
  stage = new SmallStage();
  stacks = new Stacks(region);
  gateway = new APIGatewayClient({ region });
  lambda = new LambdaClient({ region });
  table = new Table(await stage.prepare(), new DynamoDBClient({ region }));
}, 300_000);

afterAll(async () => {
  for (const client of [stage, gateway, lambda, table?.client]) client?.destroy();
  vi.unstubAllEnvs();
  await emulator?.stop();
});

const find = async (part: string) => (await stacks.find(`business-data-sandbox-${part}`)) ?? expect.fail(part);
const workers = async () => (await find("workers")).parameters[workersTemplate];

/** The gateway's deployment that receives calls. */
async function live(): Promise<string | undefined> {
  const restApiId = (await find("api")).outputs[apiOutputs.api];
  return (await gateway.send(new GetStageCommand({ restApiId, stageName: "sandbox" }))).deploymentId;
}

const ring = (StateValue: "OK" | "ALARM") =>
  emulator.call("monitoring", {
    Action: "SetAlarmState",
    AlarmName: "business-data-sandbox-release-errors",
    StateValue,
    StateReason: "test",
  });

/** Runs a program with a terminal and a callback for each piece of output; returns the output. */
async function printed(run: (terminal: Parameters<typeof release>[1]) => Promise<void>, hear = (_: string) => {}) {
  let out = "";
  const stdout = new PassThrough().on("data", (chunk) => {
    out += chunk;
    hear(String(chunk));
  });
  await run({ stdin: new PassThrough(), stdout, stderr: new PassThrough() });
  return out;
}

const deploy = async (handlers: readonly string[], code: string, minutes?: number, hear?: (chunk: string) => void) => {
  const planned = await stage.plan(handlers, code, region, minutes);
  return printed((terminal) => release(planned, terminal), hear);
};
const goBack = () => printed((terminal) => rollback("sandbox", region, terminal));

test("the first release gets all calls at once, and there is no earlier one to go back to", async () => {
  expect(await deploy(["one", "two"], "a")).toMatch(/^Promoted: all calls go to deployment \w+\.\n$/);
  expect(await live()).toBe((await find("api")).outputs[apiOutputs.own]);
  expect(await readStoredFormat(table.client, table.name)).toBe(storedFormat);
  expect(await workers()).toBe("small-stage-assets/a.json");
  await expect(goBack()).rejects.toThrow("Stage sandbox has no previous release in us-east-1 to go back to.");
}, 300_000);

test("releases that add and remove a function are promoted, and can be rolled back", async () => {
  const first = await live();
  expect(await deploy(["one", "two", "three"], "b")).toMatch(
    /^Invoked the new versions of all 3 functions of the API: none fails\.\nDeployment \w+ gets 10 % of the calls for 0.02 minutes\.\nPromoted: all calls go to deployment \w+\.\n$/,
  );
  const second = await live();
  await deploy(["two", "three"], "c");
  const third = await live();
  expect(new Set([first, second, third]).size).toBe(3);
  expect(await workers()).toBe("small-stage-assets/c.json");
  // No function of an earlier release remains, and no code except the present release's.
  const called = (await listGatewayFunctions("sandbox", region)).map(({ name, version }) => [name, version]);
  const all = await functions();
  expect(called.sort()).toEqual([all["functions/two.ts"], all["functions/three.ts"]].map((name) => [name, "1"]).sort());
  // The functions of earlier deployments can still be called.
  const FunctionName = all["functions/one.ts"] ?? expect.fail();
  const { ExecutedVersion } = await lambda.send(new InvokeCommand({ FunctionName, Qualifier: "1", Payload: "{}" }));
  expect(ExecutedVersion).toBe("1");

  expect(await goBack()).toContain(`All calls go to deployment ${second} instead of ${third}.`);
  expect([await live(), await workers()]).toEqual([second, "small-stage-assets/b.json"]);
  expect(await goBack()).toContain(`All calls go to deployment ${first} instead of ${second}.`);
  expect([await live(), await workers()]).toEqual([first, "small-stage-assets/a.json"]);
  await expect(goBack()).rejects.toThrow(/has no previous release/);
}, 300_000);

test("a release whose alarm goes off is rolled back without new workers, and none begins during the alarm", async () => {
  const before = await live();
  const underWay = deploy(["one", "two", "four"], "d", 5, (chunk) => {
    if (/gets 10 % of the calls/.test(chunk)) void ring("ALARM");
  });
  await expect(underWay).rejects.toThrow(
    `Taken back: the alarm business-data-sandbox-release-errors rings. All calls go to deployment ${before} again`,
  );
  const { parameters, outputs } = await find("api");
  expect(parameters).toMatchObject({ LiveDeployment: before, CanaryIsOpen: "no" });
  expect(outputs[apiOutputs.own]).not.toBe(before);
  expect([await live(), await workers()]).toEqual([before, "small-stage-assets/a.json"]);
  await expect(deploy(["one", "two", "four"], "d")).rejects.toThrow(/already rings/);
  await ring("OK");
  await deploy(["one", "two", "four"], "d");
  expect([await live(), await workers()]).toEqual([outputs[apiOutputs.own], "small-stage-assets/d.json"]);
}, 300_000);

test("a release whose new code crashes gets no calls, and its workers are not deployed", async () => {
  const before = await live();
  const error = await deploy(["one", "two", "broken"], "crashing").catch(({ message }: Error) => message);
  expect(error).toMatch(
    /^Functions of this release fail: functions\/broken\.ts \(.*broken.*\)\. All calls still go to deployment /,
  );
  expect((await find("api")).parameters).toMatchObject({ LiveDeployment: before, CanaryIsOpen: "no" });
  expect([await live(), await workers()]).toEqual([before, "small-stage-assets/d.json"]);
}, 300_000);

test("an open canary is closed by a rollback, and by the next release, whether or not the alarm goes off", async () => {
  const open = () => stacks.setParameters("business-data-sandbox-api", { CanaryIsOpen: "yes" });
  const before = await live();
  await open();
  expect(await goBack()).toBe(`Ended the canary: all calls go to deployment ${before} again.\n`);
  expect((await find("api")).parameters.CanaryIsOpen).toBe("no");
  expect([await live(), await workers()]).toEqual([before, "small-stage-assets/d.json"]);
  await open();
  await ring("ALARM");
  await expect(deploy(["one", "two", "five"], "d5")).rejects.toThrow(/^Taken back/);
  await ring("OK");
  expect((await find("api")).parameters.CanaryIsOpen).toBe("no");
}, 300_000);

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s closes the canary before the program ends",
  async (signal) => {
    const underWay = deploy(["one", "two", "five"], "d5", 5, (chunk) => {
      if (/gets 10 % of the calls/.test(chunk)) process.kill(process.pid, signal);
    });
    await expect(underWay).rejects.toThrow("Taken back: the deployment was interrupted.");
    expect((await find("api")).parameters.CanaryIsOpen).toBe("no");
  },
  300_000,
);

test("functions and deployments are removed once the stage cannot go back to a release that uses them", async () => {
  expect(Object.keys(await functions())).toContain("functions/three.ts");
  await deploy(["one", "two", signing], "s");
  const ofLinks = async () => (await roles()).filter((name) => name.includes("DocumentReader"));
  const [reader = expect.fail()] = await ofLinks();
  let removed = "";
  for (let i = 0; i < 6; i++) {
    // The role stays as long as the stage can go back to a release whose function signs with it.
    expect(await ofLinks()).toEqual([reader]);
    expect(await mayAssume(reader)).toHaveLength(1);
    removed += await deploy(["one", "two", `more${i}`], `e${i}`);
  }
  expect(removed).toMatch(
    /Removed resources that no release uses: 1 deployments, \d+ versions, [1-9] functions, [1-9] roles\./,
  );
  expect(await ofLinks()).toEqual([]);
  expect(await mayAssume(reader)).toEqual([]);
  const left = Object.keys(await functions());
  expect(left).not.toContain("functions/three.ts");
  expect(left).toContain("functions/more0.ts");
  const restApiId = (await find("api")).outputs[apiOutputs.api];
  const { items = [] } = await gateway.send(new GetDeploymentsCommand({ restApiId }));
  expect(items).toHaveLength(1 + maxFormer);
}, 600_000);

test("a rollback leaves a paused stage paused", async () => {
  const release1 = await stage.plan(["one", "two"], "queue1", region, 0.02, {}, true);
  await printed((terminal) => release(release1, terminal));
  const release2 = await stage.plan(["one", "two", "three"], "queue2", region, 0.02, {}, true);
  await printed((terminal) => release(release2, terminal));
  const state = () => readPauseState("sandbox", region);
  expect(await state()).toBe("running");
  await printed((terminal) => pauseOrResume(["pause", "--stage", "sandbox"], terminal));
  expect(await state()).toBe("paused");
  expect(await goBack()).toContain("The workers are also those of that release.");
  expect(await workers()).toBe("small-stage-assets/queue1.json");
  expect([await state(), (await find("workers")).parameters.Paused]).toEqual(["paused", "yes"]);
  const names = Object.values(await functions());
  for (const FunctionName of names) {
    const { ReservedConcurrentExecutions } = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    expect(ReservedConcurrentExecutions, FunctionName).toBe(0);
  }
  await printed((terminal) => pauseOrResume(["resume", "--stage", "sandbox"], terminal));
  expect(await state()).toBe("running");
  await deploy(["one", "two", "three"], "a");
}, 300_000);

test("a release on another table gets all calls at once, and the stage cannot go back to the one before it", async () => {
  const planned = await stage.plan(["one", "two"], "t", region, 5, { tableName: "restored" });
  expect(await printed((terminal) => release(planned, terminal))).toMatch(/^Promoted: /);
  expect((await find("api")).parameters.FormerReleases).toBe("none");
  await expect(goBack()).rejects.toThrow(/has no previous release/);
  await deploy(["one", "two"], "own");
  expect((await find("api")).parameters.FormerReleases).toBe("none");
}, 300_000);

test("a release of another stored format gets all calls at once, and the stage cannot go back to the one before it", async () => {
  await deploy(["one", "two"], "former");
  const base = (await find("api")).outputs[apiOutputs.base]?.replace(/\d+$/, String(storedFormat - 1)) ?? "";
  const given = { [apiParameters.live]: (await live()) ?? "", [apiParameters.base]: base };
  await stacks.setParameters("business-data-sandbox-api", given);
  expect((await find("api")).outputs[apiOutputs.base]).toBe(base);
  expect(await deploy(["one", "two", "three"], "newformat", 5)).toMatch(/^Promoted: /);
  expect((await find("api")).outputs[apiOutputs.base]).toMatch(new RegExp(`, format ${storedFormat}$`));
  expect((await find("api")).parameters.FormerReleases).toBe("none");
  await expect(goBack()).rejects.toThrow(/has no previous release/);
}, 300_000);

test("the stage cannot go back to a release of the same format once the data was migrated", async () => {
  const first = await live();
  await deploy(["one", "two"], "second");
  const second = await live();
  await table.put({ ...storedFormatKey, format: storedFormat + 1 });
  await expect(goBack()).rejects.toThrow(
    `Table ${table.name} has stored data of format ${storedFormat + 1}, but the previous release of stage sandbox works on format ${storedFormat}`,
  );
  expect([await live(), await workers()]).toEqual([second, "small-stage-assets/second.json"]);
  await table.put({ ...storedFormatKey, format: storedFormat });
  await goBack();
  expect([await live(), await workers()]).toEqual([first, "small-stage-assets/newformat.json"]);
}, 300_000);

test.each(["Api", "Workers"])(
  "a release on another table that is killed at the stack %s cannot be rolled back, and the next one opens no canary",
  async (last) => {
    await deploy(["one", "two"], `before${last}`);
    await deploy(["one", "two", "three"], `present${last}`);
    const before = await live();
    const plan = () =>
      stage.plan(["one", "two", "four"], `other${last}`, region, 5, { tableName: `restored${last.toLowerCase()}` });
    const planned = await plan();
    const killed: typeof planned = {
      ...planned,
      deployStacks: async (ids, parameters) => {
        if (last === "Workers" && ids.includes(last)) throw new Error("killed");
        await planned.deployStacks(ids, parameters);
        if (ids.includes(last)) throw new Error("killed");
      },
    };
    await expect(printed((terminal) => release(killed, terminal))).rejects.toThrow("killed");
    const { outputs } = await find("api");
    expect(await live()).toBe(last === "Api" ? before : outputs[apiOutputs.own]);
    expect(outputs[apiOutputs.base]).toMatch(last === "Api" ? /^own table/ : /^restored/);
    await expect(goBack()).rejects.toThrow(/has no previous release/);

    const again = await plan();
    const said = await printed((terminal) => release(again, terminal));
    expect(said).toMatch(last === "Api" ? /^Promoted: / : /^The API is unchanged\./);
    expect([await live(), await workers()]).toEqual([
      (await find("api")).outputs[apiOutputs.own],
      `small-stage-assets/other${last}.json`,
    ]);
    await expect(goBack()).rejects.toThrow(/has no previous release/);
  },
  300_000,
);

test("after the removal of the stage, the resources that releases have kept are removed, too", async () => {
  await deploy(["one", signing], "last");
  // API Gateway reports whole seconds; the emulator makes several releases in one.
  await sleep(1_100);
  await deploy(["one"], "verylast");
  const client = new CloudFormationClient({ region });
  for (const StackName of ["business-data-sandbox-workers", "business-data-sandbox-api"]) {
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete({ client, maxWaitTime: 120, minDelay: 1, maxDelay: 2 }, { StackName });
  }
  client.destroy();
  expect(Object.keys(await functions())).toEqual(expect.arrayContaining(["functions/one.ts", "functions/signing.ts"]));
  expect(await removeUnusedResources("sandbox", region)).toMatch(
    /^0 deployments, 0 versions, [1-9]\d* functions, [1-9]\d* roles$/,
  );
  expect(Object.keys(await functions())).toEqual([]);
  // The role with which all gateways of the account write logs.
  expect(await roles()).toEqual([expect.stringMatching(/ApiCloudWatchRole/)]);
  expect(await removeUnusedResources("sandbox", region)).toBeUndefined();
}, 300_000);
