import { App } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { PipelineStack } from "../../../infra/pipeline/pipelineStack.ts";
import { stages } from "../../../infra/stages.ts";
import { permits, type Statement } from "../../deployed/iamPolicy.ts";
import { actionsSent } from "./actionsSent.ts";
import { type Assembled, Template } from "./assembled.ts";

const place = "us-west-2:123456789012";

/**
 * For each type of the stages' resources what CloudFormation does to make and remove one, and one's ARN: as it is named by its
 * stack.
 */
const made: Readonly<Record<string, { actions: string[]; arn: string }>> = {
  "ApiGateway::Account": { actions: ["apigateway:PATCH"], arn: "arn:aws:apigateway:us-west-2::/account" },
  "ApiGateway::Deployment": {
    actions: ["apigateway:POST"],
    arn: "arn:aws:apigateway:us-west-2::/restapis/a/deployments",
  },
  "ApiGateway::BasePathMapping": {
    actions: ["apigateway:POST"],
    arn: "arn:aws:apigateway:us-west-2::/domainnames/api.example.org/basepathmappings",
  },
  "ApiGateway::DomainName": { actions: ["apigateway:POST"], arn: "arn:aws:apigateway:us-west-2::/domainnames" },
  "ApiGateway::GatewayResponse": {
    actions: ["apigateway:PUT"],
    arn: "arn:aws:apigateway:us-west-2::/restapis/a/gatewayresponses/b",
  },
  "ApiGateway::Method": {
    actions: ["apigateway:PUT", "apigateway:DELETE"],
    arn: "arn:aws:apigateway:us-west-2::/restapis/a/resources/b/methods/GET",
  },
  "ApiGateway::Resource": {
    actions: ["apigateway:POST"],
    arn: "arn:aws:apigateway:us-west-2::/restapis/a/resources/b",
  },
  "ApiGateway::RestApi": {
    actions: ["apigateway:POST", "apigateway:DELETE"],
    arn: "arn:aws:apigateway:us-west-2::/restapis",
  },
  "ApiGateway::Stage": { actions: ["apigateway:POST"], arn: "arn:aws:apigateway:us-west-2::/restapis/a/stages" },
  "Backup::BackupPlan": { actions: ["backup:CreateBackupPlan"], arn: `arn:aws:backup:${place}:backup-plan:x` },
  "Backup::BackupSelection": {
    actions: ["backup:CreateBackupSelection", "backup:DeleteBackupSelection"],
    arn: `arn:aws:backup:${place}:backup-plan:x`,
  },
  "Backup::BackupVault": {
    actions: ["backup:CreateBackupVault", "backup:DeleteBackupVault"],
    arn: "arn:aws:backup:us-east-2:123456789012:backup-vault:business-data-prod-copies",
  },
  "Budgets::Budget": { actions: ["budgets:ModifyBudget"], arn: "arn:aws:budgets::123456789012:budget/x" },
  "CE::AnomalyMonitor": { actions: ["ce:CreateAnomalyMonitor", "ce:DeleteAnomalyMonitor"], arn: "*" },
  "CE::AnomalySubscription": { actions: ["ce:CreateAnomalySubscription", "ce:GetAnomalySubscriptions"], arn: "*" },
  "CloudFormation::Stack": {
    actions: ["cloudformation:CreateStack", "cloudformation:DeleteStack"],
    arn: `arn:aws:cloudformation:${place}:stack/business-data-prod-api-Functions/x`,
  },
  "CloudTrail::Trail": {
    actions: ["cloudtrail:CreateTrail", "cloudtrail:StartLogging"],
    arn: `arn:aws:cloudtrail:${place}:trail/business-data-prod-data-Trail`,
  },
  "CloudWatch::Alarm": {
    actions: ["cloudwatch:PutMetricAlarm", "cloudwatch:DeleteAlarms"],
    arn: `arn:aws:cloudwatch:${place}:alarm:business-data-prod-latency`,
  },
  "CloudWatch::Dashboard": {
    actions: ["cloudwatch:PutDashboard", "cloudwatch:DeleteDashboards"],
    arn: "arn:aws:cloudwatch::123456789012:dashboard/business-data-prod",
  },
  "DynamoDB::Table": {
    actions: [
      "dynamodb:CreateTable",
      "dynamodb:UpdateContinuousBackups",
      "dynamodb:UpdateTimeToLive",
      "dynamodb:DescribeTable",
    ],
    arn: `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`,
  },
  "IAM::Policy": {
    actions: ["iam:PutRolePolicy", "iam:DeleteRolePolicy"],
    arn: "arn:aws:iam::123456789012:role/business-data-prod-api-Role",
  },
  "IAM::Role": {
    actions: ["iam:CreateRole", "iam:PutRolePolicy", "iam:DeleteRole"],
    arn: "arn:aws:iam::123456789012:role/business-data-prod-api-Role",
  },
  "KMS::Key": { actions: ["kms:CreateKey", "kms:EnableKeyRotation", "kms:PutKeyPolicy"], arn: "*" },
  "KMS::ReplicaKey": { actions: ["kms:ReplicateKey", "kms:CreateKey", "kms:PutKeyPolicy"], arn: "*" },
  "Lambda::EventInvokeConfig": {
    actions: ["lambda:PutFunctionEventInvokeConfig"],
    arn: `arn:aws:lambda:${place}:function:business-data-prod-api-F`,
  },
  "Lambda::EventSourceMapping": {
    actions: ["lambda:CreateEventSourceMapping", "lambda:DeleteEventSourceMapping"],
    arn: "*",
  },
  "Lambda::Function": {
    actions: ["lambda:CreateFunction", "lambda:PutFunctionConcurrency", "lambda:DeleteFunction"],
    arn: `arn:aws:lambda:${place}:function:business-data-prod-api-F`,
  },
  "Lambda::Permission": {
    actions: ["lambda:AddPermission"],
    arn: `arn:aws:lambda:${place}:function:business-data-prod-api-F`,
  },
  "Lambda::Version": {
    actions: ["lambda:PublishVersion"],
    arn: `arn:aws:lambda:${place}:function:business-data-prod-api-F`,
  },
  "Logs::LogGroup": {
    actions: ["logs:CreateLogGroup", "logs:PutRetentionPolicy"],
    arn: `arn:aws:logs:${place}:log-group:business-data-prod-api-Log`,
  },
  "S3::Bucket": {
    actions: [
      "s3:CreateBucket",
      "s3:PutBucketVersioning",
      "s3:PutLifecycleConfiguration",
      "s3:PutEncryptionConfiguration",
      "s3:PutBucketCORS",
      "s3:PutBucketPublicAccessBlock",
      "s3:PutReplicationConfiguration",
    ],
    arn: "arn:aws:s3:::business-data-prod-data-documents",
  },
  "S3::BucketPolicy": { actions: ["s3:PutBucketPolicy"], arn: "arn:aws:s3:::business-data-prod-data-documents" },
  "SES::ConfigurationSet": {
    actions: ["ses:CreateConfigurationSet", "ses:DeleteConfigurationSet"],
    arn: `arn:aws:ses:${place}:configuration-set/x`,
  },
  "SES::ConfigurationSetEventDestination": {
    actions: ["ses:CreateConfigurationSetEventDestination"],
    arn: `arn:aws:ses:${place}:configuration-set/x`,
  },
  "SES::EmailIdentity": {
    actions: ["ses:CreateEmailIdentity", "ses:DeleteEmailIdentity"],
    arn: `arn:aws:ses:${place}:identity/example.org`,
  },
  "SNS::Subscription": {
    actions: ["sns:Subscribe", "sns:Unsubscribe"],
    arn: `arn:aws:sns:${place}:business-data-prod-background-Topic`,
  },
  "SNS::Topic": {
    actions: ["sns:CreateTopic", "sns:DeleteTopic"],
    arn: `arn:aws:sns:${place}:business-data-prod-monitoring-Topic`,
  },
  "SNS::TopicPolicy": {
    actions: ["sns:SetTopicAttributes"],
    arn: "arn:aws:sns:us-east-2:123456789012:business-data-prod-recovery-alarms",
  },
  "SQS::Queue": {
    actions: ["sqs:CreateQueue", "sqs:SetQueueAttributes", "sqs:DeleteQueue", "sqs:TagQueue"],
    arn: `arn:aws:sqs:${place}:business-data-prod-background-Queue`,
  },
  "SQS::QueuePolicy": {
    actions: ["sqs:SetQueueAttributes"],
    arn: `arn:aws:sqs:${place}:business-data-prod-background-Queue`,
  },
  "Scheduler::Schedule": {
    actions: ["scheduler:CreateSchedule", "scheduler:DeleteSchedule"],
    arn: `arn:aws:scheduler:${place}:schedule/default/business-data-prod-background-S`,
  },
  "SSM::Parameter": {
    actions: ["ssm:PutParameter", "ssm:GetParameters", "ssm:DeleteParameter"],
    arn: `arn:aws:ssm:${place}:parameter/CFN-FormerReleasesNote-x`,
  },
  "SecretsManager::Secret": {
    actions: [
      "secretsmanager:CreateSecret",
      "secretsmanager:GetRandomPassword",
      "secretsmanager:DeleteSecret",
      "secretsmanager:ReplicateSecretToRegions",
      "secretsmanager:RemoveRegionsFromReplication",
    ],
    arn: `arn:aws:secretsmanager:${place}:secret:ServiceKey`,
  },
  "WAFv2::LoggingConfiguration": {
    actions: ["wafv2:PutLoggingConfiguration"],
    arn: `arn:aws:wafv2:${place}:regional/webacl/x/y`,
  },
  "WAFv2::WebACL": {
    actions: ["wafv2:CreateWebACL", "wafv2:DeleteWebACL"],
    arn: `arn:aws:wafv2:${place}:regional/webacl/x/y`,
  },
  "WAFv2::WebACLAssociation": { actions: ["wafv2:AssociateWebACL"], arn: `arn:aws:wafv2:${place}:regional/webacl/x/y` },
};

