import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PipelineStack } from "../../../infra/pipeline/pipelineStack.ts";
import { type PipelineStage, pipelineStages } from "../../../infra/pipeline/pipelineStages.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { crbKey } from "../../../shared/store/keys/crbs.ts";
import { storedFormatKey } from "../../../shared/store/keys/storedFormat.ts";
import { type Access, permits, type Statement } from "../../system/deployed/iamPolicy.ts";
import { actionsSent } from "./actionsSent.ts";
import { type Assembled, Template } from "./assembled.ts";
import { managedStatements, resolved, roleStatements } from "./resolved.ts";

const place = "us-west-2:123456789012";
const stackRole = "arn:aws:iam::123456789012:role/business-data-prod-api-Role";
const boundary = "arn:aws:iam::123456789012:policy/boundary-of-business-data-prod-us-west-2";
const bounded = { "iam:PermissionsBoundary": [boundary] };
const tagged = { "aws:ResourceTag/stage": ["prod"] };
const newlyTagged = { "aws:RequestTag/stage": ["prod"] };

interface Made {
  actions: string[];
  arn: string;
  context?: NonNullable<Access["context"]>;
}

/**
 * @param actions the names of actions, without their service
 * @param resource the part of the ARN after the service, with a name as CloudFormation makes it from the stack's; or `*`
 */
const by = (service: string, actions: string, resource: string, context?: Made["context"]): Made => ({
  actions: actions.split(" ").map((action) => `${service}:${action}`),
  arn: resource === "*" ? resource : `arn:aws:${service}:${resource}`,
  ...(context && { context }),
});

// The part of an ARN after the service, with a name as CloudFormation makes it from the stack's.
const backupPlan = `${place}:backup-plan:x`;
const configurationSet = `${place}:configuration-set/x`;
const documents = "::business-data-prod-data-documents";
const key = `${place}:key/x`;
const lambda = `${place}:function:business-data-prod-api-F`;
const logGroup = `${place}:log-group:business-data-prod-api-Log`;
const queue = `${place}:business-data-prod-background-Queue`;
const role = ":123456789012:role/business-data-prod-api-Role";
const secret = `${place}:secret:ServiceKey`;
const table = `${place}:table/business-data-prod-data-Table`;

