import { App, Stack, Tags } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { describe, expect, test } from "vitest";
import { recoveryIssues } from "../../../infra/constructs/replicatedKeys.ts";
import { watchSpend } from "../../../infra/monitoring/costAlarms.ts";
import { DataStack } from "../../../infra/stacks/dataStack.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { type Assembled, type Properties, Template } from "./assembled.ts";
import { resolved } from "./resolved.ts";

/** The copies of a stage in its recovery region. */
export function describeRecovery(assembled: () => Assembled): void {
  describe("prod, in case its region is lost,", () => {
    const stack = (name: string) => assembled().templates.prod[name] ?? expect.fail();
    const there = stages.prod.aws.recoveryRegion;

    test.each([
      ["the table on six days a month", "DynamoDB::Table", "Table", "cron(0 7 1,6,11,16,21,26 * ? *)", 2, 8],
      // The first copy of a large bucket takes days.
      ["the documents each night", "S3::Bucket", "Documents", "cron(0 7 * * ? *)", 7, 7],
    ])("backs up %s, and copies the backup to the other region", (_, type, name, when, days, copyDays) => {
      const [resource = ""] = Object.keys(stack("Data").all(type)).filter((id) => id.startsWith(name));
      const selections = stack("Data")
        .properties("Backup::BackupSelection")
        .filter(({ BackupSelection }) => JSON.stringify(BackupSelection.Resources).includes(`"${resource}"`));
      const [{ BackupSelection, BackupPlanId } = expect.fail(), ...others] = selections;
      expect([others, BackupSelection.Resources.length]).toEqual([[], 1]);
      const [planId] = BackupPlanId["Fn::GetAtt"];
      const plan = stack("Data").all("Backup::BackupPlan")[planId] ?? expect.fail();
      const { BackupPlanRule } = plan.Properties.BackupPlan;
      expect(BackupPlanRule).toEqual([
        expect.objectContaining({
          ScheduleExpression: when,
          Lifecycle: { DeleteAfterDays: days },
          CopyActions: [{ DestinationBackupVaultArn: expect.anything(), Lifecycle: { DeleteAfterDays: copyDays } }],
        }),
      ]);
      const [{ CopyActions }] = BackupPlanRule;
      const { BackupVaultName } = stack("Recovery").one("Backup::BackupVault");
      expect(JSON.stringify(CopyActions)).toContain(`:backup:${there}:123456789012:backup-vault:${BackupVaultName}`);
    });

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

    test("encrypts the exported changes with the replica of the data key", () => {
      const { BucketEncryption } = stack("RecoveryKeys").one("S3::Bucket", "Changes");
      expect(BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: {
            SSEAlgorithm: "aws:kms",
            KMSMasterKeyID: { "Fn::GetAtt": ["DataKey", "Arn"] },
          },
        },
      ]);
      const [exporter = expect.fail()] = stack("Workers")
        .properties("Lambda::Function")
        .filter(({ Description }) => Description === "functions/copies/exporter.ts");
      expect(JSON.stringify(exporter.Environment.Variables.CHANGES_KEY)).toMatch(
        new RegExp(`:kms:${there}:123456789012:key/",{"Fn::GetStackOutput":\\S+OutputRefDataKey`),
      );
    });

    test("lets only the restore role read the copies in buckets there", () => {
      const buckets = ["Recovery", "RecoveryKeys"].flatMap((name) => Object.keys(stack(name).all("S3::Bucket")));
      expect(buckets).toEqual([expect.stringMatching(/^Journal/), expect.stringMatching(/^Changes/)]);
      const denials = ["Recovery", "RecoveryKeys"].flatMap((name) =>
        stack(name)
          .properties("S3::BucketPolicy")
          .map(({ Bucket, PolicyDocument }) => [
            Bucket.Ref,
            PolicyDocument.Statement.filter(({ Condition }: Properties) => "ArnNotEquals" in Condition),
          ]),
      );
      expect(denials).toEqual(
        buckets.map((bucket) => [
          bucket,
          [
            {
              Effect: "Deny",
              Principal: { AWS: "*" },
              Action: ["s3:GetObject", "s3:GetObjectVersion"],
              Resource: { "Fn::Join": ["", [{ "Fn::GetAtt": [bucket, "Arn"] }, "/*"]] },
              Condition: { ArnNotEquals: { "aws:PrincipalArn": expect.anything() } },
            },
          ],
        ]),
      );
      const principals = denials.map(([, [{ Condition }]]) => resolved(Condition.ArnNotEquals["aws:PrincipalArn"]));
      expect(new Set(principals)).toEqual(
        new Set([`arn:aws:iam::123456789012:role/restore-of-business-data-prod-${there}`]),
      );
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

    test("copies the journal there immediately, and none of its documents", () => {
      const { ReplicationConfiguration } = stack("Data").one("S3::Bucket", "Documents");
      const copy = stack("Recovery").one("S3::Bucket", "Journal");
      expect(copy.VersioningConfiguration).toEqual({ Status: "Enabled" });
      expect(ReplicationConfiguration.Rules).toEqual([
        expect.objectContaining({
          Status: "Enabled",
          Filter: { Prefix: "journal/" },
          SourceSelectionCriteria: { SseKmsEncryptedObjects: { Status: "Enabled" } },
        }),
      ]);
      const [{ Destination }] = ReplicationConfiguration.Rules;
      expect(JSON.stringify(Destination.Bucket)).toContain(copy.BucketName);
      expect(Destination.ReplicationTime).toEqual({ Status: "Enabled", Time: { Minutes: 15 } });
      expect(JSON.stringify(Destination.EncryptionConfiguration)).toMatch(
        new RegExp(`:kms:${there}:123456789012:key/",{"Ref":"DataKey`),
      );
    });

    test("has replicas of its keys and secrets there", () => {
      for (const key of stack("Data").properties("KMS::Key")) expect(key.MultiRegion).toBe(true);
      for (const secret of stack("Data").properties("SecretsManager::Secret")) {
        expect(secret.ReplicaRegions).toEqual([{ Region: there }]);
      }
      const replicas = stack("RecoveryKeys").all("KMS::ReplicaKey");
      expect(Object.keys(replicas)).toEqual(["SealingKey", "DataKey"]);
      for (const [id, { Properties, DeletionPolicy }] of Object.entries(replicas)) {
        expect(DeletionPolicy).toBe("RetainExceptOnCreate");
        expect(Properties.PrimaryKeyArn).toEqual({ Ref: `${id}Arn` });
        // The same principals as for the primary: users of the region's table and documents, and the account's administrators.
        const allowed = JSON.stringify(Properties.KeyPolicy);
        expect(allowed).toContain(":root");
        expect(allowed.includes(`s3.${there}.amazonaws.com`)).toBe(id === "DataKey");
      }
    });

    test("has a role there that can restore both", () => {
      const [[id, { Properties }] = expect.fail(), ...others] = Object.entries(stack("Recovery").all("IAM::Role"));
      expect(others).toEqual([]);
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "backup.amazonaws.com" } },
      ]);
      expect((resolved(Properties.ManagedPolicyArns) as string[]).sort()).toEqual([
        "arn:aws:iam::aws:policy/AWSBackupServiceRolePolicyForS3Restore",
        "arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForRestores",
      ]);
      expect(stack("Recovery").json.Outputs?.RestorerRole?.Value).toEqual({ "Fn::GetAtt": [id, "Arn"] });
    });

    test("keeps the copies even without their stacks", () => {
      for (const type of ["Backup::BackupVault", "S3::Bucket"]) {
        for (const { DeletionPolicy } of ["Recovery", "RecoveryKeys"].flatMap((name) =>
          Object.values(stack(name).all(type)),
        )) {
          expect(DeletionPolicy, type).toBe("RetainExceptOnCreate");
        }
      }
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

  test("the sandbox has no other region, and its keys are not replicated", () => {
    const { Data, Recovery } = assembled().templates.sandbox;
    expect(Recovery).toBeUndefined();
    for (const key of Data?.properties("KMS::Key") ?? expect.fail()) expect(key.MultiRegion).toBeUndefined();
    for (const bucket of Data?.properties("S3::Bucket") ?? []) expect(bucket.ReplicationConfiguration).toBeUndefined();
  });

  test.each(["sandbox", "prod"] as const)("the budget of %s sends to the topic of its alarms", (stage) => {
    const template = assembled().templates[stage].Monitoring ?? expect.fail();
    const [topic] = Object.keys(template.all("SNS::Topic"));
    const { Budget, NotificationsWithSubscribers } = template.one("Budgets::Budget");
    expect(Budget).toMatchObject({
      BudgetLimit: { Amount: stages[stage].aws.monthlyBudget, Unit: "USD" },
      TimeUnit: "MONTHLY",
      CostFilters: { TagKeyValue: [`user:stage$${stage}`] },
    });
    const notified = NotificationsWithSubscribers.map(({ Notification, Subscribers }: Record<string, object>) => [
      Notification,
      Subscribers,
    ]);
    const subscribers = [{ SubscriptionType: "SNS", Address: { Ref: topic } }];
    expect(notified).toEqual([
      [expect.objectContaining({ NotificationType: "ACTUAL", Threshold: 80 }), subscribers],
      [expect.objectContaining({ NotificationType: "FORECASTED", Threshold: 100 }), subscribers],
    ]);
    // The account can have each name once, but the stage may be in two regions.
    expect(Budget).not.toHaveProperty("BudgetName");
    const dashboard = assembled().templates[stage].Api?.one("CloudWatch::Dashboard").DashboardName;
    expect(JSON.stringify(dashboard)).toContain(stage === "prod" ? "prod-us-west-2" : '{"Ref":"AWS::Region"}');
    // Member accounts of an organization cannot have a monitor for a tag.
    expect(template.all("CE::AnomalyMonitor")).toEqual({});
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