/** What nobody may do by the policy, whatever is deployed. */
const never: readonly [action: string, resource: string][] = [
  ["dynamodb:GetItem", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
  ["dynamodb:Scan", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
  ["dynamodb:CreateTable", `arn:aws:dynamodb:${place}:table/another`],
  ["s3:GetObject", "arn:aws:s3:::business-data-prod-data-documents/a"],
  ["s3:DeleteBucket", "arn:aws:s3:::another"],
  ["secretsmanager:GetSecretValue", `arn:aws:secretsmanager:${place}:secret:ServiceKey`],
  ["kms:Decrypt", `arn:aws:kms:${place}:key/x`],
  ["lambda:UpdateFunctionCode", `arn:aws:lambda:${place}:function:another`],
  ["iam:CreateUser", "arn:aws:iam::123456789012:user/x"],
  ["iam:CreatePolicyVersion", "arn:aws:iam::123456789012:policy/pipeline-of-business-data-ExecutionPolicy"],
  ["iam:UpdateAssumeRolePolicy", "arn:aws:iam::123456789012:role/pipeline-of-business-data-Prod"],
  ["iam:PutRolePolicy", "arn:aws:iam::123456789012:role/cdk-hnb659fds-cfn-exec-role-123456789012-us-west-2"],
  ["iam:AttachRolePolicy", "arn:aws:iam::123456789012:role/business-data-prod-api-Role"],
  ["cloudformation:UpdateStack", `arn:aws:cloudformation:${place}:stack/pipeline-of-business-data/x`],
  ["sts:AssumeRole", "arn:aws:iam::123456789012:role/admin"],
  ["ec2:RunInstances", "*"],
  ["backup:StartRestoreJob", "arn:aws:dynamodb:us-east-2:123456789012:table/x"],
  ["backup:DeleteRecoveryPoint", "arn:aws:backup:us-east-2:123456789012:recovery-point:x"],
  ["ssm:PutParameter", `arn:aws:ssm:${place}:parameter/cdk-bootstrap/hnb659fds/version`],
];

/** What a pipeline may do that deploys without a stored key. */
export function describePipeline(assembled: () => Assembled): void {
  describe("the pipeline", () => {
    let template: Template;
    beforeAll(() => {
      template = pipelineTemplate(false);
    });

    test("lets in jobs of one repository, each in the environment of its stage, and nobody else", () => {
      const trusts = template.properties("IAM::Role").map(({ AssumeRolePolicyDocument }) => AssumeRolePolicyDocument);
      expect(trusts.map(({ Statement }) => Statement)).toEqual(
        ["sandbox", "prod"].map((stage) => [
          {
            Action: "sts:AssumeRoleWithWebIdentity",
            Effect: "Allow",
            Principal: { Federated: { Ref: expect.stringMatching(/^GitHub/) } },
            Condition: {
              StringEquals: {
                "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
                "token.actions.githubusercontent.com:sub": `repo:acme/data:environment:${stage}`,
              },
            },
          },
        ]),
      );
    });

    test("makes the provider of GitHub, or uses the one that is there", () => {
      expect(template.one("IAM::OIDCProvider").Url).toBe("https://token.actions.githubusercontent.com");
      const other = pipelineTemplate(true);
      expect(other.properties("IAM::OIDCProvider")).toEqual([]);
      expect(JSON.stringify(resolved(other.one("IAM::Role", "Prod").AssumeRolePolicyDocument))).toContain(
        "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com",
      );
    });

    test("deploys by the roles of the bootstrap alone; in sandbox it may also try what it has deployed", () => {
      const [sandbox, prod] = ["Sandbox", "Prod"].map((id) => statementsOf(template, id));
      const assumable = (regions: string[]) =>
        regions.flatMap((region) =>
          ["deploy", "file-publishing", "lookup"].map(
            (name) => `arn:aws:iam::123456789012:role/cdk-hnb659fds-${name}-role-123456789012-${region}`,
          ),
        );
      const assumed = [sandbox, prod].map((statements) =>
        statements?.filter(({ Action }) => Action === "sts:AssumeRole").flatMap(({ Resource }) => Resource),
      );
      const { recoveryRegion } = stages.prod.aws;
      expect(assumed).toEqual([assumable(["us-west-2"]), assumable(["us-west-2", recoveryRegion])]);
      for (const statements of [sandbox, prod]) {
        expect([statements?.flatMap(({ Action }) => Action)].flat()).not.toContainEqual(expect.stringContaining("*"));
      }
      const read = {
        action: "dynamodb:GetItem",
        resource: `arn:aws:dynamodb:${place}:table/business-data-prod-data-T`,
      };
      for (const statements of [sandbox ?? [], prod ?? []]) expect(permits(statements, read)).toBe(false);
      const own = { ...read, resource: read.resource.replace("prod", "sandbox") };
      expect([sandbox, prod].map((statements) => permits(statements ?? [], own))).toEqual([true, false]);
    });

    test.each(["sandbox", "prod"])(
      "lets %s do what deploy and rollback do themselves, and on no other stage",
      (stage) => {
        const statements = statementsOf(
          template,
          stage.replace(/^./, (letter) => letter.toUpperCase()),
        );
        const needed = [...actionsSent("infra/deploy.ts")].filter((action) => action !== "sts:GetCallerIdentity");
        expect(needed).toEqual(expect.arrayContaining(["cloudformation:UpdateStack", "iam:DeleteRole"]));
        const on = (of: string, action: string) => ({ action, resource: resourceOf(action, of) });
        expect(needed.filter((action) => !permits(statements, on(stage, action)))).toEqual([]);
        const other = stage === "prod" ? "sandbox" : "prod";
        const changing = needed.filter((action) => !/:(Describe|Get|List)|^apigateway:/.test(action));
        expect(changing.filter((action) => permits(statements, on(other, action)))).toEqual([]);
        if (stage !== "prod") return;
        // And nothing else, but for what CloudFormation reads for whoever changes a stack.
        const more = ["sts:AssumeRole", "ssm:GetParameters", "s3:GetObject"];
        expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(new Set([...needed, ...more]));
      },
    );

    test("has CloudFormation do what the stages consist of, on what is theirs, and nothing that reads what they hold", () => {
      const policies = template
        .properties("IAM::ManagedPolicy")
        .map(({ PolicyDocument }) => resolved(PolicyDocument) as { Statement: Statement[] });
      // IAM takes no longer ones.
      for (const each of policies) expect(JSON.stringify(each).length).toBeLessThanOrEqual(6_144);
      const policy = { Statement: policies.flatMap(({ Statement }) => Statement) };
      const types = Object.values(assembled().templates).flatMap((stacks) =>
        Object.values(stacks).flatMap(({ json }) => Object.values(json.Resources).map(({ Type }) => Type.slice(5))),
      );
      expect([...new Set(types)].filter((type) => !(type in made))).toEqual([]);
      const refused = Object.values(made).flatMap(({ actions, arn }) =>
        actions.filter((action) => !permits(policy.Statement, { action, resource: arn })),
      );
      expect(refused).toEqual([]);
      const elsewhere = Object.values(made).filter(({ arn }) => arn.includes("business-data-"));
      expect(elsewhere.length).toBeGreaterThan(15);
      for (const { actions, arn } of elsewhere.filter(({ arn }) => !arn.includes(":cloudwatch:"))) {
        const resource = arn.replace("business-data-", "others-");
        expect(actions.filter((action) => permits(policy.Statement, { action, resource }))).toEqual([]);
      }
      expect(never.filter(([action, resource]) => permits(policy.Statement, { action, resource }))).toEqual([]);
      const pass = (service: string) => ({
        action: "iam:PassRole",
        resource: "arn:aws:iam::123456789012:role/business-data-prod-api-Role",
        context: { "iam:PassedToService": [service] },
      });
      for (const service of ["lambda", "s3", "backup"]) {
        expect(permits(policy.Statement, pass(`${service}.amazonaws.com`)), service).toBe(true);
      }
      const attached = ["prod", "sandbox"].flatMap((stage) =>
        Object.values(assembled().templates[stage as "prod" | "sandbox"])
          .flatMap((each) => each.properties("IAM::Role"))
          .flatMap(({ ManagedPolicyArns = [] }) => resolved(ManagedPolicyArns) as string[]),
      );
      expect(attached.length).toBeGreaterThan(2);
      const attach = (arn: string) => ({
        action: "iam:AttachRolePolicy",
        resource: "arn:aws:iam::123456789012:role/business-data-prod-api-Role",
        context: { "iam:PolicyARN": [arn] },
      });
      expect(attached.filter((arn) => !permits(policy.Statement, attach(arn)))).toEqual([]);
      expect(permits(policy.Statement, pass("ec2.amazonaws.com"))).toBe(false);
    });
  });
}

/** What a deployment of a stage uses an action on. */
function resourceOf(action: string, stage: string): string {
  const name = `business-data-${stage}-api-x`;
  if (action.startsWith("cloudformation:")) return `arn:aws:cloudformation:${place}:stack/${name}/y`;
  if (action.startsWith("iam:")) return `arn:aws:iam::123456789012:role/${name}`;
  if (action.startsWith("lambda:")) return `arn:aws:lambda:${place}:function:${name}`;
  if (action === "apigateway:GET") return "arn:aws:apigateway:us-west-2::/restapis/a/deployments";
  if (action === "apigateway:DELETE") return "arn:aws:apigateway:us-west-2::/restapis/a/deployments/b";
  return "*";
}

function pipelineTemplate(hasProvider: boolean): Template {
  const stack = new PipelineStack(new App(), "Pipeline", { repository: "acme/data", hasProvider });
  return new Template(Synthesized.fromStack(stack).toJSON());
}

const statementsOf = (template: Template, id: string): Statement[] =>
  template
    .one("IAM::Role", id)
    .Policies.flatMap(
      ({ PolicyDocument }: { PolicyDocument: unknown }) =>
        (resolved(PolicyDocument) as { Statement: Statement[] }).Statement,
    );

/** A part of a template as it is in one account. */
function resolved(part: unknown): unknown {
  const values: Record<string, string> = { Partition: "aws", AccountId: "123456789012", Region: "us-west-2" };
  const known = JSON.stringify(part).replace(/\{"Ref":"AWS::(\w+)"\}/g, (_, name) => JSON.stringify(values[name]));
  return JSON.parse(known, (_, value) =>
    value?.["Fn::Join"] ? value["Fn::Join"][1].join(value["Fn::Join"][0]) : value,
  );
}
