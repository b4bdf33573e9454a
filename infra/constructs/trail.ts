import { Stack } from "aws-cdk-lib";
import { CfnTrail } from "aws-cdk-lib/aws-cloudtrail";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { deliveredFolder, failedFolder } from "../../shared/domain/accessLog/accessLines.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";

/** The key prefix of CloudTrail's objects in the bucket of the access log. */
const trailFolder = "trail";

/** What a stage's trail records. */
interface Recorded {
  /** The bucket of the access log, which also gets the trail. */
  accessLog: Bucket;
  documents: Bucket;
  /** The names of the buckets with copies in the recovery region. */
  copies: readonly string[];
  /** The regions in which the stage has tables, or restores them. */
  regions: readonly string[];
}

/**
 * Records, in the locked bucket of the access log, what the access log cannot record:
 *
 * - every access to a document, to a file of an export, to a copy in the recovery region, and to the bucket itself. The uses of
 *   links are among them;
 * - accesses to the table and to restored tables by anyone but the stage's own roles, so by people;
 * - all management events of the account, such as those of roles, keys, secrets, subscription filters and delivery streams.
 *   CloudTrail cannot select them by resource. KMS's reads are left out: each replication decrypts a credential.
 *
 * It records all regions: replicas of keys and copies are in the recovery region, and IAM records its events in one region. Events
 * of objects have no query strings. A reader of the trail could use a signature from a query string.
 */
export function createTrail(scope: Construct, stage: DeployedStage, recorded: Recorded, dataKey?: Key): CfnTrail {
  const stack = Stack.of(scope);
  const { accessLog, documents, copies, regions } = recorded;
  // CloudTrail shows a trail of all regions in each of them, and the stage may be deployed to its recovery region, too.
  const trailName = `business-data-${stage.name}-trail-${stack.region}`;
  const service = new ServicePrincipal("cloudtrail.amazonaws.com");
  const trailArn = stack.formatArn({ service: "cloudtrail", resource: "trail", resourceName: trailName });
  const conditions = { StringEquals: { "aws:SourceArn": trailArn } };
  const permitted = (actions: string[], resource: string) =>
    new PolicyStatement({ principals: [service], actions, resources: [resource], conditions });
  accessLog.addToResourcePolicy(permitted(["s3:GetBucketAcl"], accessLog.bucketArn));
  const objectsOfTrail = accessLog.arnForObjects(`${trailFolder}/AWSLogs/${stack.account}/*`);
  accessLog.addToResourcePolicy(permitted(["s3:PutObject"], objectsOfTrail));
  dataKey?.addToResourcePolicy(permitted(["kms:GenerateDataKey*", "kms:DescribeKey"], "*"));
  const trail = new CfnTrail(scope, "Trail", {
    trailName,
    s3BucketName: accessLog.bucketName,
    s3KeyPrefix: trailFolder,
    ...(dataKey && { kmsKeyId: dataKey.keyArn }),
    isLogging: true,
    isMultiRegionTrail: true,
    includeGlobalServiceEvents: true,
    enableLogFileValidation: true,
    advancedEventSelectors: [
      selector("changes of resources", { eventCategory: equal("Management"), readOnly: equal("false") }),
      selector("reads of resources and secrets", {
        eventCategory: equal("Management"),
        readOnly: equal("true"),
        eventSource: { notEquals: ["kms.amazonaws.com", "rdsdata.amazonaws.com"] },
      }),
      objects("documents, exports, access log, copies", {
        "resources.ARN": {
          startsWith: [
            documents.arnForObjects(""),
            accessLog.arnForObjects(deliveredFolder),
            accessLog.arnForObjects(failedFolder),
            ...copies.map((name) => `arn:${stack.partition}:s3:::${name}/`),
          ],
        },
      }),
      // CloudTrail's own writes would be events of their own, without end.
      objects("the trail", {
        "resources.ARN": { startsWith: [accessLog.arnForObjects(`${trailFolder}/`)] },
        eventName: { notEquals: ["PutObject"] },
      }),
      selector("tables, by people", {
        eventCategory: equal("Data"),
        "resources.type": equal("AWS::DynamoDB::Table"),
        "resources.ARN": { startsWith: regions.map((region) => tablesIn(stack, stage, region)) },
        "userIdentity.arn": { notStartsWith: [sessionsOf(stack, stage)] },
      }),
    ],
  });
  trail.node.addDependency(accessLog);
  return trail;
}

/** The beginning of the ARNs of the stage's table and of restored ones, which the restore role reads before functions use them. */
const tablesIn = (stack: Stack, { name }: DeployedStage, region: string): string =>
  stack.formatArn({ service: "dynamodb", region, resource: "table", resourceName: `business-data-${name}-` });

/** The beginning of the ARNs of all sessions of the stage's roles. Only services and other roles of the stage assume them. */
const sessionsOf = (stack: Stack, { name }: DeployedStage): string =>
  stack.formatArn({ service: "sts", region: "", resource: "assumed-role", resourceName: `business-data-${name}-` });

type Condition = Omit<CfnTrail.AdvancedFieldSelectorProperty, "field">;

const equal = (value: string): Condition => ({ equalTo: [value] });

const selector = (
  name: string,
  fields: Readonly<Record<string, Condition>>,
): CfnTrail.AdvancedEventSelectorProperty => ({
  name,
  fieldSelectors: Object.entries(fields).map(([field, condition]) => ({ field, ...condition })),
});

const objects = (name: string, fields: Readonly<Record<string, Condition>>) =>
  selector(name, { eventCategory: equal("Data"), "resources.type": equal("AWS::S3::Object"), ...fields });