/** The actions by which CloudFormation creates and removes each type of resource in `prod`. */
const made: Readonly<Record<string, Made>> = {
  "ApiGateway::Account": by("apigateway", "PATCH", "us-west-2::/account"),
  "ApiGateway::Deployment": by("apigateway", "POST", "us-west-2::/restapis/a/deployments"),
  "ApiGateway::BasePathMapping": by("apigateway", "POST", "us-west-2::/domainnames/api.example.org/basepathmappings"),
  "ApiGateway::DomainName": by("apigateway", "POST", "us-west-2::/domainnames"),
  "ApiGateway::GatewayResponse": by("apigateway", "PUT", "us-west-2::/restapis/a/gatewayresponses/b"),
  "ApiGateway::Method": by("apigateway", "PUT DELETE", "us-west-2::/restapis/a/resources/b/methods/GET"),
  "ApiGateway::Resource": by("apigateway", "POST", "us-west-2::/restapis/a/resources/b"),
  "ApiGateway::RestApi": by("apigateway", "POST DELETE", "us-west-2::/restapis"),
  "ApiGateway::Stage": by("apigateway", "POST", "us-west-2::/restapis/a/stages"),
  "Backup::BackupPlan": by("backup", "CreateBackupPlan", backupPlan),
  "Backup::BackupSelection": by("backup", "CreateBackupSelection DeleteBackupSelection", backupPlan),
  "Backup::BackupVault": by(
    "backup",
    "CreateBackupVault DeleteBackupVault",
    "us-east-2:123456789012:backup-vault:business-data-prod-copies",
  ),
  "Budgets::Budget": by("budgets", "ModifyBudget", ":123456789012:budget/x"),
  "CE::AnomalyMonitor": by("ce", "CreateAnomalyMonitor DeleteAnomalyMonitor", "*"),
  "CE::AnomalySubscription": by("ce", "CreateAnomalySubscription GetAnomalySubscriptions", "*"),
  "CloudFormation::Stack": by(
    "cloudformation",
    "CreateStack DeleteStack",
    `${place}:stack/business-data-prod-api-Functions/x`,
  ),
  "CloudTrail::Trail": by("cloudtrail", "CreateTrail StartLogging", `${place}:trail/business-data-prod-trail`),
  "CloudWatch::Alarm": by("cloudwatch", "PutMetricAlarm DeleteAlarms", `${place}:alarm:business-data-prod-latency`),
  "CloudWatch::Dashboard": by(
    "cloudwatch",
    "PutDashboard DeleteDashboards",
    ":123456789012:dashboard/business-data-prod",
  ),
  "DynamoDB::Table": by("dynamodb", "CreateTable UpdateContinuousBackups UpdateTimeToLive DescribeTable", table),
  "IAM::Policy": by("iam", "PutRolePolicy DeleteRolePolicy", role, bounded),
  "IAM::Role": by("iam", "CreateRole PutRolePermissionsBoundary PutRolePolicy DeleteRole", role, bounded),
  "KMS::Key": by("kms", "EnableKeyRotation PutKeyPolicy ReplicateKey ScheduleKeyDeletion", key, tagged),
  "KMS::ReplicaKey": by("kms", "DescribeKey PutKeyPolicy ScheduleKeyDeletion", "us-east-2:123456789012:key/x", tagged),
  "KinesisFirehose::DeliveryStream": by(
    "firehose",
    "CreateDeliveryStream UpdateDestination StartDeliveryStreamEncryption",
    `${place}:deliverystream/business-data-prod-access-log`,
  ),
  "Lambda::EventInvokeConfig": by("lambda", "PutFunctionEventInvokeConfig", lambda),
  "Lambda::EventSourceMapping": by("lambda", "CreateEventSourceMapping DeleteEventSourceMapping", "*"),
  "Lambda::Function": by("lambda", "CreateFunction PutFunctionConcurrency DeleteFunction", lambda),
  "Lambda::Permission": by("lambda", "AddPermission", lambda),
  "Lambda::Version": by("lambda", "PublishVersion", lambda),
  "Logs::LogGroup": by("logs", "CreateLogGroup PutRetentionPolicy", logGroup),
  "Logs::LogStream": by(
    "logs",
    "CreateLogStream DescribeLogStreams",
    `${place}:log-group:business-data-prod-data-Log:log-stream:x`,
  ),
  "Logs::MetricFilter": by(
    "logs",
    "PutMetricFilter DeleteMetricFilter",
    `${place}:log-group:business-data-prod-api-AccessLog:*`,
  ),
  "Logs::SubscriptionFilter": by(
    "logs",
    "PutSubscriptionFilter DeleteSubscriptionFilter DescribeSubscriptionFilters",
    logGroup,
  ),
  "S3::Bucket": by(
    "s3",
    "CreateBucket PutBucketVersioning PutLifecycleConfiguration PutEncryptionConfiguration PutBucketCORS PutBucketPublicAccessBlock PutReplicationConfiguration PutBucketObjectLockConfiguration",
    documents,
  ),
  "S3::BucketPolicy": by("s3", "PutBucketPolicy", documents),
  "SES::ConfigurationSet": by("ses", "CreateConfigurationSet DeleteConfigurationSet", configurationSet),
  "SES::ConfigurationSetEventDestination": by("ses", "CreateConfigurationSetEventDestination", configurationSet),
  "SES::EmailIdentity": by("ses", "CreateEmailIdentity DeleteEmailIdentity", `${place}:identity/example.org`),
  "SNS::Subscription": by("sns", "Subscribe Unsubscribe", `${place}:business-data-prod-background-Topic`),
  "SNS::Topic": by("sns", "CreateTopic DeleteTopic", `${place}:business-data-prod-monitoring-Topic`),
  "SNS::TopicPolicy": by("sns", "SetTopicAttributes", "us-east-2:123456789012:business-data-prod-recovery-alarms"),
  "SQS::Queue": by("sqs", "CreateQueue SetQueueAttributes DeleteQueue TagQueue", queue),
  "SQS::QueuePolicy": by("sqs", "SetQueueAttributes", queue),
  "Scheduler::Schedule": by(
    "scheduler",
    "CreateSchedule DeleteSchedule",
    `${place}:schedule/default/business-data-prod-background-S`,
  ),
  "SSM::Parameter": by(
    "ssm",
    "PutParameter GetParameters DeleteParameter",
    `${place}:parameter/CFN-FormerReleasesNote-x`,
  ),
  "SecretsManager::Secret": by(
    "secretsmanager",
    "GetRandomPassword DeleteSecret ReplicateSecretToRegions RemoveRegionsFromReplication",
    secret,
    tagged,
  ),
  "WAFv2::LoggingConfiguration": by("wafv2", "PutLoggingConfiguration", `${place}:regional/webacl/x/y`),
  "WAFv2::WebACL": by("wafv2", "CreateWebACL DeleteWebACL", `${place}:regional/webacl/x/y`),
  "WAFv2::WebACLAssociation": by("wafv2", "AssociateWebACL", `${place}:regional/webacl/x/y`),
};

