import { App, Stack, Tags } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { describe, expect, test } from "vitest";
import { recoveryIssues } from "../../../infra/constructs/replicatedKeys.ts";
import { watchSpend } from "../../../infra/monitoring/costAlarms.ts";
import { DataStack } from "../../../infra/stacks/dataStack.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { type Assembled, Template } from "./assembled.ts";

/** The copies of a stage in its recovery region. */
export function describeRecovery(assembled: () => Assembled): void {
  describe("prod, in case its region is lost,", () => {
    const stack = (name: string) => assembled().templates.prod[name] ?? expect.fail();
    const there = stages.prod.aws.recoveryRegion;

    test("exports the changes of the table there, and keeps them longer than any copy of the table", () => {
      const bucket = stack("RecoveryKeys").one("S3::Bucket", "Changes");
      const [exporter = expect.fail()] = stack("Workers")
        .properties("Lambda::Function")
        .filter(({ Description }) => Description === "functions/copies/exporter.ts");
      const { CHANGES_BUCKET, CHANGES_REGION, TABLE_ARN } = exporter.Environment.Variables;
      expect([CHANGES_BUCKET, CHANGES_REGION]).toEqual([bucket.BucketName, there]);
      expect(TABLE_ARN).toBeDefined();
      const [{ ExpirationInDays }] = bucket.LifecycleConfiguration.Rules;
      const days = Object.values(stack("Data").all("Backup::BackupPlan")).map(
        ({ Properties }) => Properties.BackupPlan.BackupPlanRule[0].CopyActions[0].Lifecycle.DeleteAfterDays,
      );
      expect(ExpirationInDays).toBeGreaterThan(Math.max(...days));
      expect(bucket.PublicAccessBlockConfiguration.RestrictPublicBuckets).toBe(true);
    });

    test("copies the files of ended associations, which no other principal of the stage can read", () => {
      const reading = (stage: "prod" | "sandbox") =>
        (assembled().templates[stage].Data ?? expect.fail())
          .properties("S3::BucketPolicy")
          .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
          .filter(({ Condition }) => JSON.stringify(Condition ?? "").includes("ExistingObjectTag"))
          .map(({ Principal, Condition: { ArnNotEquals } }) => ({ Principal, ArnNotEquals }));
      const copier = { "aws:PrincipalArn": { "Fn::GetAtt": [expect.stringMatching(/^Copier/), "Arn"] } };
      expect(reading("prod")).toEqual([{ Principal: { AWS: "*" }, ArnNotEquals: copier }]);
      expect(reading("sandbox")).toEqual([{ Principal: { AWS: "*" }, ArnNotEquals: undefined }]);
    });

    test("is not synthesized without a key of its own, since the copies would have none", () => {
      const { aws } = stages.prod;
      const issues = (customerManagedKey: boolean) =>
        recoveryIssues("prod", { ...stages.prod, aws: { ...aws, customerManagedKey } });
      expect([issues(true), issues(false)]).toEqual([
        [],
        [expect.stringMatching(/^Set customerManagedKey of stage prod/)],
      ]);
    });

    test("uses these replicas instead of new keys after it has been deployed there", () => {
      const arn = (service: string, name: string) => `arn:aws:${service}:us-east-2:123456789012:${name}`;
      const recovered = {
        sealingKey: arn("kms", "key/mrk-1"),
        serviceKey: arn("secretsmanager", "secret:service-abcdef"),
        addressKey: arn("secretsmanager", "secret:address-abcdef"),
        partnerKeys: arn("secretsmanager", "secret:partners-abcdef"),
      };
      const settings: StageSettings = stages.prod;
      const aws = { ...stages.prod.aws, recoveryRegion: "eu-west-1", recovered };
      const stage: DeployedStage = { name: "prod", settings, aws, bundles: "", release: "1.0.0" };
      const data = new DataStack(new App(), "Recovered", { stage });
      const template = new Template(Synthesized.fromStack(data).toJSON());
      expect(Object.keys(template.all("KMS::Key"))).toEqual([expect.stringMatching(/^DataKey/)]);
      expect(template.all("SecretsManager::Secret")).toEqual({});
      const keys = [
        data.sealingKey.keyArn,
        ...[data.serviceKey, data.addressKey, data.partnerKeys].map((key) => key?.secretArn),
      ];
      expect(keys).toEqual(Object.values(recovered));
      expect(template.json.Outputs?.KmsKeyId?.Value).toBe(recovered.sealingKey);
    });
  });

  test("a stage with watchesAnomalies gets messages about unusual costs", () => {
    const app = new App();
    Tags.of(app).add("stage", "prod");
    Tags.of(app).add("release", "1.0.0", { includeResourceTypes: ["aws:cdk:stack"] });
    const stack = new Stack(app, "Spend", { env: { region: "us-west-2" } });
    const aws = { ...stages.prod.aws, watchesAnomalies: true };
    watchSpend(
      stack,
      { name: "prod", settings: stages.prod, aws, bundles: "", release: "1.0.0" },
      300,
      new Topic(stack, "Topic"),
    );
    const template = new Template(Synthesized.fromStack(stack).toJSON());
    const [topic] = Object.keys(template.all("SNS::Topic"));
    expect(template.one("CE::AnomalySubscription")).toMatchObject({
      SubscriptionName: "business-data-prod-us-west-2",
      Frequency: "IMMEDIATE",
      Subscribers: [{ Type: "SNS", Address: { Ref: topic } }],
    });
    const { MonitorName, MonitorSpecification } = template.one("CE::AnomalyMonitor");
    expect(MonitorName).toBe("business-data-prod-us-west-2");
    // The tags of a monitor cannot be changed, and those of a release change with each deployment.
    expect(app.synth().getStackArtifact(stack.artifactId).tags).toEqual({ stage: "prod" });
    expect(JSON.parse(MonitorSpecification)).toEqual({ Tags: { Key: "stage", Values: ["prod"] } });
  });
}
