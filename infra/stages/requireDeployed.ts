import { StageError } from "../cli/stageError.ts";
import { deployedStages, type StageName } from "./stages.ts";

/**
 * A stage by the name that somebody gives it.
 *
 * @param by what it is given by
 * @throws StageError when none of that name can be deployed
 */
export function requireDeployed(name: string | undefined, by = "--stage"): StageName {
  const found = deployedStages.find((each) => each === name);
  if (found) return found;
  const known = `It must be one of ${deployedStages.join(", ")}.`;
  throw new StageError(name ? `Stage ${name} cannot be deployed. ${known}` : `Name the stage with ${by}. ${known}`);
}
