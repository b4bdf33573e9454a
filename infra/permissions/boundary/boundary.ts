import { type AwsSettings, type StageName, type StageSettings, stages } from "../../stages/stages.ts";

/** An account and region, or their tokens in a template. */
export interface AwsTarget {
  PARTITION: string;
  ACCOUNT_ID: string;
  REGION: string;
}

/** Builds ARNs of an account, in its region unless `region` is another one. Services without regions or accounts have empty ones. */
export const arnsOf =
  ({ PARTITION, ACCOUNT_ID, REGION }: AwsTarget) =>
  (service: string, resource: string, { region = REGION, account = ACCOUNT_ID } = {}): string =>
    `arn:${PARTITION}:${service}:${region}:${account}:${resource}`;

const [everywhere, global, nowhere] = [{ region: "*" }, { region: "" }, { region: "", account: "" }];

/** A statement of an IAM policy, in its JSON form. */
export interface Statement {
  Effect: "Allow" | "Deny";
  Action: string[];
  Resource: string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

/**
 * The stack with the boundary of a stage. Deployments may change stacks called `business-data-STAGE-…`, and must not
 * change this one.
 */
export const boundaryStackName = (stage: StageName): string => `boundary-of-business-data-${stage}`;

/** The name of a stage's boundary. IAM has no regions, so each region of a stage has a boundary under its own name. */
export const boundaryName = (stage: StageName, region: string): string => `${boundaryStackName(stage)}-${region}`;

/**
 * The permissions boundary of a stage, which limits every role that CloudFormation makes, whatever its own policies
 * say. IAM accepts 6,144 characters.
 */
export function boundaryStatements(target: AwsTarget, stage: StageName): Statement[] {
  const prefix = `business-data-${stage}-*`;
  const arn = arnsOf(target);
  const { aws }: StageSettings = stages[stage];
  return [
    allow(
      [
        ...["BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem"],
        ...["GetItem", "PutItem", "Query", "UpdateItem"],
      ].map((name) => `dynamodb:${name}`),
      [arn("dynamodb", `table/${prefix}`)],
    ),
    allow(
      [
        ...["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:GetBucketLocation", "s3:GetObject", "s3:ListBucket"],
        ...["s3:ListBucketMultipartUploads", "s3:PutObject"],
      ],
      [arn("s3", prefix, nowhere)],
    ),
    allow(["firehose:PutRecord", "firehose:PutRecordBatch"], [arn("firehose", `deliverystream/${prefix}`)]),
    // The generated names of keys and secrets do not contain the stage, so the tag identifies them. A replica in
    // another region has the same tags.
    allow(
      ["kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"],
      [arn("kms", "key/*", everywhere)],
      { StringEquals: { "aws:ResourceTag/stage": stage } },
    ),
    allow(["secretsmanager:GetSecretValue"], [arn("secretsmanager", "secret:*")], {
      StringEquals: { "aws:ResourceTag/stage": stage },
    }),
    allow(
      ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage", "sqs:SendMessage"],
      [arn("sqs", prefix)],
    ),
    allow(["lambda:InvokeFunction"], [arn("lambda", `function:${prefix}`)]),
    allow(["sts:AssumeRole"], [arn("iam", `role/${prefix}`, global)]),
    allow(["ses:SendEmail"], [arn("ses", "identity/*"), arn("ses", "configuration-set/*")]),
    // API Gateway chooses the names of its log groups.
    allow(
      ["CreateLogGroup", "CreateLogStream", "DescribeLogGroups", "DescribeLogStreams", "PutLogEvents"].map(
        (name) => `logs:${name}`,
      ),
      ["*"],
    ),
    ...(aws ? copyStatements(aws, target, stage) : []),
    // A resource policy can allow a session more than the statements above, but nothing that a statement denies.
    deny(["account:*", "cloudformation:*", "iam:*", "organizations:*"]),
    deny(["*"], { StringNotEquals: { "aws:ResourceTag/stage": stage }, Null: { "aws:ResourceTag/stage": "false" } }),
  ];
}

/**
 * The permissions by which AWS Backup and S3 copy a stage to its other region, and AWS Backup restores it there. A
 * stage without another region gets none of these permissions.
 */
function copyStatements({ recoveryRegion }: AwsSettings, target: AwsTarget, stage: StageName): Statement[] {
  if (!recoveryRegion) return [];
  const prefix = `business-data-${stage}-*`;
  const arn = arnsOf(target);
  return [
    allow(
      [
        ...["CreateBackup", "DeleteBackup", "DescribeBackup", "DescribeTable", "ListTagsOfResource"],
        ...["RestoreTableFromAwsBackup", "RestoreTableFromBackup", "StartAwsBackupJob"],
      ].map((name) => `dynamodb:${name}`),
      [arn("dynamodb", `table/${prefix}`)],
    ),
    allow(["dynamodb:ExportTableToPointInTime"], [arn("dynamodb", `table/${prefix}`)]),
    // A restore reads and writes its target table, which must have this name.
    allow(["dynamodb:BatchWriteItem", "dynamodb:Scan"], [arn("dynamodb", `table/business-data-${stage}-recovered*`)]),
    allow(
      [
        ...["s3:GetBucket*", "s3:GetInventoryConfiguration", "s3:GetObject*", "s3:GetReplicationConfiguration"],
        ...["s3:ListBucketVersions", "s3:ListMultipartUploadParts", "s3:PutBucketNotification"],
        ...["s3:PutBucketOwnershipControls", "s3:PutBucketVersioning", "s3:PutInventoryConfiguration"],
        ...["s3:PutObjectAcl", "s3:PutObjectTagging", "s3:PutObjectVersionAcl"],
        ...["s3:ReplicateObject", "s3:ReplicateTags"],
      ],
      [arn("s3", prefix, nowhere)],
    ),
    allow(
      ["backup:CopyFromBackupVault", "backup:CopyIntoBackupVault", "backup:DescribeBackupVault"],
      [target.REGION, recoveryRegion].flatMap((region) =>
        [`business-data-${stage}`, prefix].map((name) => arn("backup", `backup-vault:${name}`, { region })),
      ),
    ),
    allow(["backup:TagResource"], [arn("backup", "recovery-point:*", everywhere)]),
    // AWS Backup watches the bucket with EventBridge rules of its own, and finds resources by tag.
    allow(
      [
        ...["DeleteRule", "DescribeRule", "DisableRule", "EnableRule", "ListTargetsByRule", "PutRule", "PutTargets"],
        "RemoveTargets",
      ].map((name) => `events:${name}`),
      [arn("events", "rule/AwsBackupManagedRule*")],
    ),
    allow(["cloudwatch:GetMetricData", "events:ListRules", "s3:ListAllMyBuckets", "tag:GetResources"], ["*"]),
    // The vaults use an AWS managed key, which has no tags.
    allow(
      ["kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey*"],
      [arn("kms", "key/*", everywhere)],
      {
        StringLike: { "kms:ViaService": ["backup.*.amazonaws.com", "dynamodb.*.amazonaws.com", "s3.*.amazonaws.com"] },
        Null: { "aws:ResourceTag/stage": "true" },
      },
    ),
  ];
}

/** A statement that allows actions. */
export const allow = (Action: string[], Resource: string[], Condition?: Statement["Condition"]): Statement => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition && { Condition }),
});

const deny = (Action: string[], Condition?: Statement["Condition"]): Statement => ({
  ...allow(Action, ["*"], Condition),
  Effect: "Deny",
});
