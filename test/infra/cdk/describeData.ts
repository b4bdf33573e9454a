import { App } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { DataStack } from "../../../infra/stacks/dataStack.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { tableIndexes, tableKeys } from "../../../shared/store/schema.ts";
import { type Assembled, Template } from "./assembled.ts";

/** What a stage keeps. */
export function describeData(assembled: () => Assembled): void {
  test("pages that may call the API may send files to upload links and read downloads", () => {
    const settings: StageSettings = { ...stages.prod, allowedOrigins: ["https://app.example.org"] };
    const stage: DeployedStage = { name: "prod", settings, aws: stages.prod.aws, bundles: "" };
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

  test("what was never deployed is not protected from being taken back, so that it can be tried again", () => {
    const settings: StageSettings = stages.prod;
    const stage: DeployedStage = { name: "prod", settings, aws: stages.prod.aws, bundles: "" };
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

    test("is in one table of the keys and indexes of schema.ts, on demand, and can be brought back", () => {
      const table = template().one("DynamoDB::Table");
      const hash = { AttributeName: tableKeys.hash, KeyType: "HASH" };
      expect(table).toMatchObject({
        BillingMode: "PAY_PER_REQUEST",
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { AttributeName: tableKeys.timeToLive, Enabled: true },
        KeySchema: [hash, { AttributeName: tableKeys.range, KeyType: "RANGE" }],
        GlobalSecondaryIndexes: Object.entries(tableIndexes).map(([IndexName, range]) => ({
          IndexName,
          KeySchema: [hash, { AttributeName: range, KeyType: "RANGE" }],
          Projection: { ProjectionType: "ALL" },
        })),
      });
      expect(table.SSESpecification?.SSEType).toBe(stage === "prod" ? "KMS" : undefined);
    });

    test("outlives its stack, once it was there", () => {
      const kept = ["DynamoDB::Table", "S3::Bucket", "SecretsManager::Secret", "KMS::Key"];
      for (const type of kept) {
        for (const { DeletionPolicy } of Object.values(template().all(type))) {
          expect(DeletionPolicy, type).toBe("RetainExceptOnCreate");
        }
      }
    });

    test("has its documents in a bucket that is closed, versioned and swept", () => {
      const bucket = template().one("S3::Bucket", "Documents");
      expect(bucket).toMatchObject({
        VersioningConfiguration: { Status: "Enabled" },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      });
      expect(bucket.LifecycleConfiguration.Rules).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } }),
          expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
        ]),
      );
      // Neither the journal nor any document ends by itself: nothing but uploads does.
      const ending = bucket.LifecycleConfiguration.Rules.filter(
        (rule: Record<string, unknown>) => "ExpirationInDays" in rule || "ExpirationDate" in rule,
      );
      expect(ending).toEqual([expect.objectContaining({ Prefix: "uploads/", ExpirationInDays: 2 })]);
      const [encryption] = bucket.BucketEncryption.ServerSideEncryptionConfiguration;
      expect(encryption.ServerSideEncryptionByDefault.SSEAlgorithm).toBe(stage === "prod" ? "aws:kms" : "AES256");
    });

    test("lets no page use links but that of invited users, where no other may call the API", () => {
      const { CorsConfiguration } = template().one("S3::Bucket", "Documents");
      const origins = CorsConfiguration.CorsRules.map((rule: { AllowedOrigins: string[] }) => rule.AllowedOrigins);
      expect(origins).toEqual([[new URL(stages[stage].appUrl).origin]]);
    });

    test("is reached by TLS 1.2 or newer only", () => {
      const policies = template().properties("S3::BucketPolicy");
      expect(policies).toHaveLength(Object.keys(template().all("S3::Bucket")).length);
      for (const { PolicyDocument } of policies) {
        expect(PolicyDocument.Statement).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
            expect.objectContaining({ Effect: "Deny", Condition: { NumericLessThan: { "s3:TlsVersion": 1.2 } } }),
          ]),
        );
      }
    });

    test("lets nobody read a document whose association has ended, by a link that was given out before either", () => {
      const statements = template()
        .properties("S3::BucketPolicy")
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      const denials = statements.filter(({ Effect, Condition }) => Effect === "Deny" && Condition.StringEquals);
      expect(denials).toEqual([
        {
          Effect: "Deny",
          Principal: { AWS: "*" },
          Action: ["s3:GetObject", "s3:GetObjectVersion"],
          Resource: expect.anything(),
          Condition: { StringEquals: { "s3:ExistingObjectTag/association": "ended" } },
        },
      ]);
      expect(JSON.stringify(denials[0].Resource)).toMatch(/Documents.*"\/\*"/);
    });

    test("logs every access to a document, but no query string", () => {
      // The log of the bucket itself would have them.
      expect(template().one("S3::Bucket", "Documents").LoggingConfiguration).toBeUndefined();
      const [selector] = template().one("CloudTrail::Trail").EventSelectors;
      // Neither only reads nor only writes.
      expect(selector.ReadWriteType).toBeUndefined();
      expect(selector.IncludeManagementEvents).toBe(false);
      expect(JSON.stringify(selector.DataResources)).toMatch(/AWS::S3::Object.*Documents/);
    });

    test("logs nothing before all is there that may fail to be made, for the bucket of the log could not be taken back", () => {
      const [[, { DependsOn = [] }] = expect.fail()] = Object.entries(template().all("CloudTrail::Trail"));
      const kept = ["DynamoDB::Table", "S3::Bucket", "SecretsManager::Secret", "KMS::Key"];
      const ids = kept.flatMap((type) => Object.keys(template().all(type)));
      // The trail waits for its own bucket's policy, and the table for its key.
      const others = ids.filter((id) => !/^(AccessLog|DataKey)/.test(id));
      expect(DependsOn).toEqual(expect.arrayContaining([...others, expect.stringMatching(/^AccessLogPolicy/)]));
    });

    test.each(["ServiceKey", "AddressKey"])("has a secret %s of 64 hexadecimal digits that AWS makes", (name) => {
      const { GenerateSecretString: made, SecretString } = template().one("SecretsManager::Secret", name);
      expect(SecretString).toBeUndefined();
      expect(made).toMatchObject({ PasswordLength: 64, ExcludeUppercase: true, ExcludePunctuation: true });
      expect(made.IncludeSpace).toBeFalsy();
      const allowed = [..."abcdefghijklmnopqrstuvwxyz0123456789"].filter((c) => !made.ExcludeCharacters.includes(c));
      expect(allowed.sort().join("")).toBe("0123456789abcdef");
    });

    test("has keys of its own for what is secret in it", () => {
      const keys = template().all("KMS::Key");
      expect(Object.keys(keys).map((id) => id.replace(/[0-9A-F]{8}$/, ""))).toEqual(
        stage === "prod" ? ["DataKey", "SealingKey"] : ["SealingKey"],
      );
      for (const { Properties } of Object.values(keys)) expect(Properties.EnableKeyRotation).toBe(true);
    });

    test("tells the operator's programs what they need", () => {
      const outputs = Object.values(assembled().templates[stage]).flatMap(({ json }) =>
        Object.keys(json.Outputs ?? {}),
      );
      expect(outputs).toEqual(
        expect.arrayContaining([
          "BaseUrl",
          "TableName",
          "DocumentsBucket",
          "KmsKeyId",
          "ServiceKeySecret",
          "AddressKeySecret",
          "ReplicationQueueUrl",
          "InvitationQueueUrl",
          "AlarmTopic",
        ]),
      );
      expect(outputs.includes("PosPartnerKeysSecret")).toBe(stage === "prod");
    });
  });
}
