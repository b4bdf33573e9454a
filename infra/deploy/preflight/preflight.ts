import { BackupClient, DescribeRegionSettingsCommand } from "@aws-sdk/client-backup";
import { CloudTrailClient, DescribeTrailsCommand } from "@aws-sdk/client-cloudtrail";
import { experimentalConnectorIssues } from "../../stages/experimentalConnectors.ts";
import type { CheckedDeployment, Findings } from "../plannedDeployment.ts";
import { settingIssues } from "../settingIssues.ts";
import { checkBoundary } from "./boundary.ts";
import { checkConcurrency } from "./concurrency.ts";
import { checkFormat } from "./format.ts";
import { checkKeys, checkRestoredTable } from "./keys.ts";
import { checkMail } from "./mail.ts";

/**
 * Checks the settings and the AWS account for faults. Without this check, such a fault would stop the deployment after
 * minutes, or stop mail after a day.
 *
 * @throws Error when AWS rejects a call, mostly for a missing permission
 */
export async function preflight(planned: CheckedDeployment): Promise<Findings> {
  const { stage, settings, isNew, paused } = planned;
  if (settings.answers === "examples") return { rejections: await checkBoundary(planned), warnings: [] };
  const [mail, boundary, ...others] = await Promise.all([
    checkMail(planned),
    checkBoundary(planned),
    checkBackup(planned),
    checkConcurrency(planned),
    isNew ? checkTrails(planned) : [],
    checkKeys(planned),
    checkRestoredTable(planned),
    checkFormat(planned),
  ]);
  const experimental = settings.experimentalConnectors.join(", ");
  return {
    rejections: [...boundary, ...settingIssues(stage, settings), ...others.flat(), ...mail.rejections],
    warnings: [
      ...(paused ? [`Stage ${stage} stays paused: npm run resume -- --stage ${stage} starts it.`] : []),
      ...(experimental && experimentalConnectorIssues(stage, settings).length === 0
        ? [
            `Stage ${stage} offers experimental connectors (${experimental}), whose mapping was checked neither against captured payloads nor against ` +
              "vendor documents. Compare their records with the POS before a service provider relies on them.",
          ]
        : []),
      ...mail.warnings,
      ...(await checkMove(planned)),
    ],
  };
}

/** The resource types that AWS Backup must copy, under AWS Backup's names. */
const copiedTypes = ["DynamoDB", "S3"] as const;

/**
 * Reports why AWS Backup would not copy the stage: the account has not enabled a resource type in one of the two
 * regions. AWS Backup then never starts the jobs, and reports no failure.
 */
async function checkBackup({ settings: { aws }, region: own }: CheckedDeployment): Promise<string[]> {
  const regions = aws?.recoveryRegion ? [own, aws.recoveryRegion] : [];
  const problems = regions.map(async (region) => {
    const { ResourceTypeOptInPreference: optIn = {}, ResourceTypeManagementPreference: managed = {} } =
      await new BackupClient({ region }).send(new DescribeRegionSettingsCommand({}));
    const missing = copiedTypes.filter((type) => optIn[type] !== true);
    // AWS Backup copies a table's backups to another region only if the account lets it manage these backups fully.
    if (missing.length === 0 && managed.DynamoDB === true) return [];
    const problem =
      missing.length > 0
        ? `is not enabled for ${missing.join(" and ")} in ${region}`
        : `cannot copy tables from ${region} to another region`;
    return (
      `AWS Backup ${problem}: run aws backup update-region-settings --region ${region} ` +
      "--resource-type-opt-in-preference DynamoDB=true,S3=true --resource-type-management-preference DynamoDB=true"
    );
  });
  return (await Promise.all(problems)).flat();
}

/** The maximum number of trails in a region. AWS does not raise it. */
const maxTrails = 5;

/** Reports a region that already has the maximum number of trails, so that the stage's trail cannot be created. */
async function checkTrails({ region }: CheckedDeployment): Promise<string[]> {
  const { trailList = [] } = await new CloudTrailClient({ region }).send(new DescribeTrailsCommand({}));
  if (trailList.length < maxTrails) return [];
  const names = trailList.map(({ Name }) => Name).join(", ");
  return [
    `${region} has ${trailList.length} CloudTrail trails (${names}), the maximum: remove one, so that the stage can log ` +
      "accesses to documents.",
  ];
}

/**
 * Reports why the stage could not run in its recovery region if its own region were lost (docs/operations/lost-region.md):
 * too little concurrency, or no mail. AWS needs days to change either. No reason stops a deployment in the stage's own
 * region.
 */
async function checkMove(planned: CheckedDeployment): Promise<string[]> {
  const { stage, settings } = planned;
  const { aws } = settings;
  if (!aws?.recoveryRegion) return [];
  // There, the stage uses an identity that a person has verified beforehand.
  const moved = { ...settings, aws: { ...aws, makesMailIdentity: false } };
  const there = { ...planned, settings: moved, region: aws.recoveryRegion, paused: false };
  const [concurrency, mail] = await Promise.all([checkConcurrency(there), checkMail(there)]);
  return [...concurrency, ...mail.rejections, ...mail.warnings].map(
    (problem) => `If its region is lost, stage ${stage} cannot move to ${aws.recoveryRegion} at once: ${problem}`,
  );
}
