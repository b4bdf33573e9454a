import { Aws, BootstraplessSynthesizer, CfnOutput, type IStackSynthesizer, Stack } from "aws-cdk-lib";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { StageName } from "../../stages/stages.ts";
import {
  boundaryFingerprint,
  boundaryName,
  boundaryStackName,
  boundaryStatements,
  fingerprintOutput,
} from "./boundary.ts";

/** Holds the permissions boundary of a stage, which must exist before the first role that names it. */
export class BoundaryStack extends Stack {
  constructor(scope: Construct, id: string, stage: StageName) {
    super(scope, id, {
      stackName: boundaryStackName(stage),
      description: `Business Data Access, stage ${stage}: the permissions boundary of its roles`,
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    new ManagedPolicy(this, "Boundary", {
      managedPolicyName: boundaryName(stage, Aws.REGION),
      description: `The permissions boundary of the roles of stage ${stage} of Business Data Access`,
      statements: boundaryStatements(Aws, stage).map((statement) => PolicyStatement.fromJson(statement)),
    });
    new CfnOutput(this, fingerprintOutput, { value: boundaryFingerprint(stage) });
  }
}
