import { describe, expect, test } from "vitest";
import { deliveredFolder } from "../../../infra/accessLog/accessLines.ts";
import { restoreRoleName } from "../../../infra/permissions/boundary/restoreRole.ts";
import { stageOperations } from "../../../infra/stages/stageOperations.ts";
import { stages } from "../../../infra/stages/stages.ts";
import { operationRegistry } from "../../../shared/api/operationRegistry.ts";
import { pages } from "../../../shared/web/pageRoutes.ts";
import { type Assembled, Template } from "./assembled.ts";

/** A statement of a bucket's policy. */
interface Statement {
  Effect: "Allow" | "Deny";
  Principal: object;
  Action: string | string[];
  Resource: object;
  Condition: { StringEquals: Record<string, object> };
}

/** The values of one field by which CloudTrail selects events. */
type SelectedValues = Partial<Record<"Equals" | "NotEquals" | "StartsWith" | "NotStartsWith", readonly unknown[]>>;

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

    const statements = (): Statement[] => {
      const policies = data().properties("S3::BucketPolicy");
      const policy = policies.find(({ Bucket }) => Bucket.Ref.startsWith("AccessRecords")) ?? expect.fail();
      return policy.PolicyDocument.Statement;
    };
    const below = (folder: string) => ({
      "Fn::Join": ["", [{ "Fn::GetAtt": [expect.stringMatching(/^AccessRecords/), "Arn"] }, `/${folder}*`]],
    });

    test("is written only by its delivery stream and CloudTrail, and by people for their commands without replacing", () => {
      const denied = statements().filter(({ Effect, Action }) => Effect === "Deny" && Action !== "s3:*");
      expect(denied).toEqual([
        {
          Effect: "Deny",
          Principal: { AWS: "*" },
          Action: "s3:PutObject",
          NotResource: below("access/operator/"),
          Condition: {
            ArnNotEquals: {
              "aws:PrincipalArn": { "Fn::GetAtt": [expect.stringMatching(/^AccessRecordsWriter/), "Arn"] },
            },
            Bool: { "aws:PrincipalIsAWSService": "false" },
          },
        },
        {
          Effect: "Deny",
          Principal: { AWS: "*" },
          Action: "s3:PutObject",
          Resource: below("access/operator/"),
          Condition: { Null: { "s3:if-none-match": "true" } },
        },
        { Effect: "Deny", Principal: { AWS: "*" }, Action: "s3:DeleteObject", Resource: below("") },
      ]);
      const allowed = statements().filter(({ Effect }) => Effect === "Allow");
      for (const { Principal, Condition } of allowed) {
        expect(Principal).toEqual({ Service: "cloudtrail.amazonaws.com" });
        expect(JSON.stringify(Condition.StringEquals["aws:SourceArn"])).toContain(
          `:trail/business-data-${stage}-trail`,
        );
      }
      const [writes, ...others] = allowed.filter(({ Action }) => Action === "s3:PutObject");
      expect(others).toEqual([]);
      expect(JSON.stringify(writes?.Resource)).toMatch(/\/trail\/AWSLogs\/.*\/\*/);
    });

    test("has a folder for each service provider, and in it one for each day of the lines", () => {
      const destination = data().one("KinesisFirehose::DeliveryStream").ExtendedS3DestinationConfiguration;
      const { Prefix, DynamicPartitioningConfiguration, ProcessingConfiguration } = destination;
      expect(Prefix).toBe("access/!{partitionKeyFromQuery:sp_id}/!{partitionKeyFromQuery:day}/");
      expect(DynamicPartitioningConfiguration.Enabled).toBe(true);
      const processors: { Type: string; Parameters?: { ParameterValue: string }[] }[] =
        ProcessingConfiguration.Processors;
      expect(processors.map(({ Type }) => Type)).toEqual([
        "Decompression",
        "CloudWatchLogProcessing",
        "MetadataExtraction",
        "AppendDelimiterToRecord",
      ]);
      expect(processors[1]?.Parameters).toEqual([{ ParameterName: "DataMessageExtraction", ParameterValue: "true" }]);
      const query = processors[2]?.Parameters?.map(({ ParameterValue }) => ParameterValue);
      expect(query).toEqual(["{sp_id: .sp_id, day: .timestamp[0:10]}", "JQ-1.6"]);
      // The reader looks there.
      expect(Prefix.startsWith(deliveredFolder)).toBe(true);
    });

    const selectors = () =>
      data()
        .one("CloudTrail::Trail")
        .AdvancedEventSelectors.map(({ FieldSelectors }: { FieldSelectors: { Field: string }[] }) =>
          Object.fromEntries(FieldSelectors.map(({ Field, ...condition }) => [Field, condition])),
        ) as Record<string, SelectedValues>[];

    /** The names of the buckets with copies in the recovery region. */
    const copies = (): string[] =>
      ["Recovery", "RecoveryKeys"].flatMap((name) =>
        (stacks()[name]?.properties("S3::Bucket") ?? []).map(({ BucketName }) => BucketName),
      );

    test("also gets the uses of links, and every access to copies and to itself, from CloudTrail in all regions", () => {
      const trail = data().one("CloudTrail::Trail");
      expect(trail).toMatchObject({ IsLogging: true, EnableLogFileValidation: true, S3KeyPrefix: "trail" });
      expect(trail).toMatchObject({ IsMultiRegionTrail: true, IncludeGlobalServiceEvents: true });
      // In the recovery region, a trail of the same name may record another deployment of the stage.
      expect(JSON.stringify(trail.TrailName)).toMatch(
        /-trail-(?:us-west-2"|","AWS::Region"|",\{"Ref":"AWS::Region"\})/,
      );
      expect(copies()).toHaveLength(stage === "prod" ? 2 : 0);
      expect(trail.S3BucketName.Ref).toMatch(/^AccessRecords/);
      expect(trail.KMSKeyId !== undefined).toBe(stages[stage].aws.customerManagedKey);
      const ofObjects = selectors().filter((each) => each["resources.type"]?.Equals?.[0] === "AWS::S3::Object");
      expect(ofObjects.map((each) => each["resources.ARN"]?.StartsWith)).toEqual([
        [
          { "Fn::Join": ["", [{ "Fn::GetAtt": [expect.stringMatching(/^Documents/), "Arn"] }, "/"]] },
          ...["access/", "failed/"].map((folder) => ({
            "Fn::Join": ["", [{ "Fn::GetAtt": [expect.stringMatching(/^AccessRecords/), "Arn"] }, `/${folder}`]],
          })),
          ...copies().map((name) => ({ "Fn::Join": ["", ["arn:", { Ref: "AWS::Partition" }, `:s3:::${name}/`]] })),
        ],
        [{ "Fn::Join": ["", [{ "Fn::GetAtt": [expect.stringMatching(/^AccessRecords/), "Arn"] }, "/trail/"]] }],
      ]);
      // Neither reads nor writes are left out, except the writes of CloudTrail itself.
      expect(ofObjects.map(({ readOnly, eventName }) => [readOnly, eventName])).toEqual([
        [undefined, undefined],
        [undefined, { NotEquals: ["PutObject"] }],
      ]);
    });

    test("also gets management events, and every access of people to the table and to restored ones", () => {
      const management = selectors().filter(({ eventCategory }) => eventCategory?.Equals?.[0] === "Management");
      expect(management).toEqual([
        { eventCategory: { Equals: ["Management"] }, readOnly: { Equals: ["false"] } },
        {
          eventCategory: { Equals: ["Management"] },
          readOnly: { Equals: ["true"] },
          eventSource: { NotEquals: ["kms.amazonaws.com", "rdsdata.amazonaws.com"] },
        },
      ]);
      const [ofTable] = selectors().filter((each) => each["resources.type"]?.Equals?.[0] === "AWS::DynamoDB::Table");
      expect(ofTable?.readOnly).toBeUndefined();
      const { recoveryRegion = undefined } = stages[stage].aws as { recoveryRegion?: string };
      const beginnings = ofTable?.["resources.ARN"]?.StartsWith?.map((arn) => JSON.stringify(arn)) ?? [];
      expect(beginnings).toHaveLength(recoveryRegion ? 2 : 1);
      for (const arn of beginnings) expect(arn).toMatch(new RegExp(`:table/business-data-${stage}-"\\]`));
      if (recoveryRegion) expect(beginnings[1]).toContain(`:dynamodb:${recoveryRegion}:`);
      expect(JSON.stringify(ofTable?.["userIdentity.arn"]?.NotStartsWith)).toContain(
        `:assumed-role/business-data-${stage}-`,
      );
    });

    test("can leave out the stage's roles, since people can assume none of them", () => {
      for (const template of Object.values(stacks())) {
        for (const { AssumeRolePolicyDocument } of template.properties("IAM::Role")) {
          for (const { Principal } of AssumeRolePolicyDocument.Statement) {
            const byRole = JSON.stringify(Principal.AWS ?? "");
            if (Principal.AWS) expect(byRole).toMatch(/"Fn::GetAtt":\["\w+Role[0-9A-F]{8}","Arn"\]/);
            else expect(Object.keys(Principal)).toEqual(["Service"]);
          }
        }
      }
      expect(restoreRoleName(stage, "us-west-2")).not.toMatch(/^business-data-/);
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

  test("requests count as granted if their route needs a credential, and no page or preflight does", () => {
    const api = assembled().templates.prod.Api ?? expect.fail();
    const { FilterPattern, MetricTransformations, LogGroupName } = api.one("Logs::MetricFilter");
    expect(LogGroupName.Ref).toMatch(/AccessLog/);
    expect(MetricTransformations).toEqual([
      {
        MetricNamespace: "BusinessDataAccess/prod",
        MetricName: "granted requests",
        MetricValue: "1",
        DefaultValue: 0,
      },
    ]);
    expect(FilterPattern).toMatch(/^\{ \(\$\.status = "2\*" \|\| \$\.status = "304"\) && \$\.method != "OPTIONS" && /);
    expect(FilterPattern.length).toBeLessThanOrEqual(1024);
    const texts = (operator: string) =>
      [...FilterPattern.matchAll(new RegExp(`\\$\\.route ${operator} "([^"]*)"`, "g"))].map(([, text = ""]) => text);
    const [beginnings, excluded] = [texts("=").map((text) => text.replace(/\*$/, "")), texts("!=")];
    const isCounted = (path: string) =>
      beginnings.some((beginning) => path.startsWith(beginning)) && !excluded.includes(path);
    for (const { caller, path } of operationRegistry.flatMap(({ routes }) => [...routes]))
      expect([path, isCounted(path)]).toEqual([path, caller !== "nobody"]);
    for (const { path } of pages) expect([path, isCounted(path)]).toEqual([path, false]);
  });

  test("the mock stage has no access log, since it has no data", () => {
    const mock = assembled().templates.mock.Mock ?? new Template({ Resources: {} });
    expect(mock.properties("Logs::SubscriptionFilter")).toEqual([]);
  });
}
