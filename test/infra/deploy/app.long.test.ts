import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

test("the CDK's program writes an assembly that is the same for every account and region", async () => {
  const outdir = mkdtempSync(join(inject("temporaryDirectory"), "app-"));
  const variables = { STAGE: "mock", CDK_OUTDIR: outdir, CDK_DEFAULT_ACCOUNT: "1", CDK_DEFAULT_REGION: "us-west-2" };
  await promisify(execFile)(process.execPath, ["infra/deploy/app.ts"], { env: { ...process.env, ...variables } });
  const { artifacts } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
  expect(artifacts.Mock).toMatchObject({
    environment: "aws://unknown-account/unknown-region",
    properties: { stackName: "business-data-mock-api" },
  });
}, 120_000);

test("only the CDK's program requests the stage by a variable", async () => {
  const { STAGE: _, ...env } = process.env;
  const started = promisify(execFile)(process.execPath, ["infra/deploy/app.ts"], { env });
  await expect(started).rejects.toMatchObject({
    stderr: expect.stringContaining("Name the stage with the environment variable STAGE. It must be one of mock,"),
  });
});
