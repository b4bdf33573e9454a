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
import { type StageName, type StageSettings, stages } from "../stages.ts";
import { copiesStatements } from "./copiesPolicy.ts";
import { executionStatements } from "./executionPolicy.ts";
import { releaseStatements, smokeStatements } from "./roleStatements.ts";

export interface PipelineProps {
  /** The repository on GitHub, as `OWNER/NAME`. */
  repository: string;
  /** Whether the account has the identity provider of GitHub already: it takes one. */
  hasProvider: boolean;
}

/** The stages that the pipeline deploys, each from the environment of its name. */
export const pipelineStages = ["sandbox", "prod"] as const satisfies readonly StageName[];

/**
 * What it is called: not like what belongs to a stage, over which deployments have power, so that none can change what the
 * pipeline itself may do.
 */
export const pipelineStackName = "pipeline-of-business-data";

/** The other regions of stages, each once. */
const recoveryRegionsOf = (names: readonly StageName[]): string[] => [
  ...new Set(names.flatMap((name) => (stages[name] as StageSettings).aws?.recoveryRegion ?? [])),
];

const issuer = "token.actions.githubusercontent.com";

/** By which a pipeline on GitHub deploys without a stored key; it is made before the bootstrap, and so without it. */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { repository, hasProvider }: PipelineProps) {
    super(scope, id, {
      stackName: pipelineStackName,
      description: `Business Data Access: what deployments from ${repository} may do`,
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    const provider = hasProvider
      ? `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${issuer}`
      : new OidcProviderNative(this, "GitHub", { url: `https://${issuer}`, clientIds: ["sts.amazonaws.com"] })
          .oidcProviderArn;
    for (const stage of pipelineStages) this.#createRole(stage, provider, repository);
    // Two, since IAM takes 6,144 characters for one.
    const policies = [
      new ManagedPolicy(this, "ExecutionPolicy", {
        description: "What CloudFormation may do for the stages of Business Data Access",
        statements: executionStatements(Aws, recoveryRegionsOf(pipelineStages)),
      }),
      new ManagedPolicy(this, "CopiesPolicy", {
        description: "What CloudFormation may do for copies, budgets and releases of Business Data Access",
        statements: copiesStatements(Aws, recoveryRegionsOf(pipelineStages)),
      }),
    ];
    new CfnOutput(this, "PolicyArns", { value: policies.map(({ managedPolicyArn }) => managedPolicyArn).join(",") });
  }

  #createRole(stage: (typeof pipelineStages)[number], provider: string, repository: string): void {
    const role = new Role(
      this,
      stage.replace(/^./, (letter) => letter.toUpperCase()),
      {
        description: `Deploys stage ${stage} from ${repository}`,
        maxSessionDuration: Duration.hours(2),
        // GitHub lets a job have this subject only in that environment, which takes the branches and reviewers that it says.
        assumedBy: new WebIdentityPrincipal(provider, {
          StringEquals: {
            [`${issuer}:aud`]: "sts.amazonaws.com",
            [`${issuer}:sub`]: `repo:${repository}:environment:${stage}`,
          },
        }),
        inlinePolicies: {
          deploy: new PolicyDocument({
            statements: [
              new PolicyStatement({
                actions: ["sts:AssumeRole"],
                resources: [Aws.REGION, ...recoveryRegionsOf([stage])].flatMap((region) =>
                  ["deploy", "file-publishing", "lookup"].map(
                    (name) =>
                      `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-${name}-role-${Aws.ACCOUNT_ID}-${region}`,
                  ),
                ),
              }),
              ...releaseStatements(Aws, stage),
            ],
          }),
          ...(stage === "sandbox" && { smoke: new PolicyDocument({ statements: smokeStatements(Aws, stage) }) }),
        },
      },
    );
    new CfnOutput(this, `${role.node.id}Role`, { value: role.roleArn });
  }
}
