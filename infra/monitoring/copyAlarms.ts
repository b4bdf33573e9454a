import { Duration, type Stack } from "aws-cdk-lib";
import { ComparisonOperator, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { journalCopy, journalRule, primaryVaultName, recoveryVaultName } from "../backup/crossRegionBackup.ts";
import type { StageName } from "../stages/stages.ts";
import { type AlarmDefinition, five, sumOf } from "./alarms.ts";

const day = Duration.days(1);

/** What is copied each night, as AWS Backup calls it. */
const copied = { table: "DynamoDB", documents: "S3" } as const;

/** What S3 tells apart the metrics of a replication by. */
interface Journal {
  /** The name of the bucket that the journal is written to. */
  source: string;
  /** That of the one in the other region. */
  copy: string;
}

/** What is wrong with what is copied to the other region, as far as it is told in the stage's own. */
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
      threshold: 1,
      periods: 1,
      canWait: true,
      todo: "A nightly copy to the other region has failed: find out why in AWS Backup, and copy again.",
    },
    ...(["table", "documents"] as const).map((what) => ({
      name: `${what}-copies-missing`,
      metric: copiesMade(stage, what),
      threshold: 1,
      // A night is not copied at the same hour as the one before. Two without a copy are no accident.
      periods: 2,
      when: ComparisonOperator.LESS_THAN_THRESHOLD,
      // AWS Backup tells no zeros.
      missing: TreatMissingData.BREACHING,
      canWait: true,
      todo: `For two days nothing of the ${what} has come to the other region: it would be lost with this one.`,
    })),
    {
      name: "journal-copies-failed",
      metric: journalMetric("OperationsFailedReplication", "Sum", journal),
      threshold: 1,
      periods: 1,
      canWait: true,
      todo: "An entry of the journal was not copied to the other region: fix what refuses it, and copy it by hand.",
    },
  ];
}

/** What is wrong with it as far as only the other region is told: S3 tells there how far a copy is behind. */
export const recoveryRegionAlarms = (journal: Journal): AlarmDefinition[] => [
  {
    name: "journal-copies-late",
    metric: journalBehind(journal),
    threshold: Duration.minutes(15).toSeconds(),
    periods: 3,
    todo: "The journal in the other region is more than 15 minutes behind: what was taken away since may come back with it.",
  },
];

/** Copies that came to the other region, a day. AWS Backup counts a copy for the vault that it comes to. */
export const copiesMade = (stage: StageName, what: keyof typeof copied): Metric =>
  backupMetric("CopyJobsCompleted", { BackupVaultName: recoveryVaultName(stage), ResourceType: copied[what] });

/** By how many seconds the journal's copy is behind, in the region where it is. */
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
