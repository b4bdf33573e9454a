import type { Stack } from "aws-cdk-lib";
import { AnyPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";

/** The key of a stage's own for its table and its documents; where the stage has another region, also good there. */
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

/** Whoever may use table and documents of a stack's region may use the key for that, and for nothing else. */
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
