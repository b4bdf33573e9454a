import { BackupClient, DescribeRegionSettingsCommand } from "@aws-sdk/client-backup";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/** What AWS Backup must copy of a stage, by its names. */
const neededTypes = ["DynamoDB", "S3"] as const;

/**
 * Why AWS Backup would not copy the stage to its other region: the account has not let it, in one of the two regions. Its
 * jobs then never begin, and nothing fails.
 */
export async function checkBackup({
  settings: { aws },
  region,
}: Pick<PlannedDeployment, "settings" | "region">): Promise<string[]> {
  if (!aws?.recoveryRegion) return [];
  return (await Promise.all([region, aws.recoveryRegion].map(checkOptIn))).flat();
}

async function checkOptIn(region: string): Promise<string[]> {
  const client = new BackupClient({ region });
  try {
    const { ResourceTypeOptInPreference: optIn = {}, ResourceTypeManagementPreference: managed = {} } =
      await client.send(new DescribeRegionSettingsCommand({}));
    const missing = neededTypes.filter((type) => optIn[type] !== true);
    // Only backups that AWS Backup manages itself can be copied to another region.
    if (missing.length === 0 && managed.DynamoDB === true) return [];
    const problem =
      missing.length > 0
        ? `does not back up ${missing.join(" and ")} in ${region}`
        : `copies no table to another region from ${region}`;
    return [
      `AWS Backup ${problem}: run aws backup update-region-settings --region ${region} ` +
        "--resource-type-opt-in-preference DynamoDB=true,S3=true --resource-type-management-preference DynamoDB=true",
    ];
  } finally {
    client.destroy();
  }
}
