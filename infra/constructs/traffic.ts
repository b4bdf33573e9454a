import { CfnCondition, CfnOutput, CfnParameter, Fn, type Stack, Token } from "aws-cdk-lib";
import type { CfnDeployment, CfnStage } from "aws-cdk-lib/aws-apigateway";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import type { AwsSettings } from "../stages/stages.ts";
import { apiOutputs, apiParameters, describeReleaseBase, none } from "./releaseParameters.ts";

/**
 * Lets parameters of the API's stack select the deployment that gets the stage's calls. A release or rollback then
 * shifts calls with an update that changes nothing else. The parameters are part of the stack, so a failed update
 * restores the selected deployment.
 *
 * Without parameters, as in `npm run synth`, all calls go to the template's own deployment.
 */
export function directTraffic(stack: Stack, stage: CfnStage, own: CfnDeployment, aws: AwsSettings): void {
  const { canary } = aws;
  const chosen = (name: string, description: string) => {
    const parameter = new CfnParameter(stack, name, { default: none, description });
    const { logicalId } = new CfnCondition(stack, `${name}IsOwn`, { expression: Fn.conditionEquals(parameter, none) });
    return { id: Fn.conditionIf(logicalId, own.ref, parameter.valueAsString).toString(), isOwn: logicalId };
  };
  const { id: live, isOwn } = chosen(
    apiParameters.live,
    "The deployment that receives the calls; none means the deployment of this template",
  );
  stage.deploymentId = live;
  if (canary) {
    const open = new CfnParameter(stack, apiParameters.open, { default: "no", allowedValues: ["yes", "no"] });
    const isOpen = new CfnCondition(stack, "CanaryHasCalls", { expression: Fn.conditionEquals(open, "yes") });
    stage.canarySetting = {
      deploymentId: chosen(
        apiParameters.canary,
        "The deployment that receives the canary's share; none means the deployment that receives the other calls",
      ).id,
      percentTraffic: Token.asNumber(Fn.conditionIf(isOpen.logicalId, canary.percent, 0)),
      useStageCache: false,
    };
  }
  const former = new CfnParameter(stack, apiParameters.former, {
    default: none,
    description: "The previous releases, newest first",
  });
  const base = new CfnParameter(stack, apiParameters.base, {
    default: none,
    description: "The data on which the live deployment works, if it differs from this template's",
  });
  new CfnOutput(stack, apiOutputs.api, { value: stage.restApiId });
  new CfnOutput(stack, apiOutputs.live, { value: live });
  new CfnOutput(stack, apiOutputs.own, { value: own.ref });
  // After an interrupted release, the calls are on the former deployment, so the output must show that deployment's
  // base.
  new CfnOutput(stack, apiOutputs.base, {
    value: Fn.conditionIf(isOwn, describeReleaseBase(aws), base.valueAsString).toString(),
  });
  remember(stack, former);
}

/** Stores a parameter's value in a resource: CloudFormation treats an update without a changed resource as empty. */
export function remember(stack: Stack, parameter: CfnParameter): void {
  new StringParameter(stack, `${parameter.node.id}Note`, { stringValue: parameter.valueAsString });
}