/** Requests that create and tag a key, its replica and a secret. */
const creations: readonly Access[] = [
  { action: "kms:CreateKey", resource: "*", context: { ...newlyTagged, "aws:RequestedRegion": ["us-west-2"] } },
  { action: "kms:CreateKey", resource: "*", context: { "aws:RequestedRegion": ["us-east-2"] } },
  { action: "kms:TagResource", resource: `arn:aws:kms:${place}:key/x`, context: newlyTagged },
  { action: "kms:TagResource", resource: "arn:aws:kms:us-east-2:123456789012:key/x", context: newlyTagged },
  {
    action: "secretsmanager:CreateSecret",
    resource: `arn:aws:secretsmanager:${place}:secret:ServiceKey`,
    context: newlyTagged,
  },
  {
    action: "secretsmanager:TagResource",
    resource: `arn:aws:secretsmanager:${place}:secret:ServiceKey`,
    context: newlyTagged,
  },
];

/** Accesses that the policy never allows, whatever is deployed. */
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
  ["iam:CreatePolicyVersion", boundary],
  ["iam:DeletePolicy", boundary],
  ["iam:DeleteRolePermissionsBoundary", stackRole],
  ["iam:CreateRole", stackRole],
  ["iam:PutRolePolicy", stackRole],
  ["cloudformation:UpdateStack", `arn:aws:cloudformation:${place}:stack/boundary-of-business-data-prod/x`],
  ["sts:AssumeRole", "arn:aws:iam::123456789012:role/admin"],
  ["ec2:RunInstances", "*"],
  ["backup:StartRestoreJob", "arn:aws:dynamodb:us-east-2:123456789012:table/x"],
  ["backup:DeleteRecoveryPoint", "arn:aws:backup:us-east-2:123456789012:recovery-point:x"],
  ["ssm:PutParameter", `arn:aws:ssm:${place}:parameter/cdk-bootstrap/hnb659fds/version`],
];

