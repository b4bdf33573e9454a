import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { copierPolicies } from "../copies.ts";
import type { Place } from "./roleStatements.ts";

/**
 * What CloudFormation may do for the stages, instead of everything: the services that their stacks use, and of these, where
 * CloudFormation names what it makes by its stack, what is named `business-data-…`. Nothing of it reads a record, a document or
 * a secret. What is for copies, budgets and releases is in `copiesStatements`.
 *
 * @param others the other regions of the stages
 */
export function executionStatements(
  { PARTITION, ACCOUNT_ID, REGION }: Place,
  others: readonly string[],
): PolicyStatement[] {
  const arn = (service: string, resource: string, { region = REGION, account = ACCOUNT_ID } = {}) =>
    `arn:${PARTITION}:${service}:${region}:${account}:${resource}`;
  const allow = (actions: string[], resources: string[], conditions?: Record<string, Record<string, unknown>>) =>
    new PolicyStatement({ actions, resources, ...(conditions && { conditions }) });
  const global = { region: "" };
  const nobodys = { region: "", account: "" };
  const everywhere = (service: string, resource: string) =>
    [REGION, ...others].map((region) => arn(service, resource, { region }));
  return [
    allow(["cloudformation:*"], everywhere("cloudformation", "stack/business-data-*")),
    // The templates and code that a deployment has brought, and the version of the bootstrap.
    allow(
      ["s3:GetObject*", "s3:ListBucket"],
      [arn("s3", "cdk-*-assets-*", nobodys), arn("s3", "cdk-*-assets-*/*", nobodys)],
    ),
    allow(["ssm:GetParameters"], everywhere("ssm", "parameter/cdk-bootstrap/*")),
    allow(
      [
        ...["CreateTable", "DeleteTable", "UpdateTable", "Describe*", "List*", "Update*Backups", "UpdateTimeToLive"],
        ...["TagResource", "UntagResource", "UpdateKinesisStreamingDestination", "GetResourcePolicy"],
      ].map((name) => `dynamodb:${name}`),
      [arn("dynamodb", "table/business-data-*")],
    ),
    allow(
      [
        "s3:CreateBucket",
        "s3:DeleteBucket",
        "s3:DeleteBucketPolicy",
        "s3:GetBucket*",
        "s3:GetEncryptionConfiguration",
        "s3:GetLifecycleConfiguration",
        "s3:PutBucket*",
        "s3:PutEncryptionConfiguration",
        "s3:PutLifecycleConfiguration",
      ],
      [arn("s3", "business-data-*", nobodys)],
    ),
    // Keys, secrets, mappings, mail and logs' deliveries have no name by their stack. Encrypt and Decrypt are not among it.
    allow(
      [
        "kms:CreateKey",
        "kms:Describe*",
        "kms:Enable*",
        "kms:GetKey*",
        "kms:List*",
        "kms:PutKeyPolicy",
        "kms:TagResource",
        "kms:UntagResource",
        "kms:UpdateKeyDescription",
        "kms:ScheduleKeyDeletion",
      ],
      ["*"],
    ),
    allow(
      [
        "secretsmanager:CreateSecret",
        "secretsmanager:DeleteSecret",
        "secretsmanager:DescribeSecret",
        "secretsmanager:GetRandomPassword",
        "secretsmanager:TagResource",
        "secretsmanager:UntagResource",
      ],
      ["*"],
    ),
    allow(["lambda:*"], [arn("lambda", "function:business-data-*")]),
    allow(
      [
        "lambda:CreateEventSourceMapping",
        "lambda:DeleteEventSourceMapping",
        "lambda:GetEventSourceMapping",
        "lambda:ListTags",
        "lambda:TagResource",
        "lambda:UntagResource",
        "lambda:UpdateEventSourceMapping",
      ],
      ["*"],
    ),
    allow(
      [
        "iam:CreateRole",
        "iam:DeleteRole",
        "iam:DeleteRolePolicy",
        "iam:DetachRolePolicy",
        "iam:GetRole*",
        "iam:List*",
        "iam:PutRolePolicy",
        "iam:TagRole",
        "iam:UntagRole",
        "iam:UpdateAssumeRolePolicy",
        "iam:UpdateRole*",
      ],
      [arn("iam", "role/business-data-*", global)],
    ),
    allow(["iam:PassRole"], [arn("iam", "role/business-data-*", global)], {
      StringEquals: {
        "iam:PassedToService": [
          "lambda.amazonaws.com",
          "scheduler.amazonaws.com",
          "apigateway.amazonaws.com",
          "cloudtrail.amazonaws.com",
          "s3.amazonaws.com",
          "backup.amazonaws.com",
        ],
      },
    }),
    // The policies of AWS that roles of the stages have: by which API Gateway writes its log, and AWS Backup copies.
    allow(["iam:AttachRolePolicy"], [arn("iam", "role/business-data-*", global)], {
      StringEquals: {
        "iam:PolicyARN": ["service-role/AmazonAPIGatewayPushToCloudWatchLogs", ...copierPolicies].map(
          (name) => `arn:${PARTITION}:iam::aws:policy/${name}`,
        ),
      },
    }),
    allow(["iam:CreateServiceLinkedRole"], ["*"], {
      StringLike: {
        "iam:AWSServiceName": ["ops.apigateway", "wafv2", "backup", "mrk.kms"].map((name) => `${name}.amazonaws.com`),
      },
    }),
    allow(["apigateway:*"], [arn("apigateway", "/*", { account: "" })]),
    allow(
      [
        "acm:DescribeCertificate",
        "ses:*ConfigurationSet*",
        "ses:*EmailIdentity*",
        "ses:TagResource",
        "ses:UntagResource",
      ],
      ["*"],
    ),
    allow(["sqs:*Queue*", "sqs:AddPermission", "sqs:RemovePermission"], [arn("sqs", "business-data-*")]),
    allow(["sns:*"], everywhere("sns", "business-data-*")),
    allow(
      [
        "cloudwatch:*Alarm*",
        "cloudwatch:*Dashboard*",
        "cloudwatch:TagResource",
        "cloudwatch:UntagResource",
        "cloudwatch:ListTagsForResource",
      ],
      ["*"],
    ),
    allow(
      ["logs:*"],
      [arn("logs", "log-group:business-data-*"), arn("logs", "log-group:aws-waf-logs-business-data-*")],
    ),
    allow(
      [
        "logs:*LogDelivery*",
        "logs:*ResourcePolicies",
        "logs:PutResourcePolicy",
        "logs:DescribeLogGroups",
        "logs:ListLogDeliveries",
      ],
      ["*"],
    ),
    allow(["scheduler:*"], [arn("scheduler", "schedule/default/business-data-*")]),
    allow(["wafv2:*"], [arn("wafv2", "regional/webacl/*"), arn("wafv2", "regional/managedruleset/*")]),
    allow(
      ["wafv2:*WebACL*", "wafv2:*LoggingConfiguration"],
      [arn("apigateway", "/restapis/*", { account: "" }), arn("wafv2", "*")],
    ),
    allow(["cloudtrail:*"], [arn("cloudtrail", "trail/business-data-*")]),
  ];
}
