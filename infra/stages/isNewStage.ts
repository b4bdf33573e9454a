import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import { stackName } from "./stackName.ts";
import type { StageName } from "./stages.ts";

/** The statuses of a stack that was never created successfully. */
export const neverMade = /^(REVIEW_IN_PROGRESS|CREATE_FAILED|ROLLBACK_(COMPLETE|FAILED)|DELETE_COMPLETE)$/;

/** Whether an error means that the stack does not exist. */
export const isNoSuchStack = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException && / does not exist/.test(error.message);

/** Whether no deployment of a stage's data has succeeded yet. */
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
