import { type AwsTarget, allow, arnsOf, type Statement } from "../permissions/boundary/boundary.ts";
import type { StageName } from "../stages/stages.ts";

/**
 * CloudFormation's permissions on a stage's copies in another region, its budget, and its release parameters. The
 * statements allow neither restoring nor deleting a copy.
 */
export function copiesStatements(target: AwsTarget, stage: StageName, otherRegions: readonly string[]): Statement[] {
  const regions = [target.REGION, ...otherRegions];
  const arn = arnsOf(target);
  return [
    allow(
      ["s3:GetReplicationConfiguration", "s3:PutReplicationConfiguration"],
      [arn("s3", `business-data-${stage}-*`, { region: "", account: "" })],
    ),
    allow(
      ["backup:*BackupVault*", "backup:ListTags", "backup:TagResource", "backup:UntagResource"],
      regions.flatMap((region) =>
        [`business-data-${stage}`, `business-data-${stage}-*`].map((name) =>
          arn("backup", `backup-vault:${name}`, { region }),
        ),
      ),
    ),
    // Backup plans and their selections have generated ids.
    allow(
      [
        ...["backup:*BackupPlan*", "backup:*BackupSelection*"],
        ...["backup:ListTags", "backup:TagResource", "backup:UntagResource"],
      ],
      [arn("backup", "backup-plan:*")],
    ),
    // AWS Backup creates vaults with its AWS managed key, used through AWS Backup only. The key has no tags.
    allow(["backup-storage:Mount", "backup-storage:MountCapsule"], ["*"]),
    allow(
      ["kms:CreateGrant", "kms:Decrypt", "kms:GenerateDataKey", "kms:RetireGrant"],
      regions.map((region) => arn("kms", "key/*", { region })),
      { StringLike: { "kms:ViaService": "backup.*.amazonaws.com" }, Null: { "aws:ResourceTag/stage": "true" } },
    ),
    // Release parameters: CloudFormation generates their names.
    allow(
      [
        "ssm:AddTagsToResource",
        "ssm:DeleteParameter",
        "ssm:GetParameters",
        "ssm:ListTagsForResource",
        "ssm:PutParameter",
        "ssm:RemoveTagsFromResource",
      ],
      [arn("ssm", "parameter/CFN-*")],
    ),
    allow(["ssm:DescribeParameters"], ["*"]),
    // Budgets and monitors have generated names.
    allow(
      [
        ...["ModifyBudget", "ViewBudget", "TagResource", "UntagResource", "ListTagsForResource"].map(
          (name) => `budgets:${name}`,
        ),
      ],
      [arn("budgets", "budget/*", { region: "" })],
    ),
    allow(
      [
        ...["CreateAnomaly*", "DeleteAnomaly*", "GetAnomaly*", "UpdateAnomaly*"].map((name) => `ce:${name}`),
        ...["TagResource", "UntagResource", "ListTagsForResource"].map((name) => `ce:${name}`),
      ],
      ["*"],
    ),
  ];
}
