import { App } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { BoundaryStack } from "../../../infra/permissions/boundary/boundaryStack.ts";
import { boundaryFingerprint } from "../../../infra/permissions/boundary/fingerprint.ts";
import { restoreStatements } from "../../../infra/permissions/boundary/restoreRole.ts";
import { pipelineStages } from "../../../infra/pipeline/pipelineStages.ts";
import { deployedStages, type StageName } from "../../../infra/stages/stages.ts";
import { type Access, permits, type Statement } from "../../system/deployed/iamPolicy.ts";
import { type Assembled, Template } from "./assembled.ts";
import { pipelineTemplate } from "./describePipeline.ts";
import { managedStatements, resolved, roleStatements } from "./resolved.ts";

const place = "us-west-2:123456789012";
const ofSandbox = { "aws:ResourceTag/stage": ["sandbox"] };

/** The upper limit of the permissions of a stage's roles. */
export function describeBoundary(assembled: () => Assembled): void {
  const templatesOf = (stage: StageName) =>
    Object.values(assembled().templates[stage as keyof Assembled["templates"]] ?? expect.fail(stage));

  describe.each(deployedStages)("the permissions boundary of %s", (stage) => {
    const name = `boundary-of-business-data-${stage}-us-west-2`;

    test("belongs to every role", () => {
      const restored = stage === "prod" ? Object.values(assembled().restored) : [];
      const roles = [...templatesOf(stage), ...restored].flatMap((each) => each.properties("IAM::Role"));
      expect(roles.length).toBeGreaterThan(0);
      for (const { PermissionsBoundary, Description } of roles)
        expect(resolved(PermissionsBoundary), Description).toBe(`arn:aws:iam::123456789012:policy/${name}`);
    });

    test("has the expected name, and a length that IAM accepts", () => {
      const { ManagedPolicyName, PolicyDocument } = boundaryTemplate(stage).one("IAM::ManagedPolicy");
      expect(resolved(ManagedPolicyName)).toBe(name);
      expect(JSON.stringify(resolved(PolicyDocument)).length).toBeLessThanOrEqual(6_144);
    });

    test("allows everything that the policies of the roles allow", () => {
      const boundary = boundaryOf(stage);
      const granted = templatesOf(stage).flatMap((template) => grantedIn(template, stage));
      expect(granted.length).toBeGreaterThan(0);
      expect(granted.filter((access) => !permits(boundary, access)).map(describeAccess)).toEqual([]);
    });
  });

  describe("the restore role of prod", () => {
    const template = boundaryTemplate("prod");
    const role = template.one("IAM::Role");
    const statements = roleStatements(template);
    const own = { "aws:ResourceTag/stage": ["prod"] };
    const passed = { "iam:PassedToService": ["backup.amazonaws.com"] };
    const can = (action: string, resource: string, context: Access["context"] = {}) =>
      permits(statements, { action, resource, context: context ?? {} });

    test("is for people of the account with MFA, in a stack that deployments cannot change", () => {
      expect(resolved(role.RoleName)).toBe("restore-of-business-data-prod-us-west-2");
      expect(resolved(role.AssumeRolePolicyDocument)).toMatchObject({
        Statement: [
          {
            Action: "sts:AssumeRole",
            Effect: "Allow",
            Principal: { AWS: "arn:aws:iam::123456789012:root" },
            Condition: { Bool: { "aws:MultiFactorAuthPresent": "true" } },
          },
        ],
      });
      const deploying = pipelineStages.flatMap((stage) => managedStatements(pipelineTemplate(stage)));
      const context = { "aws:ResourceTag/stage": ["prod"] };
      for (const action of ["iam:UpdateAssumeRolePolicy", "iam:PutRolePolicy", "iam:DeleteRole", "sts:AssumeRole"]) {
        const resource = "arn:aws:iam::123456789012:role/restore-of-business-data-prod-us-west-2";
        expect(permits(deploying, { action, resource, context })).toBe(false);
      }
      expect(boundaryTemplate("mock").properties("IAM::Role")).toEqual([]);
    });

    test.each<[action: string, resource: string, context?: Access["context"]]>([
      ["s3:GetObject", "arn:aws:s3:::business-data-prod-changes-123456789012-us-west-2/changes/a"],
      ["s3:ListBucket", "arn:aws:s3:::business-data-prod-journal-123456789012-us-west-2"],
      ["s3:GetObjectVersion", "arn:aws:s3:::business-data-prod-journal-123456789012-us-west-2/journal/a"],
      ["s3:PutObject", "arn:aws:s3:::business-data-prod-data-documents1/journal/a"],
      ["s3:PutObject", "arn:aws:s3:::business-data-prod-data-accessrecords1/access/operator/2026-11-20/a.gz"],
      ["dynamodb:RestoreTableToPointInTime", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
      ["dynamodb:BatchWriteItem", `arn:aws:dynamodb:${place}:table/business-data-prod-recovered-2`],
      ["dynamodb:UpdateTable", `arn:aws:dynamodb:${place}:table/business-data-prod-recovered`],
      ["kms:DescribeKey", `arn:aws:kms:${place}:key/x`, own],
      ["backup:StartRestoreJob", `arn:aws:backup:${place}:recovery-point:x`],
      ["iam:PassRole", "arn:aws:iam::123456789012:role/business-data-prod-recovery-Restorer1", passed],
      ["secretsmanager:StopReplicationToReplica", `arn:aws:secretsmanager:${place}:secret:ServiceKey`, own],
      ["cloudformation:DescribeStacks", `arn:aws:cloudformation:${place}:stack/business-data-prod-recovery/x`],
    ])("may use %s on %s", (action, resource, context) => {
      expect(can(action, resource, context)).toBe(true);
      expect(can(action, resource.replace("-prod", "-sandbox"), context && { ...context, ...ofSandbox })).toBe(
        action === "backup:StartRestoreJob",
      );
    });

    test.each<[action: string, resource: string, context?: Access["context"]]>([
      ["dynamodb:GetItem", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
      ["dynamodb:UpdateTable", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
      ["s3:GetObject", "arn:aws:s3:::business-data-prod-data-documents1/documents/a"],
      ["s3:PutObject", "arn:aws:s3:::business-data-prod-data-accessrecords1/access/1/2026-11-20/a.gz"],
      ["s3:DeleteObject", "arn:aws:s3:::business-data-prod-changes-123456789012-us-west-2/changes/a"],
      ["s3:PutBucketPolicy", "arn:aws:s3:::business-data-prod-changes-123456789012-us-west-2"],
      ["secretsmanager:GetSecretValue", `arn:aws:secretsmanager:${place}:secret:ServiceKey`, own],
      ["iam:PassRole", "arn:aws:iam::123456789012:role/business-data-prod-api-Role", passed],
      ["sts:AssumeRole", "arn:aws:iam::123456789012:role/cdk-hnb659fds-deploy-role-123456789012-us-west-2"],
    ])("may not use %s on %s", (action, resource, context) => expect(can(action, resource, context)).toBe(false));

    test("has a fingerprint that changes with its permissions, so that a release waits for the bootstrap", () => {
      expect(boundaryTemplate("prod").json.Outputs?.Fingerprint?.Value).toBe(boundaryFingerprint("prod"));
      expect(restoreStatements({ PARTITION: "", ACCOUNT_ID: "", REGION: "" }, "prod")).toHaveLength(
        role.Policies[0].PolicyDocument.Statement.length,
      );
    });
  });

  describe("the permissions boundary of prod", () => {
    const boundary = boundaryOf("prod");
    const own = { "aws:ResourceTag/stage": ["prod"] };

    test.each<[action: string, resource: string, context?: Access["context"]]>([
      ["iam:CreateUser", "arn:aws:iam::123456789012:user/x"],
      ["iam:PutRolePolicy", "arn:aws:iam::123456789012:role/business-data-prod-api-Role"],
      ["iam:DeleteRolePermissionsBoundary", "arn:aws:iam::123456789012:role/business-data-prod-api-Role"],
      ["iam:CreatePolicyVersion", "arn:aws:iam::123456789012:policy/boundary-of-business-data-prod-us-west-2"],
      ["iam:PassRole", "arn:aws:iam::123456789012:role/admin"],
      ["sts:AssumeRole", "arn:aws:iam::123456789012:role/cdk-hnb659fds-deploy-role-123456789012-us-west-2"],
      ["sts:AssumeRole", "arn:aws:iam::123456789012:role/pipeline-of-business-data-Prod"],
      ["sts:AssumeRole", "arn:aws:iam::123456789012:role/business-data-sandbox-api-Role"],
      ["cloudformation:UpdateStack", `arn:aws:cloudformation:${place}:stack/business-data-prod-api/x`],
      ["lambda:UpdateFunctionCode", `arn:aws:lambda:${place}:function:business-data-prod-api-F`],
      ["dynamodb:GetItem", `arn:aws:dynamodb:${place}:table/business-data-sandbox-data-Table`],
      ["dynamodb:Scan", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
      ["dynamodb:DeleteTable", `arn:aws:dynamodb:${place}:table/business-data-prod-data-Table`],
      ["s3:GetObject", "arn:aws:s3:::business-data-sandbox-data-documents/a"],
      ["s3:DeleteBucket", "arn:aws:s3:::business-data-prod-data-documents"],
      ["s3:PutBucketPolicy", "arn:aws:s3:::business-data-prod-data-documents"],
      ["secretsmanager:GetSecretValue", `arn:aws:secretsmanager:${place}:secret:ServiceKey`, ofSandbox],
      ["secretsmanager:PutSecretValue", `arn:aws:secretsmanager:${place}:secret:ServiceKey`, own],
      ["kms:Decrypt", `arn:aws:kms:${place}:key/x`, ofSandbox],
      ["kms:Decrypt", `arn:aws:kms:${place}:key/x`],
      ["kms:ScheduleKeyDeletion", `arn:aws:kms:${place}:key/x`, own],
      ["kms:PutKeyPolicy", `arn:aws:kms:${place}:key/x`, own],
      ["backup:DeleteRecoveryPoint", "arn:aws:backup:us-east-2:123456789012:recovery-point:x"],
      ["ec2:RunInstances", "*"],
    ])("does not allow %s on %s", (action, resource, context = {}) => {
      expect(permits(boundary, { action, resource, context })).toBe(false);
    });

    test("denies IAM, and every resource with the tag of another stage, also to sessions that a resource's policy allows", () => {
      const letIn: Statement = { Effect: "Allow", Action: "*", Resource: "*" };
      const can = (access: Access) => permits([letIn, ...boundary], access);
      expect(can({ action: "iam:CreateUser", resource: "arn:aws:iam::123456789012:user/x" })).toBe(false);
      const key = { action: "kms:Decrypt", resource: `arn:aws:kms:${place}:key/x` };
      expect([{}, own, ofSandbox].map((context) => can({ ...key, context }))).toEqual([true, true, false]);
    });
  });
}

const describeAccess = ({ action, resource }: Access) => `${action} ${resource}`;

export const boundaryTemplate = (stage: StageName): Template =>
  new Template(Synthesized.fromStack(new BoundaryStack(new App(), "Boundary", stage)).toJSON());

const boundaryOf = (stage: StageName): Statement[] => managedStatements(boundaryTemplate(stage));

/** The permissions of a template's roles by inline and attached policies, with resources resolved in one account. */
function grantedIn(template: Template, stage: StageName): Access[] {
  const inline = template.properties("IAM::Role").flatMap(({ Policies = [] }) => Policies);
  const documents = [...inline, ...template.properties("IAM::Policy")].map(({ PolicyDocument }) => PolicyDocument);
  return documents.flatMap(({ Statement }) =>
    (Statement as { Action: string | string[]; Resource: unknown }[]).flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().map((resource) => {
          const [service = ""] = action.split(":");
          const context = isTagged.has(service) ? { "aws:ResourceTag/stage": [stage] } : {};
          return { action, resource: resourceOf(resource, service, stage), context };
        }),
      ),
    ),
  );
}

/** The services whose resources are identified by the tag of their stage. */
const isTagged = new Set(["kms", "secretsmanager"]);

/** The ARN of a resource, as in the policy or, for a reference, as CloudFormation would name the resource after its stack. */
function resourceOf(resource: unknown, service: string, stage: StageName): string {
  const arns: Record<string, string> = {
    dynamodb: `arn:aws:dynamodb:${place}:table/business-data-${stage}-data-Table`,
    kms: `arn:aws:kms:${place}:key/x`,
    lambda: `arn:aws:lambda:${place}:function:business-data-${stage}-workers-F`,
    logs: `arn:aws:logs:${place}:log-group:business-data-${stage}-api-Log:*`,
    s3: `arn:aws:s3:::business-data-${stage}-data-documents`,
    secretsmanager: `arn:aws:secretsmanager:${place}:secret:ServiceKey`,
    sqs: `arn:aws:sqs:${place}:business-data-${stage}-background-Queue`,
    sts: `arn:aws:iam::123456789012:role/business-data-${stage}-api-Role`,
  };
  const pseudo: Record<string, string> = { Partition: "aws", AccountId: "123456789012", Region: "us-west-2" };
  const known = JSON.parse(JSON.stringify({ resource }), (_, value) => {
    const [[name = "", operand] = []] = value && typeof value === "object" ? Object.entries(value) : [];
    if (name === "Fn::Join") {
      const [separator, parts] = operand as [string, string[]];
      return parts.join(separator);
    }
    if (name === "Ref" && String(operand).startsWith("AWS::")) return pseudo[String(operand).slice(5)];
    return /^(Ref|Fn::)/.test(name) ? (arns[service] ?? expect.fail(`${service} ${JSON.stringify(value)}`)) : value;
  });
  return known.resource;
}
