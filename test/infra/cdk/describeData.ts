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

    test("outlives its stack once it has been deployed", () => {
      const kept = ["DynamoDB::Table", "S3::Bucket", "SecretsManager::Secret", "KMS::Key"];
      for (const type of kept) {
        for (const { DeletionPolicy } of Object.values(template().all(type))) {
          expect(DeletionPolicy, type).toBe("RetainExceptOnCreate");
        }
      }
    });

    test("never expires a document or the journal, only uploads and exports", () => {
      const { Rules } = template().one("S3::Bucket", "Documents").LifecycleConfiguration;
      const ending = Rules.filter((rule: object) => "ExpirationInDays" in rule || "ExpirationDate" in rule);
      expect(ending).toEqual([
        expect.objectContaining({ Prefix: "uploads/", ExpirationInDays: 2 }),
        expect.objectContaining({
          Prefix: "exports/",
          ExpirationInDays: 8,
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        }),
      ]);
    });

    test("has no log of the documents' bucket itself, which would contain query strings", () => {
      expect(template().one("S3::Bucket", "Documents").LoggingConfiguration).toBeUndefined();
    });

    test("requires TLS 1.2 or newer", () => {
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

    test("denies reading a document whose association has ended, also by links signed earlier", () => {
      const statements = template()
        .properties("S3::BucketPolicy")
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      const denials = statements.filter(({ Effect, Condition }) => Effect === "Deny" && Condition?.StringEquals);
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

    test("creates the log after all resources that can fail, since its bucket cannot be removed", () => {
      const [[, { DependsOn = [] }] = expect.fail()] = Object.entries(template().all("CloudTrail::Trail"));
      const kept = ["DynamoDB::Table", "S3::Bucket", "SecretsManager::Secret", "KMS::Key"];
      const ids = kept.flatMap((type) => Object.keys(template().all(type)));
      // The table waits for its key.
      const others = ids.filter((id) => !id.startsWith("DataKey"));
      expect(DependsOn).toEqual(expect.arrayContaining([...others, expect.stringMatching(/^AccessRecordsPolicy/)]));
    });

    test.each(["ServiceKey", "AddressKey"])("has a secret %s of 64 hexadecimal digits that AWS generates", (name) => {
      const { GenerateSecretString: made, SecretString } = template().one("SecretsManager::Secret", name);
      expect(SecretString).toBeUndefined();
      expect(made).toMatchObject({ PasswordLength: 64, ExcludeUppercase: true, ExcludePunctuation: true });
      expect(made.IncludeSpace).toBeFalsy();
      const allowed = [..."abcdefghijklmnopqrstuvwxyz0123456789"].filter((c) => !made.ExcludeCharacters.includes(c));
      expect(allowed.sort().join("")).toBe("0123456789abcdef");
    });

    test("has outputs with all values that the operator's programs need", () => {
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
