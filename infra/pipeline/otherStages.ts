import { IAMClient, paginateListRoles } from "@aws-sdk/client-iam";
import { stackName } from "../stages/stackName.ts";
import { deployedStages, type StageName, stages } from "../stages/stages.ts";
import { pipelineRoleId, pipelineStackName } from "./pipelineStages.ts";

/** A stage that an account has, and the role that shows it. */
interface FoundStage {
  stage: StageName;
  role: string;
  /** Whether the role is that of a pipeline; otherwise the stage is deployed there. */
  isPipeline: boolean;
}

/**
 * The first sign in an account of a stage other than this one. IAM has no regions, so the roles show every region. The
 * mock stage does not count: it stores nothing.
 *
 * @throws Error if AWS rejects `iam:ListRoles`
 */
export async function findOtherStage(stage: StageName): Promise<FoundStage | undefined> {
  const others = deployedStages.filter((each) => each !== stage && stages[each].answers === "service");
  const client = new IAMClient({});
  try {
    for await (const { Roles = [] } of paginateListRoles({ client }, {})) {
      for (const { RoleName = "" } of Roles) {
        for (const other of others) {
          const isPipeline = RoleName.startsWith(`${pipelineStackName}-${pipelineRoleId(other)}`);
          if (isPipeline || isStageRole(RoleName, other)) return { stage: other, role: RoleName, isPipeline };
        }
      }
    }
    return undefined;
  } finally {
    client.destroy();
  }
}

/** Leaves out the role by which API Gateway writes logs in an account: it stays there when its stage is removed. */
const isStageRole = (name: string, stage: StageName): boolean =>
  name.startsWith(`business-data-${stage}-`) && !name.startsWith(`${stackName(stage, "api")}-ApiCloudWatchRole`);
