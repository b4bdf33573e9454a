import { CfnOutput, Duration, Stack } from "aws-cdk-lib";
import { Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import {
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import { CfnDeliveryStream } from "aws-cdk-lib/aws-kinesisfirehose";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { CfnSubscriptionFilter, FilterPattern, type ILogGroup, LogStream, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Bucket, type CfnBucket, ObjectLockRetention } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import {
  deliveredFolder,
  digestsFolder,
  failedFolder,
  operatorFolder,
} from "../../shared/domain/accessLog/accessLines.ts";
import { accessMessage } from "../../shared/platform/aws/accessMessage.ts";
import { metricNamespace } from "../../shared/platform/aws/metricSeries.ts";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";
import { createLogGroup } from "./logGroup.ts";
import { encryptedBy, privateBucket } from "./privateBucket.ts";
import { suppressNag } from "./suppressNag.ts";

/** The name of a stage's delivery stream for the access log. The name is also a dimension of the stream's metrics. */
export const accessLogStream = (stage: StageName): string => `business-data-${stage}-access-log`;

/** A metric filter cannot set the dimension of the stage, so the namespace has it. */
const errorMetric = (stage: StageName) => ({
  metricNamespace: `${metricNamespace}/${stage}`,
  metricName: "access log errors",
});

/** The number of errors that a stage's stream has logged, such as of lines below `failed/`. */
export function accessLogErrors(stage: StageName, options: MetricOptions): Metric {
  const { metricNamespace: namespace, metricName } = errorMetric(stage);
  return new Metric({ namespace, metricName, statistic: "Sum", ...options });
}

/**
 * The API's stack finds the stream and the role by their names. If it imported them, the two stacks could not be
 * changed independently.
 */
const streamArn = (stack: Stack, stage: StageName): string =>
  stack.formatArn({ service: "firehose", resource: "deliverystream", resourceName: accessLogStream(stage) });

/** The role with which CloudWatch Logs sends lines to a stage's access log. Role names are unique in the account. */
const senderName = ({ region }: Stack, stage: StageName): string => `business-data-${stage}-access-log-${region}`;

/**
 * A stage's access log: a bucket with Object Lock in compliance mode, and the delivery stream that fills it. No user
 * can change or delete an object for `accessLogDays`. The stream decompresses its input: Firehose lets only CloudWatch
 * Logs write to such a stream.
 *
 * Only four writers can add objects: the stream, CloudTrail, people below the folder for commands of operators, and the worker of
 * statements below the folder of their digests. The last two can add objects but not replace any. No one can hide an object under a delete marker.
 */
export class AccessLogDelivery {
  readonly bucket: Bucket;

  constructor(stack: Stack, stage: DeployedStage, encryptionKey: IKey | undefined) {
    this.bucket = createBucket(stack, stage, encryptionKey);
    const logGroup = createLogGroup(stack, "AccessRecordsLog", stage.aws);
    const logStream = new LogStream(stack, "AccessRecordsErrors", { logGroup, removalPolicy: keep });
    new MetricFilter(stack, "AccessRecordsErrorCount", {
      logGroup,
      ...errorMetric(stage.name),
      metricValue: "1",
      filterPattern: FilterPattern.allEvents(),
    });
    const writer = createWriter(stack, this.bucket, logGroup);
    const stream = new CfnDeliveryStream(stack, "AccessRecordsStream", {
      deliveryStreamName: accessLogStream(stage.name),
      deliveryStreamType: "DirectPut",
      deliveryStreamEncryptionConfigurationInput: { keyType: "AWS_OWNED_CMK" },
      extendedS3DestinationConfiguration: {
        bucketArn: this.bucket.bucketArn,
        roleArn: writer.roleArn,
        // The day is that of the line, so that a late line is still found under its day.
        prefix: `${deliveredFolder}!{partitionKeyFromQuery:sp_id}/!{partitionKeyFromQuery:day}/`,
        errorOutputPrefix: `${failedFolder}!{timestamp:yyyy-MM-dd}/!{firehose:error-output-type}/`,
        compressionFormat: "GZIP",
        bufferingHints: { intervalInSeconds: 300, sizeInMBs: 64 },
        dynamicPartitioningConfiguration: { enabled: true, retryOptions: { durationInSeconds: 300 } },
        processingConfiguration: {
          enabled: true,
          processors: [
            processor("Decompression", { CompressionFormat: "GZIP" }),
            // Each log event becomes a record of its own: a record of CloudWatch Logs has lines of several service providers.
            processor("CloudWatchLogProcessing", { DataMessageExtraction: "true" }),
            processor("MetadataExtraction", {
              MetadataExtractionQuery: "{sp_id: .sp_id, day: .timestamp[0:10]}",
              JsonParsingEngine: "JQ-1.6",
            }),
            { type: "AppendDelimiterToRecord" },
          ],
        },
        cloudWatchLoggingOptions: {
          enabled: true,
          logGroupName: logGroup.logGroupName,
          logStreamName: logStream.logStreamName,
        },
      },
    });
    new Role(stack, "AccessRecordsSender", {
      roleName: senderName(stack, stage.name),
      description: "Sends the log lines of permitted requests to the access log",
      assumedBy: new ServicePrincipal("logs.amazonaws.com", {
        conditions: { StringLike: { "aws:SourceArn": stack.formatArn({ service: "logs", resource: "*" }) } },
      }),
      inlinePolicies: {
        send: new PolicyDocument({
          statements: [allow(["firehose:PutRecord", "firehose:PutRecordBatch"], [streamArn(stack, stage.name)])],
        }),
      },
    });
    // Firehose tests the role and the bucket when it creates the stream.
    stream.node.addDependency(writer, this.bucket);
    new CfnOutput(stack, "AccessLogBucket", { value: this.bucket.bucketName });
  }
}

function createBucket(stack: Stack, { aws }: DeployedStage, encryptionKey: IKey | undefined): Bucket {
  const locked = Duration.days(aws.accessLogDays);
  const bucket = new Bucket(stack, "AccessRecords", {
    ...privateBucket,
    ...encryptedBy(encryptionKey),
    versioned: true,
    objectLockEnabled: true,
    objectLockDefaultRetention: ObjectLockRetention.compliance(locked),
    lifecycleRules: [
      {
        id: "no longer locked",
        expiration: locked.plus(Duration.days(1)),
        noncurrentVersionExpiration: Duration.days(1),
      },
      { id: "delete markers", expiredObjectDeleteMarker: true },
    ],
    removalPolicy: keep,
  });
  suppressNag(bucket, { "AwsSolutions-S1": "CloudTrail logs every access to the bucket." });
  return bucket;
}

/**
 * The role of Firehose. It needs no permission on the data key, whose policy lets every principal of the account use
 * the key through S3.
 */
function createWriter(stack: Stack, bucket: Bucket, logGroup: ILogGroup): Role {
  const written = [deliveredFolder, failedFolder].map((folder) => bucket.arnForObjects(`${folder}*`));
  const writer = new Role(stack, "AccessRecordsWriter", {
    description: "Writes the access log",
    assumedBy: new ServicePrincipal("firehose.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
    inlinePolicies: {
      write: new PolicyDocument({
        statements: [
          allow(["s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"], written),
          allow(["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"], [bucket.bucketArn]),
          allow(["logs:PutLogEvents"], [logGroup.logGroupArn]),
        ],
      }),
    },
  });
  const id = stack.getLogicalId(bucket.node.defaultChild as CfnBucket);
  suppressNag(
    writer,
    Object.fromEntries(
      [deliveredFolder, failedFolder].map((folder) => [
        `AwsSolutions-IAM5[Resource::<${id}.Arn>/${folder}*]`,
        "Firehose names each object by the time of its delivery.",
      ]),
    ),
  );
  const addedOnce = [`${deliveredFolder}${operatorFolder}/*`, `${digestsFolder}*`].map((keys) =>
    bucket.arnForObjects(keys),
  );
  const denials: Pick<PolicyStatementProps, "actions" | "resources" | "notResources" | "conditions">[] = [
    {
      actions: ["s3:PutObject"],
      notResources: addedOnce,
      conditions: {
        ArnNotEquals: { "aws:PrincipalArn": writer.roleArn },
        // CloudTrail. Another statement limits it to the keys of the trail; no statement allows another service.
        Bool: { "aws:PrincipalIsAWSService": "false" },
      },
    },
    { actions: ["s3:PutObject"], resources: addedOnce, conditions: { Null: { "s3:if-none-match": "true" } } },
    { actions: ["s3:DeleteObject"], resources: [bucket.arnForObjects("*")] },
  ];
  for (const denied of denials) {
    bucket.addToResourcePolicy(
      new PolicyStatement({ effect: Effect.DENY, principals: [new AnyPrincipal()], ...denied }),
    );
  }
  return writer;
}

const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });

const processor = (
  type: string,
  parameters: Readonly<Record<string, string>>,
): CfnDeliveryStream.ProcessorProperty => ({
  type,
  parameters: Object.entries(parameters).map(([parameterName, parameterValue]) => ({ parameterName, parameterValue })),
});

/**
 * Sends the lines of granted requests in a function's log to the access log. A release that removes the function keeps
 * the filter together with the log: a rollback can send calls to that function again.
 */
export function subscribeAccessLog(scope: Construct, id: string, logGroup: ILogGroup, stage: StageName): void {
  const stack = Stack.of(scope);
  new CfnSubscriptionFilter(scope, id, {
    logGroupName: logGroup.logGroupName,
    filterPattern: `{ $.message = "${accessMessage}" }`,
    destinationArn: streamArn(stack, stage),
    roleArn: stack.formatArn({ service: "iam", region: "", resource: "role", resourceName: senderName(stack, stage) }),
  }).applyRemovalPolicy(keep);
}
