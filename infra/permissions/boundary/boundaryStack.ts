import { Aws, BootstraplessSynthesizer, CfnOutput, Duration, type IStackSynthesizer, Stack } from "aws-cdk-lib";
import { AccountRootPrincipal, ManagedPolicy, PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { StageName } from "../../stages/stages.ts";
import { boundaryName, boundaryStackName, boundaryStatements } from "./boundary.ts";
import { boundaryFingerprint, fingerprintOutput } from "./fingerprint.ts";
import { isRestorable, restoreRoleName, restoreStatements } from "./restoreRole.ts";

/**
 * Holds the permissions boundary of a stage, which must exist before the first role that names it, and the role with
 * which people restore the stage. Deployments can change neither.
 */
export class BoundaryStack extends Stack {
  constructor(scope: Construct, id: string, stage: StageName) {
    super(scope, id, {
      stackName: boundaryStackName(stage),
      description: `Business Data Access, stage ${stage}: the permissions boundary of its roles, and the restore role`,
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    new ManagedPolicy(this, "Boundary", {
      managedPolicyName: boundaryName(stage, Aws.REGION),
      description: `The permissions boundary of the roles of stage ${stage} of Business Data Access`,
      statements: boundaryStatements(Aws, stage).map((statement) => PolicyStatement.fromJson(statement)),
    });
    if (isRestorable(stage)) this.#createRestoreRole(stage);
    new CfnOutput(this, fingerprintOutput, { value: boundaryFingerprint(stage) });
  }

  #createRestoreRole(stage: StageName): void {
    const role = new Role(this, "Restore", {
      roleName: restoreRoleName(stage, Aws.REGION),
      description: `For people who restore stage ${stage} of Business Data Access`,
      assumedBy: new AccountRootPrincipal().withConditions({ Bool: { "aws:MultiFactorAuthPresent": "true" } }),
      // A restore of a large table takes hours.
      maxSessionDuration: Duration.hours(12),
      inlinePolicies: {
        restore: new PolicyDocument({
          statements: restoreStatements(Aws, stage).map((statement) => PolicyStatement.fromJson(statement)),
        }),
      },
    });
    new CfnOutput(this, "RestoreRoleArn", { value: role.roleArn });
  }
}
