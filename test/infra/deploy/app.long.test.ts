import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { Template } from "../cdk/assembled.ts";

test("the CDK's program puts the values that deploy finds in an account into the templates", async () => {
  const outdir = mkdtempSync(join(inject("temporaryDirectory"), "app-"));
  const variables = { STAGE: "sandbox", ACCOUNT_CONCURRENCY: "3001", CDK_OUTDIR: outdir };
  await promisify(execFile)(process.execPath, ["infra/deploy/app.ts"], { env: { ...process.env, ...variables } });
  const template = (name: string) =>
    new Template(JSON.parse(readFileSync(join(outdir, `${name}.template.json`), "utf8")));
  expect(template("Monitoring").one("CloudWatch::Alarm", "accountconcurrency").Threshold).toBe(2_400);
}, 120_000);
