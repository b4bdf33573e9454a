import { CreateRoleCommand, GetPolicyVersionCommand, IAMClient } from "@aws-sdk/client-iam";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deployBoundary } from "../../../infra/deploy/deployBoundary.ts";
import { checkBoundary } from "../../../infra/deploy/preflight/boundary.ts";
import { boundaryName, boundaryStatements } from "../../../infra/permissions/boundary/boundary.ts";
import { pipeline } from "../../../infra/pipeline/pipeline.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { runHere } from "../../infra/local/runHere.ts";
import { account, region } from "../deployed/template.ts";
import { type Emulator, startEmulator } from "./emulator.ts";

// The emulator enforces no policy, and its CloudFormation ignores permission boundaries of roles. The tests show what
// the programs create.

let emulator: Emulator;
let iam: IAMClient;

beforeAll(async () => {
  emulator = await startEmulator();
  for (const [name, value] of Object.entries(emulator.environment)) vi.stubEnv(name, value);
  iam = new IAMClient({ region });
}, 300_000);

afterAll(async () => {
  iam?.destroy();
  vi.unstubAllEnvs();
  await emulator?.stop();
});

const prepare = (stage: string) =>
  runHere(pipeline, ["--stage", stage, "--repository", "acme/data", "--no-provider", "--yes"]);

test("the bootstrap creates the permissions boundary of a stage", async () => {
  const { recoveryRegion: _, ...aws } = stages.prod.aws;
  const planned = { stage: "prod", region, settings: { ...stages.prod, aws } } as const;
  expect(await checkBoundary(planned)).toEqual([expect.stringContaining("no permissions boundary")]);
  await deployBoundary("prod", region);
  expect(await checkBoundary(planned)).toEqual([]);
  const PolicyArn = `arn:aws:iam::${account}:policy/${boundaryName("prod", region)}`;
  const { PolicyVersion } = await iam.send(new GetPolicyVersionCommand({ PolicyArn, VersionId: "v1" }));
  const { Statement } = JSON.parse(decodeURIComponent(PolicyVersion?.Document ?? ""));
  const place = { PARTITION: "aws", ACCOUNT_ID: account, REGION: region };
  expect(Statement).toHaveLength(boundaryStatements(place, "prod").length);
}, 300_000);

test("an account gets the pipeline of one stage, which can be changed, and no other stage's", async () => {
  for (let i = 0; i < 2; i++) {
    const { code, out } = await prepare("prod");
    expect(code, out).toBe(0);
    expect(out).toMatch(/RoleArn +arn:aws:iam::\d+:role\/pipeline-of-business-data-Prod/);
    expect(out).toMatch(/PolicyArns +(arn:aws:iam::\d+:policy\/pipeline-of-business-data-\w+-\w+,?){3}/);
  }
  const { code, err } = await prepare("sandbox");
  expect(code).toBe(1);
  expect(err).toMatch(/^Account \d+ has a pipeline that deploys stage prod \(role pipeline-of-business-data-Prod/);
}, 300_000);

test("an account with a stage gets no pipeline of another stage", async () => {
  await iam.send(new CreateRoleCommand({ RoleName: "business-data-sandbox-api-Role", AssumeRolePolicyDocument: "{}" }));
  const { code, err } = await prepare("prod");
  expect(code).toBe(1);
  expect(err).toMatch(/^Account \d+ has stage sandbox \(role business-data-sandbox-api-Role\)/);
}, 300_000);
