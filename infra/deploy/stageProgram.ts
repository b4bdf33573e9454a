import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { newProgram } from "../cli/program.ts";
import type { Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { requireDeployed } from "../stages/requireDeployed.ts";
import { deployedStages, type StageName, type StageSettings, stages } from "../stages/stages.ts";

const onAccount =
  "Works in the account and region of your AWS credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION).";

/** A program on one stage, with the option `--stage`. */
export const programOf = (name: string, description: string) =>
  newProgram(
    `npm run ${name} --`,
    `${description} ${name === "synth" ? "Needs no AWS account." : onAccount} See docs/operations/README.md.`,
  ).option("--stage <NAME>", deployedStages.join(", "));

/** A stage and its location on AWS. */
export interface Place {
  stage: StageName;
  settings: StageSettings;
  account: string;
  region: string;
  /** the recovery region, if the stage has one */
  other: string | undefined;
}

/**
 * @throws StageError for a stage that cannot be deployed at all, or cannot be deployed to the region of the credentials
 */
export async function placeOf(name: string | undefined, { stdout }: Terminal): Promise<Place> {
  const stage = requireDeployed(name);
  const { account, region } = await resolveAwsEnvironment();
  stdout.write(`Stage ${stage}, account ${account}, region ${region}\n`);
  const settings: StageSettings = stages[stage];
  const other = settings.aws?.recoveryRegion;
  if (other === region)
    throw new StageError(`Set recoveryRegion of stage ${stage} in infra/stages/stages.ts to another region.`);
  return { stage, settings, account, region, other };
}

/** The account and region of the credentials in use. @throws StageError naming the missing part of the environment */
export async function resolveAwsEnvironment(): Promise<{ account: string; region: string }> {
  const client = new STSClient({});
  const region = await client.config.region().catch(() => {
    throw new StageError("No region: set AWS_REGION, or AWS_PROFILE to a profile that has one.");
  });
  try {
    const { Account: account = "" } = await client.send(new GetCallerIdentityCommand({}));
    return { account, region };
  } catch (error) {
    const { name, message } = error as Error;
    throw new StageError(
      name === "CredentialsProviderError"
        ? "No AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        : `Cannot read the account of the AWS credentials: ${message}`,
    );
  }
}
