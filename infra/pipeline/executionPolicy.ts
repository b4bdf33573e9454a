import { copierPolicies, restorerPolicies } from "../backup/crossRegionBackup.ts";
import { type AwsTarget, allow, arnsOf, boundaryName, type Statement } from "../permissions/boundary/boundary.ts";
import type { StageName } from "../stages/stages.ts";

/**
 * CloudFormation's permissions on the stacks of a stage, instead of full access. They cover the services that the
 * stacks use, limited to `business-data-STAGE-…` wherever names contain the stack's name. None of the statements allows
 * reading a record, a document or a secret. `keyStatements` covers keys and secrets; `copiesStatements` covers copies,
 * budgets and release parameters.
 */
export function executionStatements(target: AwsTarget, stage: StageName, otherRegions: readonly string[]): Statement[] {
  const { PARTITION, REGION } = target;
  const arn = arnsOf(target);
  const global = { region: "" };
  const nobodys = { region: "", account: "" };
  const everywhere = (service: string, resource: string) =>
    [REGION, ...otherRegions].map((region) => arn(service, resource, { region }));
  const prefix = `business-data-${stage}-*`;
  const role = arn("iam", `role/${prefix}`, global);
  const boundaries = [REGION, ...otherRegions].map((region) =>
    arn("iam", `policy/${boundaryName(stage, region)}`, global),
  );
  const isBounded = { "iam:PermissionsBoundary": boundaries };
  return [
    allow(["cloudformation:*"], everywhere("cloudformation", `stack/${prefix}`)),
    // Allows reading the deployment's templates and bundles, and the version of the bootstrap.
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
      [arn("dynamodb", `table/${prefix}`)],
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
      [arn("s3", prefix, nobodys)],
    ),
    allow(["lambda:*"], [arn("lambda", `function:${prefix}`)]),
    // Event source mappings, mail identities and log deliveries have names without the stack's name.
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
        "iam:DeleteRole",
        "iam:DeleteRolePolicy",
        "iam:DetachRolePolicy",
        "iam:GetRole*",
        "iam:List*",
        "iam:UpdateRole*",
      ],
      [role],
    ),
    // IAM offers no condition on the boundary of a role whose trust changes. The tag of the stage, which every role gets
    // at creation, distinguishes the stage's roles from roles that only have its name.
    allow(["iam:TagRole", "iam:UntagRole", "iam:UpdateAssumeRolePolicy"], [role], {
      StringEquals: { "aws:ResourceTag/stage": stage },
    }),
    allow(["iam:TagRole"], [role], {
      StringEquals: { "aws:RequestTag/stage": stage },
      Null: { "aws:ResourceTag/stage": "true" },
    }),
    // A role cannot lose the boundary that it was created with.
    allow(["iam:CreateRole", "iam:PutRolePermissionsBoundary", "iam:PutRolePolicy"], [role], {
      StringEquals: isBounded,
    }),
    allow(["iam:PassRole"], [role], {
      StringEquals: {
        "iam:PassedToService": [
          "lambda.amazonaws.com",
          "scheduler.amazonaws.com",
          "apigateway.amazonaws.com",
          "cloudtrail.amazonaws.com",
          "s3.amazonaws.com",
          "backup.amazonaws.com",
          "firehose.amazonaws.com",
          "logs.amazonaws.com",
        ],
      },
    }),
    // The AWS managed policies that the stage's roles use, for API Gateway's logs and for AWS Backup.
    allow(["iam:AttachRolePolicy"], [role], {
      StringEquals: {
        ...isBounded,
        "iam:PolicyARN": [
          "service-role/AmazonAPIGatewayPushToCloudWatchLogs",
          ...copierPolicies,
          ...restorerPolicies,
        ].map((name) => `arn:${PARTITION}:iam::aws:policy/${name}`),
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
    allow(["sqs:*Queue*", "sqs:AddPermission", "sqs:RemovePermission"], [arn("sqs", prefix)]),
    allow(["sns:*"], everywhere("sns", prefix)),
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
    allow(["logs:*"], [arn("logs", `log-group:${prefix}`), arn("logs", `log-group:aws-waf-logs-${prefix}`)]),
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
    allow(["firehose:*DeliveryStream*", "firehose:UpdateDestination"], [arn("firehose", `deliverystream/${prefix}`)]),
    allow(["scheduler:*"], [arn("scheduler", `schedule/default/${prefix}`)]),
    allow(["wafv2:*"], [arn("wafv2", "regional/webacl/*"), arn("wafv2", "regional/managedruleset/*")]),
    allow(
      ["wafv2:*WebACL*", "wafv2:*LoggingConfiguration"],
      [arn("apigateway", "/restapis/*", { account: "" }), arn("wafv2", "*")],
    ),
    allow(["cloudtrail:*"], [arn("cloudtrail", `trail/${prefix}`)]),
  ];
}
