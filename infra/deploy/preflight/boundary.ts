import { boundaryStackName } from "../../permissions/boundary/boundary.ts";
import { boundaryFingerprint, fingerprintOutput } from "../../permissions/boundary/fingerprint.ts";
import type { StageName } from "../../stages/stages.ts";
import { Stacks } from "../release/stacks.ts";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/**
 * Reports a missing or outdated permissions boundary in a region of the stage. Roles could then not be created, or
 * would lack permissions.
 */
export async function checkBoundary({
  name,
  region,
  settings: { aws },
}: Pick<PlannedDeployment, "name" | "region" | "settings">): Promise<string[]> {
  const regions = [region, ...(aws?.recoveryRegion ? [aws.recoveryRegion] : [])];
  return (await Promise.all(regions.map((each) => checkBoundaryIn(name, each)))).flat();
}

async function checkBoundaryIn(name: StageName, region: string): Promise<string[]> {
  using stacks = new Stacks(region);
  const found = await stacks.find(boundaryStackName(name));
  if (found?.outputs[fingerprintOutput] === boundaryFingerprint(name)) return [];
  const problem = found ? "a permissions boundary that differs from this release's" : "no permissions boundary";
  return [`Stage ${name} has ${problem} in ${region}: run npm run bootstrap -- --stage ${name} as an administrator.`];
}
