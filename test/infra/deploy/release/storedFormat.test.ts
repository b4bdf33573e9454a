import { PassThrough } from "node:stream";
import { beforeEach, expect, inject, test, vi } from "vitest";
import { apiOutputs, apiParameters, describeReleaseBase } from "../../../../infra/constructs/releaseParameters.ts";
import type { PlannedRelease } from "../../../../infra/deploy/plannedDeployment.ts";
import { release } from "../../../../infra/deploy/release/release.ts";
import { rollback } from "../../../../infra/deploy/release/rollback.ts";
import { stages } from "../../../../infra/stages/stages.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { storedFormatKey } from "../../../../shared/store/keys/storedFormat.ts";
import { readStoredFormat, storedFormat } from "../../../../shared/store/storedFormat.ts";
import { createTestTable } from "../../../testTable.ts";
import { type AwsAnswer, noSuchStack, resourcesOf, respondAsAws, stackOf, xmlErrorOf } from "../awsDouble.ts";

const region = "us-east-1";
const otherFormat = storedFormat + 1;
/** A base with this number of the stored format. */
const baseOf = (format: number) => describeReleaseBase({}).replace(/\d+$/, String(format));

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** A deployed stack `api` with a release before the present one. */
const api = (base: string): AwsAnswer =>
  stackOf(
    { [apiOutputs.live]: "d2", [apiOutputs.own]: "d2", [apiOutputs.base]: base },
    { [apiParameters.former]: "d1:none", [apiParameters.live]: "none", [apiParameters.open]: "no" },
  );

/**
 * Responds as CloudFormation and CloudWatch do for a stage, whose own table is on the run's engine. Alarms cannot be read.
 *
 * @returns the names of all actions that were called
 */
async function stageOnAws(apiStack: AwsAnswer | undefined): Promise<string[]> {
  const actions: string[] = [];
  await respondAsAws(({ action, url, sent }) => {
    actions.push(action || url);
    if (action === "ListStackResources") return resourcesOf(["DynamoDB::Table", table.name]);
    if (action !== "DescribeStacks") return xmlErrorOf("ValidationError", "User may not");
    return (/StackName=business-data-(sandbox|mock)-api/.test(sent) && apiStack) || noSuchStack;
  });
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", inject("engineEndpoint"));
  return actions;
}

const terminal = () => ({ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() });

/** Deploys a release up to a stack. @returns the parameters of that stack, or the error before it */
async function releaseUntil(last: string) {
  let found: Readonly<Record<string, string>> | undefined;
  const planned: PlannedRelease = {
    stage: "sandbox",
    settings: { ...stages.sandbox, aws: { ...stages.sandbox.aws, canary: { percent: 10, minutes: 1 } } },
    account: "123456789012",
    region,
    accountConcurrency: undefined,
    directory: "/nowhere",
    atOnce: false,
    paused: false,
    deployStacks: async ([id], parameters = {}) => {
      if (id !== last) return;
      found = parameters;
      throw new Error(`reached ${last}`);
    },
  };
  const error: Error = await release(planned, terminal()).then(
    () => expect.fail(),
    (error) => error,
  );
  return { parameters: found, error };
}

test("a rollback is rejected, before it changes anything, if the table has another format than the previous release", async () => {
  await table.put({ ...storedFormatKey, format: otherFormat });
  const actions = await stageOnAws(api(baseOf(storedFormat)));
  await expect(rollback("sandbox", region, terminal())).rejects.toThrow(
    `Table ${table.name} has stored data of format ${otherFormat}, but the previous release of stage sandbox works on ` +
      `format ${storedFormat}: deploy a release of the table's format instead`,
  );
  expect(actions).not.toContain("UpdateStack");
});

test("a rollback to a release of the table's format begins, whatever the format of the program is", async () => {
  await table.put({ ...storedFormatKey, format: otherFormat });
  const actions = await stageOnAws(api(baseOf(otherFormat)));
  await expect(rollback("sandbox", region, terminal())).rejects.toThrow();
  expect(actions).toContain("UpdateStack");
});

test("a rollback of a stage without a table compares no format", async () => {
  const actions = await stageOnAws(api(baseOf(storedFormat)));
  await expect(rollback("mock", region, terminal())).rejects.toThrow();
  expect(actions).not.toContain("ListStackResources");
  expect(actions).toContain("UpdateStack");
});

test("a release of another format than the present one gets no canary, and the stage cannot go back from it", async () => {
  const actions = await stageOnAws(api(baseOf(storedFormat - 1)));
  const { parameters, error } = await releaseUntil("Api");
  expect(error.message).toBe("reached Api");
  expect(parameters).toMatchObject({ [apiParameters.former]: "none", [apiParameters.open]: "no" });
  expect(actions.filter((action) => /Alarm/.test(action))).toEqual([]);
});

test("a release of the present format gets a canary, whose alarm is read first", async () => {
  const actions = await stageOnAws(api(baseOf(storedFormat)));
  const { parameters } = await releaseUntil("Data");
  expect(parameters).toBeUndefined();
  expect(actions.join(" ")).toMatch(/DescribeAlarms/);
});

test("the first release gives the stage's own table its number, before the first function exists", async () => {
  await table.delete(storedFormatKey);
  await stageOnAws(undefined);
  await releaseUntil("Background");
  expect(await readStoredFormat(table.client, table.name)).toBe(storedFormat);
});

test("a first release on a table of another format ends, and does not change the number", async () => {
  await table.put({ ...storedFormatKey, format: otherFormat });
  await stageOnAws(undefined);
  const { parameters, error } = await releaseUntil("Monitoring");
  expect(parameters).toBeUndefined();
  expect(error.message).toContain(
    `has stored data of format ${otherFormat}, and this release works on format ${storedFormat}`,
  );
  expect(await readStoredFormat(table.client, table.name)).toBe(otherFormat);
});

test("a later release never gives a table a number", async () => {
  await table.delete(storedFormatKey);
  await stageOnAws(api(baseOf(storedFormat - 1)));
  await releaseUntil("Api");
  expect(await readStoredFormat(table.client, table.name)).toBeUndefined();
});
