import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { deploy } from "../../../infra/deploy/deploy.ts";
import { runHere } from "../local/runHere.ts";
import { noSuchStack, respondAsAws, stackOf } from "./awsDouble.ts";

/** The outputs of deployed stacks, by the stack's name. */
let stacks: Record<string, Record<string, string>>;
let calls: string[];

const home = process.cwd();
beforeEach(async () => {
  calls = [];
  await respondAsAws(({ action, sent }) => {
    calls.push(action);
    const found = stacks[new URLSearchParams(sent).get("StackName") ?? ""];
    return found ? stackOf(found) : noSuchStack;
  });
  process.chdir(mkdtempSync(join(inject("temporaryDirectory"), "environment-")));
});
afterEach(() => process.chdir(home));

test("stage-env writes the environment of the deployed stage, and changes nothing on AWS", async () => {
  stacks = {
    "business-data-sandbox-data": { TableName: "table-1", KmsKeyId: "arn:key" },
    "business-data-sandbox-background": { RetryDeadLettersUrl: "https://sqs.example.org/retries" },
    "business-data-sandbox-api": { BaseUrl: "https://api.example.org", ReleaseLive: "d1" },
  };
  const { code, out, err } = await runHere(deploy, ["stage-env", "--stage", "sandbox"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(
    "Stage sandbox, account 123456789012, region us-west-2\nhttps://api.example.org\nFor the operator's programs: set -a; . .deployed/sandbox.env; set +a\n",
  );
  const written = readFileSync(".deployed/sandbox.env", "utf8");
  for (const line of [
    "AWS_REGION='us-west-2'",
    "STAGE='sandbox'",
    "TABLE_NAME='table-1'",
    "RETRY_DEAD_LETTERS_URL='https://sqs.example.org/retries'",
    "BASE_URL='https://api.example.org'",
  ])
    expect(written).toContain(`${line}\n`);
  expect(written).not.toContain("RELEASE");
  expect(new Set(calls)).toEqual(new Set(["DescribeStacks"]));
});

test("a stage that is not deployed in the region is rejected, and the file is not written", async () => {
  stacks = {};
  const { code, err } = await runHere(deploy, ["stage-env", "--stage", "sandbox"]);
  expect([code, err]).toEqual([
    1,
    "Stage sandbox is not deployed in us-west-2: set AWS_REGION to its region, or run npm run deploy -- --stage sandbox.\n",
  ]);
  expect(() => readFileSync(".deployed/sandbox.env")).toThrow("ENOENT");
});
