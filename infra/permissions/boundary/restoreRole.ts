import { deliveredFolder, operatorFolder } from "../../../shared/domain/accessLog/accessLines.ts";
import { type StageName, type StageSettings, stages } from "../../stages/stages.ts";
import { type AwsTarget, allow, arnsOf, type Statement } from "./boundary.ts";

/**
 * The name of the role with which a person restores a stage in a region (docs/operations/restore.md#the-restore-role).
 * Deployments may change roles called `business-data-STAGE-…`, and must not change this one.
 */
export const restoreRoleName = (stage: StageName, region: string): string =>
  `restore-of-business-data-${stage}-${region}`;

/** Whether a stage has data to restore. */
export const isRestorable = (stage: StageName): boolean => (stages[stage] as StageSettings).answers === "service";

/**
 * The permissions of the restore role. It restores tables and documents, and is the only role that reads the copies in
 * its region. Of the tables, it reads and writes only restored ones.
 */
export function restoreStatements(target: AwsTarget, stage: StageName): Statement[] {
  const prefix = `business-data-${stage}-`;
  const arn = arnsOf(target);
  const global = { region: "" };
  const bucket = (name: string) => arn("s3", `${prefix}${name}`, { region: "", account: "" });
  const copies = ["journal", "changes"].map((name) => bucket(`${name}-${target.ACCOUNT_ID}-${target.REGION}`));
  const documents = bucket("data-documents*");
  const isTagged = { StringEquals: { "aws:ResourceTag/stage": stage } };
  const restored = arn("dynamodb", `table/${prefix}recovered*`);
  return [
    allow(["s3:ListBucket"], [...copies, documents]),
    allow(
      ["s3:GetObject", "s3:GetObjectVersion"],
      copies.map((each) => `${each}/*`),
    ),
    // The journal goes into the new bucket of documents.
    allow(["s3:PutObject"], [`${documents}/journal/*`]),
    // Every command of the operator's program begins with a line in the access log.
    allow(["s3:PutObject"], [`${bucket("data-accessrecords*")}/${deliveredFolder}${operatorFolder}/*`]),
    allow(["dynamodb:DescribeTable", "dynamodb:RestoreTableToPointInTime"], [arn("dynamodb", `table/${prefix}*`)]),
    allow(
      [
        ...["BatchWriteItem", "DeleteItem", "DescribeContinuousBackups", "GetItem", "PutItem", "Query", "Scan"],
        ...["UpdateContinuousBackups", "UpdateItem", "UpdateTable", "UpdateTimeToLive"],
      ].map((name) => `dynamodb:${name}`),
      [restored, `${restored}/index/*`],
    ),
    // The policy of the data key allows its use through DynamoDB and S3.
    allow(["kms:DescribeKey"], [arn("kms", "key/*")], isTagged),
    allow(
      ["backup:ListRecoveryPointsByBackupVault"],
      [arn("backup", `backup-vault:business-data-${stage}*`), arn("backup", "recovery-point:*")],
    ),
    allow(["backup:StartRestoreJob"], [arn("backup", "recovery-point:*")]),
    allow(["backup:DescribeRestoreJob", "backup:ListRestoreJobs"], ["*"]),
    allow(["iam:PassRole"], [arn("iam", `role/${prefix}recovery-Restorer*`, global)], {
      StringEquals: { "iam:PassedToService": "backup.amazonaws.com" },
    }),
    allow(
      ["cloudformation:DescribeStackResources", "cloudformation:DescribeStacks"],
      [arn("cloudformation", `stack/${prefix}*`)],
    ),
    allow(["secretsmanager:ListSecrets"], ["*"]),
    allow(["secretsmanager:StopReplicationToReplica"], [arn("secretsmanager", "secret:*")], isTagged),
  ];
}
