import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import { stackName } from "./stackName.ts";
import type { StageName } from "./stages.ts";

/** What CloudFormation says of a stack that was never there, whatever was tried. */
export const neverMade = /^(REVIEW_IN_PROGRESS|CREATE_FAILED|ROLLBACK_(COMPLETE|FAILED)|DELETE_COMPLETE)$/;

/** Whether an error says that there is no stack of that name. */
export const isNoSuchStack = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException && / does not exist/.test(error.message);

/** Whether the data of a stage is yet to be made: no deployment of it has succeeded. */
export async function isNewStage(stage: StageName, region: string): Promise<boolean> {
  const client = new CloudFormationClient({ region });
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName(stage, "data") }));
    return neverMade.test(Stacks[0]?.StackStatus ?? "");
  } catch (error) {
    if (isNoSuchStack(error)) return true;
    throw error;
  } finally {
    client.destroy();
  }
}
