import { describe, expect, test } from "vitest";
import { stageOperations } from "../../../infra/stages/stageOperations.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { type Assembled, Template } from "./assembled.ts";

/** The storage of the log lines of authorized requests. */
export function describeAccessLog(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the access log of %s", (stage) => {
    const stacks = () => assembled().templates[stage];
    const data = () => stacks().Data ?? expect.fail();
    const bucket = () => data().one("S3::Bucket", "AccessRecords");

    test("cannot be deleted or changed during the time that the stage sets", () => {
      const days = stages[stage].aws.accessLogDays;
      expect(bucket()).toMatchObject({
        ObjectLockEnabled: true,
        ObjectLockConfiguration: {
          ObjectLockEnabled: "Enabled",
          Rule: { DefaultRetention: { Mode: "COMPLIANCE", Days: days } },
        },
        VersioningConfiguration: { Status: "Enabled" },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
        LifecycleConfiguration: {
          Rules: expect.arrayContaining([expect.objectContaining({ ExpirationInDays: days + 1 })]),
        },
      });
      expect(days).toBeGreaterThanOrEqual(stage === "prod" ? 5 * 365 + 1 : 1);
    });

    test("is written only by its delivery stream, and each access to it is logged", () => {
      const policies = data().properties("S3::BucketPolicy");
      const policy = policies.find(({ Bucket }) => Bucket.Ref.startsWith("AccessRecords")) ?? expect.fail();
      expect(policy.PolicyDocument.Statement).toContainEqual({
        Effect: "Deny",
        Principal: { AWS: "*" },
        Action: "s3:PutObject",
        Resource: expect.anything(),
        Condition: {
          ArnNotEquals: {
            "aws:PrincipalArn": { "Fn::GetAtt": [expect.stringMatching(/^AccessRecordsWriter/), "Arn"] },
          },
        },
      });
      const [{ DataResources }] = data().one("CloudTrail::Trail").EventSelectors;
      expect(JSON.stringify(DataResources)).toMatch(/AccessRecords/);
    });

    test("is sent by services for this account only", () => {
      const assumedBy = (id: string) => data().one("IAM::Role", id).AssumeRolePolicyDocument.Statement;
      expect(assumedBy("AccessRecordsWriter")).toEqual([
        expect.objectContaining({
          Principal: { Service: "firehose.amazonaws.com" },
          Condition: { StringEquals: { "aws:SourceAccount": expect.anything() } },
        }),
      ]);
      const [{ Principal, Condition }] = assumedBy("AccessRecordsSender");
      expect(Principal).toEqual({ Service: "logs.amazonaws.com" });
      expect(JSON.stringify(Condition.StringLike["aws:SourceArn"])).toMatch(
        /:logs:.*(123456789012|AWS::AccountId).*:\*"/,
      );
    });

    test("gets the authorized requests of every operation, and nothing else", () => {
      const found: string[] = [];
      for (const template of Object.values(stacks())) {
        for (const { FilterPattern, LogGroupName, DestinationArn } of template.properties("Logs::SubscriptionFilter")) {
          expect(FilterPattern).toBe('{ $.message = "access" }');
          expect(JSON.stringify(DestinationArn)).toContain(`:deliverystream/business-data-${stage}-access-log`);
          const functions = template.properties("Lambda::Function");
          const logged = functions.filter(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref === LogGroupName.Ref);
          found.push(...logged.map(({ Description }) => Description));
        }
      }
      expect(found.sort()).toEqual(
        stageOperations(stages[stage])
          .map(({ handler }) => `functions/${handler}.ts`)
          .sort(),
      );
    });
  });

  test("the mock stage has no access log, since it has no data", () => {
    const mock = assembled().templates.mock.Mock ?? new Template({ Resources: {} });
    expect(mock.properties("Logs::SubscriptionFilter")).toEqual([]);
  });
}