/** The permissions of a pipeline that deploys without a stored key. */
export function describePipeline(assembled: () => Assembled): void {
  describe.each(pipelineStages)("the pipeline of %s", (stage) => {
    const other = pipelineStages.find((each) => each !== stage) ?? expect.fail();
    let template: Template;
    let statements: Statement[];
    beforeAll(() => {
      template = pipelineTemplate(stage);
      statements = roleStatements(template);
    });

    test("has one role, for jobs of one repository in the environment of its stage", () => {
      const trusts = template.properties("IAM::Role").map(({ AssumeRolePolicyDocument }) => AssumeRolePolicyDocument);
      expect(trusts.map(({ Statement }) => Statement)).toEqual([
        [
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
        ],
      ]);
    });

    test("creates GitHub's identity provider, or uses the existing one", () => {
      expect(template.one("IAM::OIDCProvider").Url).toBe("https://token.actions.githubusercontent.com");
      const withProvider = pipelineTemplate(stage, true);
      expect(withProvider.properties("IAM::OIDCProvider")).toEqual([]);
      expect(JSON.stringify(resolved(withProvider.one("IAM::Role").AssumeRolePolicyDocument))).toContain(
        "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com",
      );
    });

    test("may assume only the roles of the bootstrap; only in sandbox, which it tests, may it read records", () => {
      const recoveryRegion = recoveryRegionOf(stage);
      const assumable = ["us-west-2", ...(recoveryRegion ? [recoveryRegion] : [])].flatMap((region) =>
        ["deploy", "file-publishing"].map(
          (name) => `arn:aws:iam::123456789012:role/cdk-hnb659fds-${name}-role-123456789012-${region}`,
        ),
      );
      const assuming = statements.filter(({ Action }) => Action === "sts:AssumeRole");
      expect(assuming.flatMap(({ Resource }) => Resource)).toEqual(assumable);
      expect(statements.flatMap(({ Action }) => Action)).not.toContainEqual(expect.stringContaining("*"));
      const table = (of: string) => `arn:aws:dynamodb:${place}:table/business-data-${of}-data-T`;
      const reads = (of: string, pk: string) =>
        permits(statements, {
          action: "dynamodb:GetItem",
          resource: table(of),
          context: { "dynamodb:LeadingKeys": [pk] },
        });
      const record = crbKey("00000000-0000-4000-8000-000000000000").pk;
      expect([reads(stage, record), reads(other, record)]).toEqual([stage === "sandbox", false]);
      expect([reads(stage, storedFormatKey.pk), reads(other, storedFormatKey.pk)]).toEqual([true, false]);
      const tries = (of: string) => [
        permits(statements, {
          action: "lambda:InvokeFunction",
          resource: `arn:aws:lambda:${place}:function:business-data-${of}-workers-F`,
        }),
        permits(statements, {
          action: "apigateway:GET",
          resource: `arn:aws:apigateway:us-west-2::/restapis/a/stages/${of}/exports/oas30`,
        }),
      ];
      expect([tries(stage), tries(other)]).toEqual([
        [true, true],
        [false, false],
      ]);
    });

    test("may assume no role of the bootstrap with an AWS managed policy that reads stored data", () => {
      const assuming = statements.filter(({ Action }) => Action === "sts:AssumeRole");
      const assumable = JSON.stringify(assuming.flatMap(({ Resource }) => Resource));
      const policies = Object.entries(bootstrapPolicies()).filter(([name]) => assumable.includes(`-${name}-role-`));
      expect(Object.fromEntries(policies)).toEqual({
        deploy: ["AWSCloudFormationReadOnlyAccess"],
        "file-publishing": [],
      });
      expect(Object.values(bootstrapPolicies()).flat()).toContain("ReadOnlyAccess");
    });

    test("has the permissions that deploy and rollback need, and only on its stage", () => {
      const needed = [...actionsSent("infra/deploy/deploy.ts")].filter((action) => action !== "sts:GetCallerIdentity");
      expect(needed).toEqual(expect.arrayContaining(["cloudformation:UpdateStack", "iam:DeleteRole"]));
      const on = (of: string, action: string) => ({
        action,
        resource: resourceOf(action, of),
        context: { "aws:ResourceTag/stage": [of] },
      });
      expect(needed.filter((action) => !permits(statements, on(stage, action)))).toEqual([]);
      const changing = needed.filter((action) => !/:(Describe|Get|List)|^apigateway:/.test(action));
      expect(changing.filter((action) => permits(statements, on(other, action)))).toEqual([]);
      expect(permits(statements, on(other, "kms:DescribeKey"))).toBe(false);
      const boundaryStack = (of: string) => `arn:aws:cloudformation:${place}:stack/boundary-of-business-data-${of}/x`;
      const onBoundary = ["DescribeStacks", "UpdateStack", "DeleteStack"].map((name) =>
        permits(statements, { action: `cloudformation:${name}`, resource: boundaryStack(stage) }),
      );
      expect(onBoundary).toEqual([true, false, false]);
      if (stage !== "prod") return;
      // Nothing else, except reads that CloudFormation makes with the permissions of the role.
      const more = ["sts:AssumeRole", "ssm:GetParameters", "s3:GetObject"];
      expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(new Set([...needed, ...more]));
    });

    test("has policies for CloudFormation that IAM accepts and that allow all resources of the stage", () => {
      for (const { PolicyDocument } of template.properties("IAM::ManagedPolicy"))
        expect(JSON.stringify(resolved(PolicyDocument)).length).toBeLessThanOrEqual(6_144);
      const allowed = managedStatements(template);
      const types = new Set(
        Object.values(assembled().templates[stage]).flatMap(({ json }) =>
          Object.values(json.Resources).map(({ Type }) => Type.slice(5)),
        ),
      );
      expect([...types].filter((type) => !(type in made))).toEqual([]);
      const rejected = Object.entries(made)
        .filter(([type]) => types.has(type))
        .flatMap(([, { actions, arn, context }]) =>
          actions.filter(
            (action) => !permits(allowed, inStage({ action, resource: arn, ...(context && { context }) }, stage)),
          ),
        );
      expect(rejected).toEqual([]);
      const attached = Object.values(assembled().templates[stage])
        .flatMap((each) => each.properties("IAM::Role"))
        .flatMap(({ ManagedPolicyArns = [] }) => resolved(ManagedPolicyArns) as string[]);
      expect(attached.length).toBeGreaterThan(0);
      const attach = (arn: string) =>
        inStage(
          { action: "iam:AttachRolePolicy", resource: stackRole, context: { ...bounded, "iam:PolicyARN": [arn] } },
          stage,
        );
      expect(attached.filter((arn) => !permits(allowed, attach(arn)))).toEqual([]);
    });
  });

  describe("CloudFormation, with the policies of prod's pipeline,", () => {
    let allowed: Statement[];
    beforeAll(() => {
      allowed = managedStatements(pipelineTemplate("prod"));
    });

    test.each(["others-", "business-data-sandbox-"])("cannot change resources whose names begin with %s", (name) => {
      const elsewhere = Object.values(made).filter(({ arn }) => arn.includes("business-data-prod-"));
      expect(elsewhere.length).toBeGreaterThan(15);
      for (const { actions, arn, context = {} } of elsewhere.filter(({ arn }) => !arn.includes(":cloudwatch:"))) {
        const resource = arn.replace("business-data-prod-", name);
        expect(actions.filter((action) => permits(allowed, { action, resource, context }))).toEqual([]);
      }
    });

    test("cannot read stored data, and cannot change its own permissions or the boundary", () => {
      expect(never.filter(([action, resource]) => permits(allowed, { action, resource }))).toEqual([]);
      expect(permits(allowed, { action: "iam:AttachRolePolicy", resource: stackRole, context: bounded })).toBe(false);
      const pass = (service: string) =>
        permits(allowed, {
          action: "iam:PassRole",
          resource: stackRole,
          context: { "iam:PassedToService": [`${service}.amazonaws.com`] },
        });
      expect(["lambda", "s3", "backup", "firehose", "logs"].map(pass)).not.toContain(false);
      expect(pass("ec2")).toBe(false);
    });

    test.each(["iam:CreateRole", "iam:PutRolePermissionsBoundary", "iam:PutRolePolicy", "iam:AttachRolePolicy"])(
      "may use %s only with the boundary of its stage",
      (action) => {
        const policy = "arn:aws:iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup";
        const inOtherRegion = boundary.replace("us-west-2", "us-east-2");
        const does = (...boundaries: string[]) =>
          permits(allowed, {
            action,
            resource: stackRole,
            context: {
              "iam:PolicyARN": [policy],
              ...(boundaries.length > 0 && { "iam:PermissionsBoundary": boundaries }),
            },
          });
        expect([does(boundary), does(inOtherRegion), does()]).toEqual([true, true, false]);
        expect(does("arn:aws:iam::aws:policy/AdministratorAccess")).toBe(false);
        expect(does(boundary.replace("prod", "sandbox"))).toBe(false);
      },
    );

    test("changes the trust of a role only if the role has the tag of its stage, which every role gets", () => {
      const roles = Object.values(assembled().templates.prod).flatMap((each) => each.properties("IAM::Role"));
      for (const { Tags } of roles) expect(Tags).toContainEqual({ Key: "stage", Value: "prod" });
      const can = (name: string, context: Access["context"] = {}) =>
        permits(allowed, { action: `iam:${name}`, resource: stackRole, context: context ?? {} });
      const ofSandbox = { "aws:ResourceTag/stage": ["sandbox"] };
      const trust = [tagged, {}, ofSandbox].map((context) => can("UpdateAssumeRolePolicy", context));
      expect(trust).toEqual([true, false, false]);
      // The creation of a role adds the tag. A role of another stage cannot get it.
      expect([{}, ofSandbox].map((context) => can("TagRole", { ...newlyTagged, ...context }))).toEqual([true, false]);
      expect([can("TagRole"), can("TagRole", tagged)]).toEqual([false, true]);
    });

    test("creates keys and secrets only with the tag of the stage, and changes only those with that tag", () => {
      expect(creations.filter((each) => !permits(allowed, each))).toEqual([]);
      const [key] = creations;
      const untagged = { ...key, context: { "aws:RequestedRegion": ["us-west-2"] } } as Access;
      expect(permits(allowed, untagged)).toBe(false);
      for (const { actions, arn } of ["KMS::Key", "KMS::ReplicaKey", "SecretsManager::Secret"].map(
        (type) => made[type] ?? expect.fail(type),
      )) {
        const changing = actions.filter((action) => !action.endsWith(":GetRandomPassword"));
        for (const context of [{}, { "aws:ResourceTag/stage": ["sandbox"] }]) {
          const access = (action: string) => ({ action, resource: arn, context });
          expect(changing.filter((action) => permits(allowed, access(action)))).toEqual([]);
        }
      }
      // The tag of this stage cannot be added to a key of another stage.
      const retagged = (each: Access) => ({
        ...each,
        context: { ...each.context, "aws:ResourceTag/stage": ["sandbox"] },
      });
      const retagging = creations.filter(({ action }) => action.endsWith(":TagResource")).map(retagged);
      expect(retagging.filter((each) => permits(allowed, each))).toEqual([]);
    });

    test("may use the key of AWS Backup only through that service, and no key of a stage", () => {
      const grant = (service: string, tags: object) =>
        permits(allowed, {
          action: "kms:CreateGrant",
          resource: `arn:aws:kms:${place}:key/x`,
          context: { "kms:ViaService": [`${service}.us-west-2.amazonaws.com`], ...tags },
        });
      expect([grant("backup", {}), grant("dynamodb", {}), grant("backup", tagged)]).toEqual([true, false, false]);
    });
  });
}

