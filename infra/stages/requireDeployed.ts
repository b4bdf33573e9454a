import { StageError } from "../cli/stageError.ts";
import { deployedStages, type StageName } from "./stages.ts";

/**
 * Finds a deployable stage by its name.
 *
 * @param by the option or variable with the name, for the message
 * @throws StageError when no deployable stage has that name
 */
export function requireDeployed(name: string | undefined, by = "--stage"): StageName {
  const found = deployedStages.find((each) => each === name);
  if (found) return found;
  const known = `It must be one of ${deployedStages.join(", ")}.`;
  throw new StageError(name ? `Stage ${name} cannot be deployed. ${known}` : `Name the stage with ${by}. ${known}`);
}
