import { CloudTrailClient, DescribeTrailsCommand } from "@aws-sdk/client-cloudtrail";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/** The maximum number of trails in a region. AWS does not raise it. */
const maxTrails = 5;

/**
 * Reports a region that already has the maximum number of trails, so that CloudFormation cannot create the stage's
 * trail.
 */
export async function checkTrails({ region }: PlannedDeployment): Promise<string[]> {
  const client = new CloudTrailClient({ region });
  try {
    const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
    if (trailList.length < maxTrails) return [];
    const names = trailList.map(({ Name }) => Name).join(", ");
    return [
      `${region} has ${trailList.length} CloudTrail trails (${names}), the maximum: remove one, so that the stage can log ` +
        "accesses to documents.",
    ];
  } finally {
    client.destroy();
  }
}