/** Turns an access in `prod` into that of another stage; a stage without a second region has everything in one. */
function inStage(access: Access, stage: PipelineStage): Access {
  const renamed = JSON.stringify(access).replaceAll("prod", stage);
  return JSON.parse(recoveryRegionOf(stage) ? renamed : renamed.replaceAll("us-east-2", "us-west-2"));
}

const recoveryRegionOf = (stage: PipelineStage): string | undefined => {
  const settings: StageSettings = stages[stage];
  return settings.aws?.recoveryRegion;
};

/** The resource on which a deployment of a stage uses an action. */
function resourceOf(action: string, stage: string): string {
  const name = `business-data-${stage}-api-x`;
  if (action.startsWith("cloudformation:")) return `arn:aws:cloudformation:${place}:stack/${name}/y`;
  if (action.startsWith("iam:")) return `arn:aws:iam::123456789012:role/${name}`;
  if (action.startsWith("dynamodb:")) return `arn:aws:dynamodb:${place}:table/business-data-${stage}-recovered`;
  if (action.startsWith("kms:")) return `arn:aws:kms:${place}:key/x`;
  if (action.startsWith("lambda:")) return `arn:aws:lambda:${place}:function:${name}`;
  if (action === "apigateway:GET") return "arn:aws:apigateway:us-west-2::/restapis/a/deployments";
  if (action === "apigateway:DELETE") return "arn:aws:apigateway:us-west-2::/restapis/a/deployments/b";
  return "*";
}

