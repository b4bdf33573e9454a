import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { deploy } from "../../../infra/deploy/deploy.ts";
import { deployedEnvironment, shellFile } from "../../../infra/stages/outputs.ts";
import { runHere } from "../local/runHere.ts";
import { noSuchStack, respondAsAws } from "./awsDouble.ts";

beforeEach(() => {
  // A machine without any settings for AWS.
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_CONFIG_FILE", "/nowhere/config");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere/credentials");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const run = (...parameters: string[]) => runHere(deploy, parameters);

/**
 * Puts a program `cdk` that records its calls in front of the real one on the path, and runs an STS that knows the caller.
 * @returns the calls in their order
 */
async function withCdk(body: () => Promise<void>): Promise<{ parameters: string[]; stage: string; region: string }[]> {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
  const note = join(directory, "note.json");
  const program = `#!/usr/bin/env node
    const { STAGE: stage, AWS_REGION: region } = process.env;
    require("node:fs").appendFileSync(${JSON.stringify(note)}, JSON.stringify({ parameters: process.argv.slice(2), stage, region }) + "\\n");`;
  writeFileSync(join(directory, "cdk"), program, { mode: 0o755 });
  await respondAsAws(() => noSuchStack);
  vi.stubEnv("PATH", `${directory}${delimiter}${process.env.PATH}`);
  await body();
  const lines = readFileSync(note, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("bootstrap first creates the permissions boundary of the stage in both regions, and then prepares the account there", async () => {
  const [boundary, other, called, ...others] = await withCdk(async () => {
    expect(await run("bootstrap", "--stage", "prod")).toEqual({
      code: 0,
      out: "Stage prod, account 123456789012, region us-west-2\n",
      err: "",
    });
  });
  const places = ["aws://123456789012/us-west-2", "aws://123456789012/us-east-2"];
  expect(called).toEqual({ parameters: ["bootstrap", ...places], stage: "prod", region: "us-west-2" });
  expect([boundary, other]).toMatchObject([
    { stage: "prod", region: "us-west-2" },
    { stage: "prod", region: "us-east-2" },
  ]);
  for (const each of [boundary, other]) {
    const [command, all, option, app] = each?.parameters ?? [];
    expect([command, all, option, app]).toEqual(["deploy", "--all", "--app", "node infra/permissions/boundary/app.ts"]);
  }
  expect(others).toEqual([]);
});

test("bootstrap limits deployments by a policy, which other commands do not accept", async () => {
  const policy = "arn:aws:iam::123456789012:policy/bounds";
  const called = await withCdk(async () => {
    expect((await run("bootstrap", "--stage", "prod", "--execution-policy", policy)).code).toBe(0);
  });
  expect(called.at(-1)?.parameters).toEqual([
    ...["bootstrap", "aws://123456789012/us-west-2", "aws://123456789012/us-east-2"],
    ...["--cloudformation-execution-policies", policy],
  ]);
  expect((await run("deploy", "--stage", "prod", "--execution-policy", policy)).err).toBe(
    "Unknown option '--execution-policy'. See npm run deploy -- --help\n",
  );
});

test.each([
  [["bootstrap"], "Name the stage with --stage. It must be one of mock, sandbox, prod.\n"],
  [["synth"], "Name the stage with --stage. It must be one of mock, sandbox, prod.\n"],
  [["synth", "--stage", "staging"], "Stage staging cannot be deployed. It must be one of mock, sandbox, prod.\n"],
  [["deploy", "--stage", "local"], "Stage local cannot be deployed. It must be one of mock, sandbox, prod.\n"],
  [
    ["deploy", "--stage", "constructor"],
    "Stage constructor cannot be deployed. It must be one of mock, sandbox, prod.\n",
  ],
  [["diff", "--stage", "mock", "--output", "x"], "Unknown option '--output'. See npm run diff -- --help\n"],
  [["synth", "--stage", "mock", "--at-once"], "Unknown option '--at-once'. See npm run synth -- --help\n"],
  [["rollback", "--stage", "mock", "--output", "x"], "Unknown option '--output'. See npm run rollback -- --help\n"],
  [["diff", "--stage", "mock"], "No region: set AWS_REGION, or AWS_PROFILE to a profile that has one.\n"],
])("%j is rejected in one line that says why", async (parameters, line) => {
  expect(await run(...parameters)).toEqual({ code: 1, out: "", err: line });
});

test("without credentials, the error says how to set them", async () => {
  vi.stubEnv("AWS_REGION", "us-east-1");
  const { code, err } = await run("diff", "--stage", "mock");
  expect([code, err]).toEqual([
    1,
    "No AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n",
  ]);
});

test("a stage with example addresses is not deployed", async () => {
  const { err } = await run("deploy", "--stage", "sandbox");
  expect(err).toMatch(/^Set appUrl, mailFrom, privacyUrl, supportEmail of stage sandbox in infra\/stages\/stages\.ts/);
});

test("the outputs of a deployment become the environment of the operator's programs", () => {
  const environment = deployedEnvironment("sandbox", "us-west-2", {
    "business-data-sandbox-data": { TableName: "table-1", ExportsOutputRefTable: "x", KmsKeyId: "arn:key" },
    "business-data-sandbox-api": { BaseUrl: "https://api.example.org", ApiEndpoint4F160690: "https://x" },
  });
  expect(environment).toMatchObject({
    AWS_REGION: "us-west-2",
    STAGE: "sandbox",
    TABLE_NAME: "table-1",
    KMS_KEY_ID: "arn:key",
    BASE_URL: "https://api.example.org",
  });
  expect(Object.keys(environment).join()).not.toMatch(/EXPORTS|ENDPOINT/);
});

test("a shell reads all values literally", () => {
  expect(shellFile({ A: "Ann's <a@b.c> $HOME", B: "" })).toBe("A='Ann'\\''s <a@b.c> $HOME'\nB=''\n");
});
