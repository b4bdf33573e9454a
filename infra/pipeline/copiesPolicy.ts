import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Place } from "./roleStatements.ts";

/**
 * What CloudFormation may do for the stages' copies in another region, their budgets, and what their releases note. It can
 * restore no copy, and remove none.
 *
 * @param others the other regions of the stages
 */
export function copiesStatements(
  { PARTITION, ACCOUNT_ID, REGION }: Place,
  others: readonly string[],
): PolicyStatement[] {
  const regions = [REGION, ...others];
  const arn = (service: string, region: string, resource: string) =>
    `arn:${PARTITION}:${service}:${region}:${ACCOUNT_ID}:${resource}`;
  const allow = (actions: string[], resources: string[], conditions?: Record<string, Record<string, unknown>>) =>
    new PolicyStatement({ actions, resources, ...(conditions && { conditions }) });
  return [
    allow(
      ["s3:GetReplicationConfiguration", "s3:PutReplicationConfiguration"],
      [`arn:${PARTITION}:s3:::business-data-*`],
    ),
    // Keys and secrets have no name by their stack.
    allow(
      ["kms:ReplicateKey", "secretsmanager:RemoveRegionsFromReplication", "secretsmanager:ReplicateSecretToRegions"],
      ["*"],
    ),
    allow(
      ["backup:*BackupVault*", "backup:ListTags", "backup:TagResource", "backup:UntagResource"],
      regions.map((region) => arn("backup", region, "backup-vault:business-data-*")),
    ),
    // A plan and its selections have ids for names.
    allow(
      [
        ...["backup:*BackupPlan*", "backup:*BackupSelection*"],
        ...["backup:ListTags", "backup:TagResource", "backup:UntagResource"],
      ],
      [arn("backup", REGION, "backup-plan:*")],
    ),
    // A vault is made with the account's key of AWS Backup, through that service alone.
    allow(["backup-storage:Mount", "backup-storage:MountCapsule"], ["*"]),
    allow(["kms:CreateGrant", "kms:Decrypt", "kms:GenerateDataKey", "kms:RetireGrant"], ["*"], {
      StringLike: { "kms:ViaService": "backup.*.amazonaws.com" },
    }),
    // What releases note: CloudFormation names parameters so.
    allow(
      [
        "ssm:AddTagsToResource",
        "ssm:DeleteParameter",
        "ssm:GetParameters",
        "ssm:ListTagsForResource",
        "ssm:PutParameter",
        "ssm:RemoveTagsFromResource",
      ],
      [arn("ssm", REGION, "parameter/CFN-*")],
    ),
    allow(["ssm:DescribeParameters"], ["*"]),
    // Budgets and monitors have names that nobody knows before.
    allow(
      [
        ...["ModifyBudget", "ViewBudget", "TagResource", "UntagResource", "ListTagsForResource"].map(
          (name) => `budgets:${name}`,
        ),
      ],
      [arn("budgets", "", "budget/*")],
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
