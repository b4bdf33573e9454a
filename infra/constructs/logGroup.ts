import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { keep } from "../stages/deployedStage.ts";
import type { AwsSettings } from "../stages/stages.ts";

/**
 * A log, kept for as many days as the stage says, whatever becomes of its stack or of what writes it. So CloudFormation
 * names it, by stack and id: with a fixed name the log that stayed would be in the way of the same stack, or of the same
 * function, made again.
 *
 * @param logGroupName where AWS asks for a name; one that never comes twice
 */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logDays }: AwsSettings,
  logGroupName?: string,
): LogGroup {
  return new LogGroup(scope, id, {
    retention: logDays,
    removalPolicy: keep,
    ...(logGroupName && { logGroupName }),
  });
}
