import { newProgram } from "../cli/program.ts";
import type { Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { requireDeployed } from "../stages/requireDeployed.ts";
import { deployedStages, type StageName, type StageSettings, stages } from "../stages/stages.ts";
import { resolveAwsEnvironment } from "./targetEnvironment.ts";

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
