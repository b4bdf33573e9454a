import { IAMClient, paginateListRoles } from "@aws-sdk/client-iam";
import { stackName } from "../stages/stackName.ts";
import { deployedStages, type StageName, stages } from "../stages/stages.ts";
import { pipelineRoleId, pipelineStackName } from "./pipelineStages.ts";

/** A stage in an account, and the role that indicates this stage. */
interface FoundStage {
  stage: StageName;
  role: string;
  /** Whether the role belongs to a pipeline; otherwise the stage is deployed in the account. */
  isPipeline: boolean;
}

/**
 * Finds a sign of another stage in an account. IAM has no regions, so roles show stages of every region. The mock stage
 * does not count, since it stores nothing.
 *
 * @throws Error if AWS rejects `iam:ListRoles`
 */
export async function findOtherStage(stage: StageName): Promise<FoundStage | undefined> {
  const others = deployedStages.filter((each) => each !== stage && stages[each].answers === "service");
  for await (const { Roles = [] } of paginateListRoles({ client: new IAMClient({}) }, {})) {
    for (const { RoleName = "" } of Roles) {
      for (const other of others) {
        const isPipeline = RoleName.startsWith(`${pipelineStackName}-${pipelineRoleId(other)}`);
        if (isPipeline || isStageRole(RoleName, other)) return { stage: other, role: RoleName, isPipeline };
      }
    }
  }
  return undefined;
}

/** Ignores API Gateway's logging role: it stays in the account when its stage is removed. */
const isStageRole = (name: string, stage: StageName): boolean =>
  name.startsWith(`business-data-${stage}-`) && !name.startsWith(`${stackName(stage, "api")}-ApiCloudWatchRole`);
