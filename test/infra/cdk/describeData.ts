import { App } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { DataStack } from "../../../infra/stacks/dataStack.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { type Assembled, Template } from "./assembled.ts";

/** The stores of a stage. */
export function describeData(assembled: () => Assembled): void {
  test("pages that may call the API may also send files to upload links and read downloads", () => {
    const settings: StageSettings = { ...stages.prod, allowedOrigins: ["https://app.example.org"] };
    const stage: DeployedStage = { name: "prod", settings, aws: stages.prod.aws, bundles: "", release: "1.0.0" };
    const template = new Template(Synthesized.fromStack(new DataStack(new App(), "Open", { stage })).toJSON());
    const { CorsConfiguration } = template.one("S3::Bucket", "Documents");
    expect(CorsConfiguration.CorsRules).toEqual([
      {
        AllowedOrigins: ["https://app.example.org", "https://app.example.com"],
        AllowedMethods: ["PUT", "GET"],
        AllowedHeaders: ["content-type", "if-none-match"],
        MaxAge: 7200,
      },
    ]);
  });

  test("a first deployment that fails removes its stores, so that it can be tried again", () => {
    const settings: StageSettings = stages.prod;
    const stage: DeployedStage = { name: "prod", settings, aws: stages.prod.aws, bundles: "", release: "1.0.0" };
    const templateOf = (isNew: boolean) =>
      new Template(Synthesized.fromStack(new DataStack(new App(), "First", { stage, isNew })).toJSON());
    const [[, first] = expect.fail()] = Object.entries(templateOf(true).all("DynamoDB::Table"));
    expect(first).toMatchObject({
      DeletionPolicy: "RetainExceptOnCreate",
      Properties: { DeletionProtectionEnabled: false },
    });
    expect(templateOf(false).one("DynamoDB::Table").DeletionProtectionEnabled).toBe(true);
  });

  describe.each(["sandbox", "prod"] as const)("the data of %s", (stage) => {
    const template = () => assembled().templates[stage].Data ?? expect.fail();

    test("creates the log after all resources that can fail, since its bucket cannot be removed", () => {
      const [[, { DependsOn = [] }] = expect.fail()] = Object.entries(template().all("CloudTrail::Trail"));
      const kept = ["DynamoDB::Table", "S3::Bucket", "SecretsManager::Secret", "KMS::Key"];
      const ids = kept.flatMap((type) => Object.keys(template().all(type)));
      // The table waits for its key.
      const others = ids.filter((id) => !id.startsWith("DataKey"));
      expect(DependsOn).toEqual(expect.arrayContaining([...others, expect.stringMatching(/^AccessRecordsPolicy/)]));
    });
  });
}
