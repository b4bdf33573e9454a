import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { keep } from "../stages/deployedStage.ts";
import type { AwsSettings } from "../stages/stages.ts";

/**
 * A log group with the stage's retention. The group stays when its stack or its writer is deleted. CloudFormation
 * generates the name: a leftover log group with a fixed name would block a new stack or function.
 *
 * @param logGroupName a unique name, where AWS requires a name
 */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logDays }: AwsSettings,
  logGroupName?: string,
): LogGroup {
  return new LogGroup(scope, id, { retention: logDays, removalPolicy: keep, ...(logGroupName && { logGroupName }) });
}
