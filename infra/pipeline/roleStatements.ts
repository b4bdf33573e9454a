import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { storedFormatKey } from "../../shared/store/keys/storedFormat.ts";
import { type AwsTarget, boundaryStackName } from "../permissions/boundary/boundary.ts";
import type { StageName } from "../stages/stages.ts";

/**
 * Permissions of the credentials that start `npm run deploy`, `rollback` and `tidy`: reads before a release, the
 * parameters that direct calls, and the removal of unused resources (docs/operations/releases.md). The CDK uses its own
 * roles, and CloudFormation continues to use the role that the CDK assigned to the stacks.
 */
export function releaseStatements({ PARTITION, ACCOUNT_ID, REGION }: AwsTarget, stage: StageName): PolicyStatement[] {
  const arn = (service: string, resource: string, account: string = ACCOUNT_ID) =>
    `arn:${PARTITION}:${service}:${REGION}:${account}:${resource}`;
  const allow = (actions: string[], resources: string[], conditions: Record<string, Record<string, string>> = {}) =>
    new PolicyStatement({ actions, resources, conditions });
  return [
    allow(
      ["cloudformation:DescribeStacks", "cloudformation:ListStackResources", "cloudformation:UpdateStack"],
      [arn("cloudformation", `stack/business-data-${stage}-*`)],
    ),
    // In each region of the stage.
    allow(
      ["cloudformation:DescribeStacks"],
      [`arn:${PARTITION}:cloudformation:*:${ACCOUNT_ID}:stack/${boundaryStackName(stage)}/*`],
    ),
    allow(["kms:DescribeKey"], [arn("kms", "key/*")], { StringEquals: { "aws:ResourceTag/stage": stage } }),
    // A restored table, whose key is checked.
    allow(["dynamodb:DescribeTable"], [arn("dynamodb", `table/business-data-${stage}-*`)]),
    // The format number of the stored data, and no other item.
    new PolicyStatement({
      actions: ["dynamodb:GetItem", "dynamodb:PutItem"],
      resources: [arn("dynamodb", `table/business-data-${stage}-*`)],
      conditions: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [storedFormatKey.pk] } },
    }),
    // CloudFormation reads with its caller's permissions: the version of the bootstrap, and a template among the CDK's
    // assets.
    allow(["ssm:GetParameters"], [arn("ssm", "parameter/cdk-bootstrap/*")]),
    allow(["s3:GetObject"], [`arn:${PARTITION}:s3:::cdk-*-assets-${ACCOUNT_ID}-${REGION}/*`]),
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
      [`arn:${PARTITION}:iam::${ACCOUNT_ID}:role/business-data-${stage}-*`],
    ),
    // An API has a generated id. API Gateway rejects the deletion of a deployment that a stage uses.
    allow(["apigateway:GET"], [arn("apigateway", "/restapis/*/deployments", "")]),
    allow(["apigateway:DELETE"], [arn("apigateway", "/restapis/*/deployments/*", "")]),
  ];
}

/**
 * The permissions of `npm run smoke -- --without-data`. None of these permissions allows reading or changing stored
 * data.
 */
export function trialStatements({ PARTITION, ACCOUNT_ID, REGION }: AwsTarget, stage: StageName): PolicyStatement[] {
  const named = `business-data-${stage}-`;
  const arn = (service: string, resource: string) => `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;
  const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });
  return [
    allow(["lambda:ListFunctions"], ["*"]),
    allow(["lambda:InvokeFunction"], [arn("lambda", `function:${named}*`)]),
    // The stack's outputs name the API. An export of the API names the functions that it calls.
    allow(["cloudformation:DescribeStacks"], [arn("cloudformation", `stack/${named}*`)]),
    allow(["apigateway:GET"], [`arn:${PARTITION}:apigateway:${REGION}::/restapis/*/stages/${stage}/exports/*`]),
  ];
}

/** The permissions of the whole `npm run smoke` on a deployed stage (docs/operations/trying-a-stage.md). */
export function smokeStatements({ PARTITION, ACCOUNT_ID, REGION }: AwsTarget, stage: StageName): PolicyStatement[] {
  const named = `business-data-${stage}-`;
  const arn = (service: string, resource: string) => `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;
  const bucket = `arn:${PARTITION}:s3:::${named}data-documents*`;
  const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });
  return [
    ...trialStatements({ PARTITION, ACCOUNT_ID, REGION }, stage),
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