export function pipelineTemplate(stage: PipelineStage, hasProvider = false): Template {
  const stack = new PipelineStack(new App(), "Pipeline", { stage, repository: "acme/data", hasProvider });
  return new Template(Synthesized.fromStack(stack).toJSON());
}

/** The AWS managed policies of the roles that the bootstrap of the installed CDK creates, except CloudFormation's role. */
function bootstrapPolicies(): Record<string, string[]> {
  type Text = { "Fn::Sub": string };
  const file = "node_modules/aws-cdk/lib/api/bootstrap/bootstrap-template.yaml";
  const { Resources }: { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> } = parse(
    readFileSync(file, "utf8"),
  );
  return Object.fromEntries(
    Object.entries(Resources)
      .filter(([id, { Type }]) => Type === "AWS::IAM::Role" && id !== "CloudFormationExecutionRole")
      .map(([, { Properties }]) => {
        const { RoleName, ManagedPolicyArns = [] } = Properties as { RoleName: Text; ManagedPolicyArns?: Text[] };
        const [, name] = /\$\{Qualifier\}-(.+)-role-/.exec(RoleName["Fn::Sub"]) ?? expect.fail();
        return [name, ManagedPolicyArns.map((each) => each["Fn::Sub"].replace(/.*:policy\//, ""))];
      }),
  );
}
