import { checkConcurrency } from "./concurrency.ts";
import { checkMail } from "./mail.ts";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/**
 * Reports why the stage could not run in its recovery region if its own region were lost (docs/operations/lost-region.md):
 * too little concurrency, or no mail. AWS needs days to change either. No reason stops a deployment in the stage's own
 * region.
 *
 * @throws Error when AWS rejects a call
 */
export async function checkMove(planned: PlannedDeployment): Promise<string[]> {
  const { name, settings } = planned;
  const { aws } = settings;
  if (!aws?.recoveryRegion) return [];
  // There, the stage uses an identity that a person has verified beforehand.
  const moved = { ...settings, aws: { ...aws, makesMailIdentity: false } };
  const there = { ...planned, settings: moved, region: aws.recoveryRegion, paused: false };
  const [concurrency, mail] = await Promise.all([checkConcurrency(there), checkMail(there)]);
  return [...concurrency, ...mail.rejections, ...mail.warnings].map(
    (problem) => `If its region is lost, stage ${name} cannot move to ${aws.recoveryRegion} at once: ${problem}`,
  );
}
