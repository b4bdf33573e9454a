import { CfnCondition, CfnParameter, Fn, type IResolvable, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { pausedParameter } from "./releaseParameters.ts";

/**
 * A value that depends on the parameter `Paused` of the construct's stack; nested stacks get it from theirs. `npm run
 * pause` stops a stage by direct calls, and a deployment meanwhile sets the parameter, so that it starts nothing.
 */
export const ifPaused = (scope: Construct, paused: unknown, running: unknown): IResolvable =>
  Fn.conditionIf(conditionIn(Stack.of(scope)).logicalId, paused, running);

const conditionId = "IsPaused";

function conditionIn(stack: Stack): CfnCondition {
  const found = stack.node.tryFindChild(conditionId);
  if (found instanceof CfnCondition) return found;
  return new CfnCondition(stack, conditionId, {
    expression: Fn.conditionEquals(parameterIn(stack.nestedStackParent ?? stack).valueAsString, "yes"),
  });
}

function parameterIn(stack: Stack): CfnParameter {
  const found = stack.node.tryFindChild(pausedParameter);
  if (found instanceof CfnParameter) return found;
  return new CfnParameter(stack, pausedParameter, { default: "no", allowedValues: ["yes", "no"] });
}
