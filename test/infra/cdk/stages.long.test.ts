import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CelEngine, TemplateFile } from "@aws/cloudformation-validate";
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { bundle } from "../../../infra/bundle/bundle.ts";
import { maxBundleBytes } from "../../../infra/bundle/bundleSources.ts";
import { createApp } from "../../../infra/deploy/synthesize.ts";
import { background } from "../../../infra/stacks/background.ts";
import type { Operation } from "../../../shared/api/operation.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { type Assembled, assemble, type Template, templatesOf } from "./assembled.ts";
import { describeAccessLog } from "./describeAccessLog.ts";
import { describeAlarmMetrics } from "./describeAlarmMetrics.ts";
import { describeApi } from "./describeApi.ts";
import { describeBackground } from "./describeBackground.ts";
import { describeBoundary } from "./describeBoundary.ts";
import { describeCosts } from "./describeCosts.ts";
import { describeData } from "./describeData.ts";
import { describeFunctions } from "./describeFunctions.ts";
import { describeGatewayResponses } from "./describeGatewayResponses.ts";
import { describeMail } from "./describeMail.ts";
import { describeMock } from "./describeMock.ts";
import { describePipeline } from "./describePipeline.ts";
import { describePolicies } from "./describePolicies.ts";
import { describeRecovery } from "./describeRecovery.ts";
import { describeReleases } from "./describeReleases.ts";
import { describeRestored } from "./describeRestored.ts";
import { describeSnapshots } from "./describeSnapshots.ts";
import { describeWebAcl } from "./describeWebAcl.ts";

// Synthesizing takes some ten seconds. All tests of templates are therefore in this file, by topic.

let assembled: Assembled;

beforeAll(async () => {
  // A broken rule of cdk-nag makes it fail.
  assembled = await assemble();
});

const stacksOf = (): [string, Template][] =>
  Object.entries(assembled.templates).flatMap(([stage, stacks]) =>
    Object.entries(stacks).map(([stack, template]): [string, Template] => [`${stage} ${stack}`, template]),
  );

describe("every stage", () => {
  // CloudFormation accepts at most 500 resources in a stack. The others are a reserve for a release that has to keep the
  // resources of former routes.
  test("has room for fifty more operations: no stack has more than 400 resources then", () => {
    const bundles = mkdtempSync(join(inject("temporaryDirectory"), "room-"));
    const [model = expect.fail()] = operationRegistry.filter(({ handler }) => handler === "customers/getCustomer");
    const [route] = model.routes;
    const more: Operation[] = Array.from({ length: 50 }, (_, i) => ({
      ...model,
      handler: `more${i % 3}/made${i}`,
      // Each operation has its own path, although most of today's operations share some.
      routes: [{ ...route, path: `/crbs/{crb_id}/made-${i}` }],
    }));
    const operations = [...operationRegistry, ...more];
    const handlers = [...operations, ...pages, ...Object.values(background)].map(({ handler }) => handler);
    for (const handler of handlers) {
      mkdirSync(join(bundles, handler), { recursive: true });
      writeFileSync(join(bundles, handler, "index.mjs"), "");
    }
    // The project's own stages find faults of a resource.
    vi.stubEnv("CDK_VALIDATION", "false");
    onTestFinished(() => void vi.unstubAllEnvs());
    const assembly = createApp("prod", bundles, {}, { outdir: join(bundles, "out") }, { operations }).synth();
    const templates = Object.entries(templatesOf(assembly));
    expect(templates.length).toBeGreaterThan(14);
    for (const [name, template] of templates) {
      expect(Object.keys(template.json.Resources).length, name).toBeLessThanOrEqual(400);
    }
  });

  test("has templates without indentation, which have a limit of 1 MB", () => {
    for (const file of assembled.files) expect(readFileSync(file, "utf8").trimEnd(), file).not.toContain("\n");
  });

  test("exports and imports only the buckets of documents and of the access log, which no release removes", () => {
    for (const [name, { json }] of stacksOf()) {
      for (const { Export, Value } of Object.values(json.Outputs ?? {}))
        if (Export) expect(JSON.stringify(Value), name).toMatch(/"(Documents|AccessRecords)\w+"/);
      for (const [, imported] of JSON.stringify(json).matchAll(/"Fn::ImportValue":("[^"]*"|.)/g))
        expect(imported, name).toMatch(/^"business-data-\w+-data:ExportsOutput\w*(Documents|AccessRecords)/);
    }
  });

  test("gives the reason for each broken rule in a sentence", () => {
    const all = Object.values(assembled.reasons).flat();
    expect(all.length).toBeGreaterThan(0);
    for (const { id, construct, reason } of all) expect(reason, `${construct} ${id}`).toMatch(/^[A-Z].{15,}\.$/);
  });

  test("has no secret in its templates, and no two resources with the same name", () => {
    for (const [name, { json }] of stacksOf()) {
      expect(JSON.stringify(json), name).not.toMatch(/AKIA|aws_secret|BEGIN [A-Z ]*PRIVATE KEY/);
      const groups = Object.values(json.Resources).flatMap(({ Properties }) => Properties?.LogGroupName ?? []);
      expect(new Set(groups).size).toBe(groups.length);
    }
  });
});

test("the templates of every stage are valid CloudFormation", () => {
  const { files } = assembled;
  expect(files).toHaveLength(stacksOf().length);
  const engine = new CelEngine();
  try {
    for (const file of files) {
      const { diagnostics } = engine.validateStandard(new TemplateFile(file), { severityLevel: "ERROR" });
      expect(diagnostics, file).toEqual([]);
    }
  } finally {
    engine.free();
  }
}, 300_000);

test("every bundle is below 500 KB minified, even the worker's with the real POS systems", async () => {
  const directory = mkdtempSync(join(inject("temporaryDirectory"), "prod-"));
  const real = await bundle("prod", [background.ReplicationWorker], directory);
  const tooBig = [...assembled.bundles, ...real].filter(({ bytes }) => bytes === 0 || bytes > maxBundleBytes);
  expect(tooBig).toEqual([]);
});

describeData(() => assembled);
describeAccessLog(() => assembled);
describeFunctions(() => assembled);
describePolicies(() => assembled);
describeApi(() => assembled);
describeGatewayResponses(() => assembled);
describeWebAcl(() => assembled);
describeBackground(() => assembled);
describeAlarmMetrics(() => assembled);
describeMail();
describeMock(() => assembled);
describeCosts(() => assembled);
describeRestored(() => assembled);
describeSnapshots(() => assembled);
describePipeline(() => assembled);
describeBoundary(() => assembled);
describeReleases(() => assembled);
describeRecovery(() => assembled);
