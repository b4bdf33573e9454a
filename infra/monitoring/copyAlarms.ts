import { Duration, type Stack } from "aws-cdk-lib";
import { ComparisonOperator, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { journalCopy, journalRule, primaryVaultName, recoveryVaultName } from "../backup/crossRegionBackup.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";
import { type AlarmDefinition, copyMetric, five, sumOf } from "./alarms.ts";

const day = Duration.days(1);

/** The resource types of the copies, under AWS Backup's names. */
const copied = { table: "DynamoDB", documents: "S3" } as const;

/** The dimensions of S3's replication metrics. */
interface Journal {
  /** The name of the bucket that holds the journal. */
  source: string;
  /** The name of the bucket in the other region. */
  copy: string;
}

/** Alarms on the copies to the other region, from metrics in the stage's own region. */
export function copyAlarms(stage: StageName, journal: Journal): AlarmDefinition[] {
  const ended = (jobs: string, vault: string) => backupMetric(jobs, { BackupVaultName: vault });
  return [
    {
      name: "copies-failed",
      metric: sumOf(
        [
          ...["Failed", "Aborted", "Expired"].map((state) => ended(`BackupJobs${state}`, primaryVaultName(stage))),
          ended("CopyJobsFailed", recoveryVaultName(stage)),
        ],
        "backups and copies that failed",
        day,
      ),
      canWait: true,
      todo: "A backup or its copy to the other region failed. Find the reason in AWS Backup, and copy again.",
    },
    ...(["table", "documents"] as const).map((what) => ({
      name: `${what}-copies-missing`,
      metric: copiesMade(stage, what),
      // The copies of two nights can finish more than a day apart, so one day without a copy is not yet a fault. At most
      // six days lie between two copies of the table, and an alarm can look back seven days.
      periods: what === "table" ? 7 : 2,
      when: ComparisonOperator.LESS_THAN_THRESHOLD,
      // AWS Backup publishes no value for a day without a copy.
      missing: TreatMissingData.BREACHING,
      canWait: true,
      todo: `No copy of the ${what} has reached the other region for ${what === "table" ? "a week" : "two days"}. Check the backup plan in AWS Backup.`,
    })),
    {
      name: "journal-copies-failed",
      metric: journalMetric("OperationsFailedReplication", "Sum", journal),
      canWait: true,
      todo: "S3 did not copy an entry of the journal to the other region. Fix the cause, and copy the entry manually.",
    },
  ];
}

/** Alarms on the copies, from metrics in the other region, where S3 publishes the replication lag. */
export const recoveryRegionAlarms = (journal: Journal): AlarmDefinition[] => [
  {
    name: "journal-copies-late",
    metric: journalBehind(journal),
    threshold: Duration.minutes(15).toSeconds(),
    periods: 3,
    todo: "The copy of the journal in the other region is more than 15 minutes behind. Check S3 in both regions.",
  },
];

/** The alarm on the exports of changes. The exporter runs every 15 minutes, and reports nothing before its first export. */
export const changesAlarm = (stage: DeployedStage): AlarmDefinition => ({
  name: "changes-copies-late",
  metric: copyMetric(stage, "age", Duration.minutes(15)),
  threshold: Duration.hours(3).toSeconds(),
  periods: 2,
  missing: TreatMissingData.BREACHING,
  canWait: true,
  todo: "The other region lacks the table's changes of three hours. Find the exporter's error in its log, and the failed export in DynamoDB.",
});

/** The number of copies that reached the other region in a day. AWS Backup counts each copy under its target vault. */
export const copiesMade = (stage: StageName, what: keyof typeof copied): Metric =>
  backupMetric("CopyJobsCompleted", { BackupVaultName: recoveryVaultName(stage), ResourceType: copied[what] });

/** The lag of the journal's copy in seconds, in the region of the copy. */
export const journalBehind = (journal: Journal): Metric => journalMetric("ReplicationLatency", "Maximum", journal);

/** The journal of a stage, and its copy in this region. @param source the name of the documents' bucket */
export const journalOf = (stage: StageName, source: string, { account }: Stack, region: string): Journal => ({
  source,
  copy: journalCopy(stage, account, region),
});

const backupMetric = (jobs: string, dimensionsMap: Record<string, string>): Metric =>
  new Metric({ namespace: "AWS/Backup", metricName: `NumberOf${jobs}`, dimensionsMap, statistic: "Sum", period: day });

const journalMetric = (metricName: string, statistic: string, { source, copy }: Journal): Metric =>
  new Metric({
    namespace: "AWS/S3",
    metricName,
    dimensionsMap: { SourceBucket: source, DestinationBucket: copy, RuleId: journalRule },
    statistic,
    period: five,
  });
