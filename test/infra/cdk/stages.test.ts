import { beforeAll, describe, expect, test } from "vitest";
import { mostBundleBytes } from "../../../infra/bundleSources.ts";
import { type Assembled, assemble, type Template } from "./assembled.ts";
import { describeApi } from "./describeApi.ts";
import { describeBackground } from "./describeBackground.ts";
import { describeData } from "./describeData.ts";
import { describeFunctions } from "./describeFunctions.ts";
import { describeMock } from "./describeMock.ts";
import { describePolicies } from "./describePolicies.ts";
import { describeRestored } from "./describeRestored.ts";
import { describeWebAcl } from "./describeWebAcl.ts";

// Synthesizing takes some ten seconds, so that everything that looks at templates does so here, by topic.

let assembled: Assembled;

beforeAll(async () => {
  // A broken rule of cdk-nag ends it.
  assembled = await assemble();
});

const stacksOf = (): [string, Template][] =>
  Object.entries(assembled.templates).flatMap(([stage, stacks]) =>
    Object.entries(stacks).map(([stack, template]): [string, Template] => [`${stage} ${stack}`, template]),
  );

describe("every stage", () => {
  test("consists of its stacks", () => {
    expect(stacksOf().map(([name]) => name)).toEqual([
      "mock Mock",
      ...["sandbox", "prod"].flatMap((stage) =>
        ["Data", "Background", "Api", "Monitoring"].map((stack) => `${stage} ${stack}`),
      ),
    ]);
  });

  test("has fewer than 450 resources a stack", () => {
    for (const [name, { json }] of stacksOf()) expect(Object.keys(json.Resources).length, name).toBeLessThan(450);
  });

  test("says why it breaks a rule, in a sentence", () => {
    const all = Object.values(assembled.reasons).flat();
    expect(all.length).toBeGreaterThan(0);
    for (const { id, construct, reason } of all) expect(reason, `${construct} ${id}`).toMatch(/^[A-Z].{15,}\.$/);
  });

  test("names no secret, and no resource twice by the same name", () => {
    for (const [name, { json }] of stacksOf()) {
      expect(JSON.stringify(json), name).not.toMatch(/AKIA|aws_secret|BEGIN [A-Z ]*PRIVATE KEY/);
      const groups = Object.values(json.Resources).flatMap(({ Properties }) => Properties?.LogGroupName ?? []);
      expect(new Set(groups).size).toBe(groups.length);
    }
  });
});

test("no bundle is above 500 KB minified", () => {
  const tooBig = assembled.bundles.filter(({ bytes }) => bytes === 0 || bytes > mostBundleBytes);
  expect(tooBig).toEqual([]);
});

describeData(() => assembled);
describeFunctions(() => assembled);
describePolicies(() => assembled);
describeApi(() => assembled);
describeWebAcl(() => assembled);
describeBackground(() => assembled);
describeMock(() => assembled);
describeRestored(() => assembled);
