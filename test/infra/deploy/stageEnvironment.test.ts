import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { deploy } from "../../../infra/deploy/deploy.ts";
import { runHere } from "../local/runHere.ts";

/** The outputs of deployed stacks, by the stack's name. */
let stacks: Record<string, Record<string, string>>;
const calls: string[] = [];

const server = createServer(async (request, response) => {
  const call = new URLSearchParams(await text(request));
  const action = call.get("Action") ?? "";
  calls.push(action);
  const found = stacks[call.get("StackName") ?? ""];
  const answer = (status: number, body: string) => response.writeHead(status, { "Content-Type": "text/xml" }).end(body);
  if (action === "GetCallerIdentity") {
    const result = "<GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult>";
    answer(200, `<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`);
  } else if (found) {
    const outputs = Object.entries(found).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    const stack = `<member><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs>${outputs.join("")}</Outputs></member>`;
    const result = `<DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult>`;
    answer(200, `<DescribeStacksResponse>${result}</DescribeStacksResponse>`);
  } else {
    const error = "<Code>ValidationError</Code><Message>Stack with id x does not exist</Message>";
    answer(400, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`);
  }
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close().closeAllConnections());

const home = process.cwd();
beforeEach(() => {
  const access = { AWS_REGION: "us-west-2", AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "x" };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, value] of Object.entries({ ...access, AWS_ENDPOINT_URL: endpoint })) vi.stubEnv(name, value);
  process.chdir(mkdtempSync(join(inject("temporaryDirectory"), "environment-")));
});
afterEach(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
});

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
  expect(new Set(calls)).toEqual(new Set(["GetCallerIdentity", "DescribeStacks"]));
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
