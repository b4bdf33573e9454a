import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { stacksOf, templateOf } from "../../../../infra/deploy/release/assembly.ts";

const assembly = mkdtempSync(join(inject("temporaryDirectory"), "assembly-"));
const stackTemplateAssetObjectUrl = ["s3://cdk-x-assets", "{AWS::AccountId}-", "{AWS::Region}/abc.json"]
  .join("$")
  .replace("$", "-$");
const properties = { stackName: "business-data-prod-workers", stackTemplateAssetObjectUrl };
const artifacts = { Workers: { type: "aws:cloudformation:stack", properties }, Tree: { type: "cdk:tree" } };
writeFileSync(join(assembly, "manifest.json"), JSON.stringify({ artifacts }));

test("an assembly names its stacks, and where each template is in an account and region", () => {
  expect(stacksOf(assembly)).toEqual(["business-data-prod-workers"]);
  const place = { account: "123456789012", region: "us-west-2" };
  expect(templateOf(assembly, "Workers", place)).toBe("cdk-x-assets-123456789012-us-west-2/abc.json");
  expect(() => templateOf(assembly, "Api", place)).toThrow(/has no template of Api/);
});
