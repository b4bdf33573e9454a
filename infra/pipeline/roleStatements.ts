import { storedFormatKey } from "../../shared/store/keys/storedFormat.ts";
import { type AwsTarget, allow, arnsOf, boundaryStackName, type Statement } from "../permissions/boundary/boundary.ts";
import type { StageName } from "../stages/stages.ts";

/**
 * Permissions of the credentials that start `npm run deploy`, `rollback` and `tidy`: reads before a release, the
 * parameters that direct calls, and the removal of unused resources (docs/operations/releases.md). The CDK uses its own
 * roles, and CloudFormation continues to use the role that the CDK assigned to the stacks.
 */
export function releaseStatements(target: AwsTarget, stage: StageName): Statement[] {
  const arn = arnsOf(target);
  return [
    allow(
      ["cloudformation:DescribeStacks", "cloudformation:ListStackResources", "cloudformation:UpdateStack"],
      [arn("cloudformation", `stack/business-data-${stage}-*`)],
    ),
    // In each region of the stage.
    allow(
      ["cloudformation:DescribeStacks"],
      [arn("cloudformation", `stack/${boundaryStackName(stage)}/*`, { region: "*" })],
    ),
    allow(["kms:DescribeKey"], [arn("kms", "key/*")], { StringEquals: { "aws:ResourceTag/stage": stage } }),
    // A restored table, whose key is checked.
    allow(["dynamodb:DescribeTable"], [arn("dynamodb", `table/business-data-${stage}-*`)]),
    // The format number of the stored data, and no other item.
    allow(["dynamodb:GetItem", "dynamodb:PutItem"], [arn("dynamodb", `table/business-data-${stage}-*`)], {
      "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [storedFormatKey.pk] },
    }),
    // CloudFormation reads with its caller's permissions: the version of the bootstrap, and a template among the CDK's
    // assets.
    allow(["ssm:GetParameters"], [arn("ssm", "parameter/cdk-bootstrap/*")]),
    allow(
      ["s3:GetObject"],
      [arn("s3", `cdk-*-assets-${target.ACCOUNT_ID}-${target.REGION}/*`, { region: "", account: "" })],
    ),
    allow(
      [
        "backup:DescribeRegionSettings",
        "cloudtrail:DescribeTrails",
        "cloudwatch:DescribeAlarms",
        "lambda:GetAccountSettings",
        "lambda:GetFunctionConcurrency",
        "lambda:ListEventSourceMappings",
        "lambda:ListFunctions",
        "ses:GetAccount",
        "ses:GetEmailIdentity",
      ],
      ["*"],
    ),
    // Invokes the new versions before they get calls.
    allow(["lambda:InvokeFunction"], [arn("lambda", `function:business-data-${stage}-api-*`)]),
    allow(
      ["lambda:DeleteFunction", "lambda:ListTags", "lambda:ListVersionsByFunction", "lambda:TagResource"],
      [arn("lambda", `function:business-data-${stage}-*`)],
    ),
    allow(
      ["iam:DeleteRole", "iam:DeleteRolePolicy", "iam:ListRolePolicies"],
      [arn("iam", `role/business-data-${stage}-*`, { region: "" })],
    ),
    // An API has a generated id. API Gateway rejects the deletion of a deployment that a stage uses.
    allow(["apigateway:GET"], [arn("apigateway", "/restapis/*/deployments", { account: "" })]),
    allow(["apigateway:DELETE"], [arn("apigateway", "/restapis/*/deployments/*", { account: "" })]),
  ];
}

/**
 * The permissions of `npm run smoke -- --without-data`. None of these permissions allows reading stored data. An invocation can
 * start the work of a function without a caller.
 */
export function trialStatements(target: AwsTarget, stage: StageName): Statement[] {
  const named = `business-data-${stage}-`;
  const arn = arnsOf(target);
  return [
    allow(["lambda:ListFunctions"], ["*"]),
    allow(["lambda:InvokeFunction"], [arn("lambda", `function:${named}*`)]),
    // The stack's outputs name the API. An export of the API names the functions that it calls.
    allow(["cloudformation:DescribeStacks"], [arn("cloudformation", `stack/${named}*`)]),
    allow(["apigateway:GET"], [arn("apigateway", `/restapis/*/stages/${stage}/exports/*`, { account: "" })]),
  ];
}

/** The permissions of the whole `npm run smoke` on a deployed stage (docs/operations/trying-a-stage.md). */
export function smokeStatements(target: AwsTarget, stage: StageName): Statement[] {
  const named = `business-data-${stage}-`;
  const arn = arnsOf(target);
  const bucket = arn("s3", `${named}data-documents*`, { region: "", account: "" });
  return [
    ...trialStatements(target, stage),
    allow(
      [
        ...["BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query"],
        ...["UpdateItem"],
      ].map((name) => `dynamodb:${name}`),
      [arn("dynamodb", `table/${named}*`)],
    ),
    allow(["s3:ListBucket", "s3:ListBucketVersions"], [bucket]),
    allow(
      ["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:GetObject", "s3:PutObject", "s3:PutObjectTagging"],
      [`${bucket}/*`],
    ),
    allow(["cloudwatch:DescribeAlarms"], ["*"]),
    allow(["cloudwatch:SetAlarmState"], [arn("cloudwatch", `alarm:${named}*`)]),
    allow(["sns:ListSubscriptionsByTopic", "sns:Subscribe"], [arn("sns", `${named}*`)]),
    // Neither action can be limited to a queue or subscription: ListQueues has no resource, and a subscription has a
    // generated ARN.
    allow(["sqs:ListQueues", "sns:Unsubscribe"], ["*"]),
    allow(["sqs:CreateQueue", "sqs:DeleteQueue", "sqs:ReceiveMessage"], [arn("sqs", `${named}smoke-*`)]),
  ];
}
