import { CloudTrailClient, DescribeTrailsCommand } from "@aws-sdk/client-cloudtrail";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/** Trails that a region may have; it cannot be raised. */
const maxTrails = 5;

/** Why the region would not take the stage's trail of CloudTrail. */
export async function checkTrails({ region }: PlannedDeployment): Promise<string[]> {
  const client = new CloudTrailClient({ region });
  try {
    const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
    if (trailList.length < maxTrails) return [];
    const names = trailList.map(({ Name }) => Name).join(", ");
    return [
      `${region} has ${trailList.length} trails of CloudTrail (${names}), and takes no other: remove one, so that accesses ` +
        "to documents can be logged.",
    ];
  } finally {
    client.destroy();
  }
}
