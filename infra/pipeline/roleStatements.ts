import type { Aws } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { StageName } from "../stages.ts";

/** The account and region that they are for, or what stands for them in a template. */
export type Place = Pick<typeof Aws, "PARTITION" | "ACCOUNT_ID" | "REGION">;

/** What `npm run deploy` looks at before it begins, with the credentials that it is started with. */
export function preflightStatements({ PARTITION, ACCOUNT_ID, REGION }: Place, stage: StageName): PolicyStatement[] {
  const stacks = `arn:${PARTITION}:cloudformation:${REGION}:${ACCOUNT_ID}:stack/business-data-${stage}-*`;
  return [
    new PolicyStatement({
      actions: ["cloudformation:DescribeStacks", "cloudformation:ListStackResources"],
      resources: [stacks],
    }),
    new PolicyStatement({
      actions: [
        "cloudtrail:DescribeTrails",
        "lambda:GetAccountSettings",
        "lambda:GetFunctionConcurrency",
        "lambda:ListFunctions",
        "ses:GetAccount",
        "ses:GetEmailIdentity",
      ],
      resources: ["*"],
    }),
  ];
}

/** What `npm run smoke` does on a deployed stage beside calling its API (docs/operations.md, "Trying a stage"). */
export function smokeStatements({ PARTITION, ACCOUNT_ID, REGION }: Place, stage: StageName): PolicyStatement[] {
  const named = `business-data-${stage}-`;
  const arn = (service: string, resource: string) => `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;
  const bucket = `arn:${PARTITION}:s3:::${named}data-documents*`;
  const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });
  return [
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
    allow(["lambda:InvokeFunction"], [arn("lambda", `function:${named}*`)]),
    allow(["cloudwatch:DescribeAlarms"], ["*"]),
    allow(["cloudwatch:SetAlarmState"], [arn("cloudwatch", `alarm:${named}*`)]),
    allow(["sns:ListSubscriptionsByTopic", "sns:Subscribe"], [arn("sns", `${named}*`)]),
    // Neither can be bound to a queue or subscription: the one lists, the other has an ARN that nobody knows before.
    allow(["sqs:ListQueues", "sns:Unsubscribe"], ["*"]),
    allow(["sqs:CreateQueue", "sqs:DeleteQueue", "sqs:ReceiveMessage"], [arn("sqs", `${named}smoke-*`)]),
  ];
}
