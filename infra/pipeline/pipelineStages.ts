import { StageError } from "../cli/stageError.ts";
import type { StageName } from "../stages/stages.ts";

/** The stages that the pipeline deploys. Each has a GitHub environment of its name and an AWS account of its own. */
export const pipelineStages = ["sandbox", "prod"] as const satisfies readonly StageName[];

export type PipelineStage = (typeof pipelineStages)[number];

/**
 * The name of the stack. Deployments may change stacks called `business-data-STAGE-…`, and must not change the
 * pipeline's permissions.
 */
export const pipelineStackName = "pipeline-of-business-data";

/** The logical id of a stage's role. CloudFormation appends it to the stack's name to name the role. */
export const pipelineRoleId = (stage: StageName): string => stage.replace(/^./, (letter) => letter.toUpperCase());

/**
 * Finds a stage of the pipeline by its name.
 *
 * @param by the option or variable with the name, for the message
 */
export function requirePipelineStage(name: string | undefined, by = "--stage"): PipelineStage {
  const found = pipelineStages.find((each) => each === name);
  if (found) return found;
  throw new StageError(`Name the stage with ${by}. It must be one of ${pipelineStages.join(", ")}.`);
}
