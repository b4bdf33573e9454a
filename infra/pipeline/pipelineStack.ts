import {
  Aws,
  BootstraplessSynthesizer,
  CfnOutput,
  DefaultStackSynthesizer,
  Duration,
  type IStackSynthesizer,
  Stack,
} from "aws-cdk-lib";
import {
  ManagedPolicy,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { allow, type Statement } from "../permissions/boundary/boundary.ts";
import { type AwsSettings, stages } from "../stages/stages.ts";
import { copiesStatements } from "./copiesPolicy.ts";
import { executionStatements } from "./executionPolicy.ts";
import { keyStatements } from "./keyStatements.ts";
import { type PipelineStage, pipelineRoleId, pipelineStackName } from "./pipelineStages.ts";
import { releaseStatements, smokeStatements, trialStatements } from "./roleStatements.ts";

export interface PipelineProps {
  /** The only stage of the account. */
  stage: PipelineStage;
  /** The GitHub repository, as `OWNER/NAME`. */
  repository: string;
  /** Whether the account already has GitHub's identity provider. An account can have only one. */
  hasProvider: boolean;
}

const issuer = "token.actions.githubusercontent.com";

/**
 * Lets a GitHub pipeline deploy one stage into one account, without a stored key. All stacks of an account share the
 * CDK's bootstrap roles, so two stages in one account could deploy each other. This stack exists before the bootstrap,
 * which uses its policies.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { stage, repository, hasProvider }: PipelineProps) {
    super(scope, id, {
      stackName: pipelineStackName,
      description: `Business Data Access, stage ${stage}: the permissions of deployments from ${repository}`,
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    const provider = hasProvider
      ? `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${issuer}`
      : new OidcProviderNative(this, "GitHub", { url: `https://${issuer}`, clientIds: ["sts.amazonaws.com"] })
          .oidcProviderArn;
    const { recoveryRegion }: Partial<AwsSettings> = stages[stage].aws;
    const otherRegions = recoveryRegion ? [recoveryRegion] : [];
    this.#createRole(stage, provider, repository, otherRegions);
    // Several policies, since IAM accepts 6,144 characters in each.
    const policies = Object.entries({
      ExecutionPolicy: executionStatements(Aws, stage, otherRegions),
      KeyPolicy: keyStatements(Aws, stage, otherRegions),
      CopiesPolicy: copiesStatements(Aws, stage, otherRegions),
    }).map(
      ([name, statements]) =>
        new ManagedPolicy(this, name, {
          description: `The permissions of CloudFormation for stage ${stage} of Business Data Access`,
          statements: statements.map((statement) => PolicyStatement.fromJson(statement)),
        }),
    );
    new CfnOutput(this, "PolicyArns", { value: policies.map(({ managedPolicyArn }) => managedPolicyArn).join(",") });
  }

  #createRole(stage: PipelineStage, provider: string, repository: string, otherRegions: readonly string[]): void {
    const role = new Role(this, pipelineRoleId(stage), {
      description: `Deploys stage ${stage} from ${repository}`,
      maxSessionDuration: Duration.hours(2),
      // GitHub gives this subject only to jobs of that environment, which restricts branches and requires reviewers.
      assumedBy: new WebIdentityPrincipal(provider, {
        StringEquals: {
          [`${issuer}:aud`]: "sts.amazonaws.com",
          [`${issuer}:sub`]: `repo:${repository}:environment:${stage}`,
        },
      }),
      inlinePolicies: {
        deploy: documentOf([
          // Not the look-up role of the bootstrap: its policy ReadOnlyAccess reads buckets without a customer managed key.
          allow(
            ["sts:AssumeRole"],
            [Aws.REGION, ...otherRegions].flatMap((region) =>
              ["deploy", "file-publishing"].map(
                (name) =>
                  `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-${name}-role-${Aws.ACCOUNT_ID}-${region}`,
              ),
            ),
          ),
          ...releaseStatements(Aws, stage),
        ]),
        // In prod, a role with all permissions of the smoke test could read the records of prod.
        smoke: documentOf(stage === "sandbox" ? smokeStatements(Aws, stage) : trialStatements(Aws, stage)),
      },
    });
    new CfnOutput(this, "RoleArn", { value: role.roleArn });
  }
}

const documentOf = (statements: readonly Statement[]): PolicyDocument =>
  new PolicyDocument({ statements: statements.map((statement) => PolicyStatement.fromJson(statement)) });
