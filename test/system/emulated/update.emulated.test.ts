import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from "@aws-sdk/client-cloudformation";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { answerOf } from "../../client/answerOf.ts";
import { apiClient } from "../../client/apiClient.ts";
import { oneStackApi } from "../../oneStackApi.ts";
import { account, region } from "../deployed/template.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { keptResources } from "./keptResources.ts";
import { createServiceProvider, useDeployed } from "./operate.ts";
import { usePlaceholders } from "./placeholders.ts";
import { Releases } from "./releases.ts";

// Uses a separate emulator, because the stage has the same name.

let emulator: Emulator;
let releases: Releases;

beforeAll(async () => {
  emulator = await startEmulator();
  for (const [name, value] of Object.entries(emulator.environment)) vi.stubEnv(name, value);
  releases = new Releases(emulator);
  await releases.bundle();
  await releases.bootstrap();
}, 600_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator?.stop();
});

/** Deploys the previous version of the stage and returns the outputs of its stacks. */
async function deployPast(): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "past-"));
  const file = (name: string) => join(directory, `${name}.template.json`);
  for (const [name, template] of Object.entries(oneStackApi())) writeFileSync(file(name), JSON.stringify(template));
  usePlaceholders(directory);
  const [cloudFormation, s3] = [new CloudFormationClient({}), new S3Client({})];
  const Bucket = `cdk-hnb659fds-assets-${account}-${region}`;
  const byKey: Record<string, string> = {};
  try {
    for (const StackName of Object.keys(oneStackApi())) {
      await s3.send(new PutObjectCommand({ Bucket, Key: StackName, Body: readFileSync(file(StackName)) }));
      const TemplateURL = `${emulator.endpoint}/${Bucket}/${StackName}`;
      const Capabilities = ["CAPABILITY_NAMED_IAM"] as const;
      await cloudFormation.send(new CreateStackCommand({ StackName, TemplateURL, Capabilities: [...Capabilities] }));
      await waitUntilStackCreateComplete({ client: cloudFormation, maxWaitTime: 120, minDelay: 1 }, { StackName });
      const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
      for (const { OutputKey = "", OutputValue = "" } of Stacks[0]?.Outputs ?? []) byKey[OutputKey] = OutputValue;
    }
  } finally {
    cloudFormation.destroy();
    s3.destroy();
  }
  return byKey;
}

test("a stage that was deployed when its API was one stack can be updated, keeps its data, and works", async () => {
  const past = await deployPast();
  const before = await keptResources(emulator);
  expect(Object.keys(before).length).toBeGreaterThan(9);
  useDeployed(past);
  const { sp_id, credential } = await createServiceProvider();

  await releases.deploy(releases.synthesize());
  expect(await keptResources(emulator)).toMatchObject(before);
  expect(releases.outputs.BaseUrl).toBe(past.BaseUrl);
  const sp = apiClient({ baseUrl: releases.baseUrl, credential });
  const read = await sp.GET("/service-providers/{sp_id}", { params: { path: { sp_id } } });
  expect(answerOf(read)).toMatchObject({ id: sp_id });
}, 400_000);
