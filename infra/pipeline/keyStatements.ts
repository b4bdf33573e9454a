import { type AwsTarget, allow, arnsOf, type Statement } from "../permissions/boundary/boundary.ts";
import type { StageName } from "../stages/stages.ts";

/**
 * CloudFormation's permissions on the keys and secrets of a stage. Their names do not contain the stage, so the
 * statements match the tag that each key and secret gets at creation. No statement allows using a key or reading a
 * secret.
 */
export function keyStatements(target: AwsTarget, stage: StageName, otherRegions: readonly string[]): Statement[] {
  const { REGION } = target;
  const arns = (service: string, resource: string) =>
    [REGION, ...otherRegions].map((region) => arnsOf(target)(service, resource, { region }));
  const [keys, secrets] = [arns("kms", "key/*"), arns("secretsmanager", "secret:*")];
  const isTagged = { StringEquals: { "aws:ResourceTag/stage": stage } };
  const getsTag = { StringEquals: { "aws:RequestTag/stage": stage } };
  // A new resource has no tag yet. A resource of another stage has a tag already, and must not get the tag of this
  // stage.
  const isNew = { ...getsTag, Null: { "aws:ResourceTag/stage": "true" } };
  return [
    allow(["kms:CreateKey"], ["*"], { StringEquals: { ...getsTag.StringEquals, "aws:RequestedRegion": REGION } }),
    // KMS documents no request tag for the creation of a replica, so this statement requires no tag. It allows no
    // access to existing keys: the policy that is set at creation affects only the new key.
    ...(otherRegions.length > 0
      ? [allow(["kms:CreateKey"], ["*"], { StringEquals: { "aws:RequestedRegion": [...otherRegions] } })]
      : []),
    allow(["kms:TagResource"], keys, isNew),
    allow(
      [
        "kms:DescribeKey",
        "kms:EnableKey",
        "kms:EnableKeyRotation",
        "kms:GetKeyPolicy",
        "kms:GetKeyRotationStatus",
        "kms:ListResourceTags",
        "kms:PutKeyPolicy",
        "kms:ReplicateKey",
        "kms:ScheduleKeyDeletion",
        "kms:TagResource",
        "kms:UntagResource",
        "kms:UpdateKeyDescription",
      ],
      keys,
      isTagged,
    ),
    allow(["secretsmanager:GetRandomPassword"], ["*"]),
    allow(["secretsmanager:CreateSecret"], secrets, getsTag),
    allow(["secretsmanager:TagResource"], secrets, isNew),
    allow(
      [
        "secretsmanager:DeleteSecret",
        "secretsmanager:DescribeSecret",
        "secretsmanager:RemoveRegionsFromReplication",
        "secretsmanager:ReplicateSecretToRegions",
        "secretsmanager:TagResource",
        "secretsmanager:UntagResource",
      ],
      secrets,
      isTagged,
    ),
  ];
}
