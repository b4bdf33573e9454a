import { boundaryStackName } from "../../permissions/boundary/boundary.ts";
import { boundaryFingerprint, fingerprintOutput } from "../../permissions/boundary/fingerprint.ts";
import type { CheckedDeployment } from "../plannedDeployment.ts";
import { Stacks } from "../release/stacks.ts";

/**
 * Reports a missing or outdated permissions boundary in a region of the stage. Roles could then not be created, or
 * would lack permissions.
 */
export async function checkBoundary({
  stage,
  region: own,
  settings: { aws },
}: Pick<CheckedDeployment, "stage" | "region" | "settings">): Promise<string[]> {
  const regions = [own, ...(aws?.recoveryRegion ? [aws.recoveryRegion] : [])];
  const problems = regions.map(async (region) => {
    const found = await new Stacks(region).find(boundaryStackName(stage));
    if (found?.outputs[fingerprintOutput] === boundaryFingerprint(stage)) return [];
    const problem = found ? "a permissions boundary that differs from this release's" : "no permissions boundary";
    return `Stage ${stage} has ${problem} in ${region}: run npm run bootstrap -- --stage ${stage} as an administrator.`;
  });
  return (await Promise.all(problems)).flat();
}
