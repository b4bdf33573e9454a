import type { Stack } from "aws-cdk-lib";
import { AnyPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";

/** A stage's own key for table and documents; a multi-region key if the stage has a recovery region. */
export function createDataKey(stack: Stack, { name, aws }: DeployedStage): Key {
  const key = new Key(stack, "DataKey", {
    description: `Encrypts table and documents of stage ${name}`,
    enableKeyRotation: true,
    ...(aws.recoveryRegion && { multiRegion: true }),
    removalPolicy: keep,
  });
  key.addToResourcePolicy(byStorage(stack));
  return key;
}

/** Lets principals of the account use the key only through DynamoDB and S3 in the stack's region. */
export const byStorage = (stack: Stack): PolicyStatement =>
  new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: [
      "kms:Encrypt",
      "kms:Decrypt",
      "kms:ReEncrypt*",
      "kms:GenerateDataKey*",
      "kms:DescribeKey",
      "kms:CreateGrant",
    ],
    resources: ["*"],
    conditions: {
      StringEquals: {
        "kms:CallerAccount": stack.account,
        "kms:ViaService": [`dynamodb.${stack.region}.amazonaws.com`, `s3.${stack.region}.amazonaws.com`],
      },
    },
  });
