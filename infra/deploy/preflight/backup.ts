import { BackupClient, DescribeRegionSettingsCommand } from "@aws-sdk/client-backup";
import type { PlannedDeployment } from "./plannedDeployment.ts";

/** The resource types that AWS Backup must copy, under AWS Backup's names. */
const neededTypes = ["DynamoDB", "S3"] as const;

/**
 * Reports why AWS Backup would not copy the stage: the account has not enabled a resource type in one of the two
 * regions. AWS Backup then never starts the jobs, and reports no failure.
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
    // AWS Backup copies a table's backups to another region only if the account lets it manage these backups fully.
    if (missing.length === 0 && managed.DynamoDB === true) return [];
    const problem =
      missing.length > 0
        ? `is not enabled for ${missing.join(" and ")} in ${region}`
        : `cannot copy tables from ${region} to another region`;
    return [
      `AWS Backup ${problem}: run aws backup update-region-settings --region ${region} ` +
        "--resource-type-opt-in-preference DynamoDB=true,S3=true --resource-type-management-preference DynamoDB=true",
    ];
  } finally {
    client.destroy();
  }
}
