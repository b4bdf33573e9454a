import { Duration } from "aws-cdk-lib";
import { ComparisonOperator, type IMetric, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { foreignRevocationsMetric } from "../../shared/auth/revocationRights.ts";
import { failedExportsMetric } from "../../shared/domain/exports/failedExports.ts";
import { lateInvitationsMetric } from "../../shared/domain/invitations/requestUnsentInvitations.ts";
import { stateKeyRejectedMetric } from "../../shared/domain/stateSystems/stateKeyMetric.ts";
import { damagedRecordsMetric } from "../../shared/store/damagedRecords.ts";
import { maxBusinesses } from "../constructs/replicationCapacity.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { WorkQueues } from "../stages/workQueue.ts";
import { type AlarmDefinition, five, loggedLines, replicationMetric, sumOf, webhookMetric } from "./alarms.ts";

const hour = Duration.hours(1);

/**
 * A message gets at most five attempts, with at most 16 minutes between two attempts. A message that is older than this
 * limit is waiting for a free worker.
 */
const oldestSeconds = 2 * 60 * 60;

/**
 * The least number, and the least share, of CRBs with late sales for which an engineer is paged. A stage with few CRBs has fewer
 * late ones, and then half of all CRBs counts. One shop whose POS is off for the night never does.
 */
const minLate = { crbs: 5, percent: 1 } as const;
const minLateOfFew = { crbs: 2, percent: 50 } as const;

/** The least number, and the least share, of failing webhook endpoints for which an engineer is paged. */
const minFailing = { endpoints: 5, percent: 10 } as const;

/** Alarms on queues, by the queues' names. */
export function queueAlarms(queues: WorkQueues): AlarmDefinition[] {
  return Object.entries(queues).flatMap(([name, { queue, deadLetters }]) => [
    {
      name: `dead-letters-${name}`,
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: five }),
      canWait: true,
      todo: "A message failed five times. Find the error in the worker's log, fix it, then redrive.",
    },
    {
      name: `queue-age-${name}`,
      metric: queue.metricApproximateAgeOfOldestMessage({ statistic: "Maximum", period: five }),
      threshold: oldestSeconds,
      periods: 3,
      // Retries wait while POS systems do not respond. `crbs-late` says whether that concerns many businesses. A restore of the
      // table takes hours, and its progress has a command.
      canWait: name === "retries" || name === "restorations",
      todo: "Messages have waited for two hours. Check whether the worker runs, and whether it is too slow.",
    },
  ]);
}

/**
 * Rings before the replication workers become too slow for all due replications. The alarm compares the workers' run
 * time with the time that is available to all workers. The number of busy workers would mislead: the planner requests
 * all due replications once a minute, so every worker is briefly busy.
 */
export function replicationCapacityAlarm({ settings, aws }: DeployedStage, worker: LambdaFunction): AlarmDefinition {
  const { replication: workers } = aws.workers;
  const businesses = maxBusinesses(settings, aws).toLocaleString("en-US");
  return {
    name: "replication-capacity",
    metric: new MathExpression({
      expression: `100 * busy / ${workers * hour.toMilliseconds()}`,
      usingMetrics: { busy: worker.metricDuration({ statistic: "Sum", period: hour }) },
      label: "time of the replication workers that is used, %",
      period: hour,
    }),
    threshold: 80,
    canWait: true,
    todo: `The ${workers} replication workers, enough for ${businesses} businesses whose POS answers in a second, were busy for 80 % of an hour. Raise workers.replication.`,
  };
}

/**
 * Rings if linked licenses are no longer compared, also if the comparer does not run. One failed run is repaired by the next one.
 */
export function licenseComparisonAlarm(comparer: LambdaFunction): AlarmDefinition {
  const sum = { statistic: "Sum", period: hour };
  return {
    name: "license-comparison-failed",
    metric: sumOf(
      [comparer.metricErrors(sum), comparer.metricThrottles(sum)],
      "runs of the license comparison that failed or did not start",
      hour,
    ),
    periods: 3,
    missing: TreatMissingData.BREACHING,
    canWait: true,
    todo: "Linked licenses were not compared for three hours. Find the error in the log of LicenseComparer.",
  };
}

/** The functions without a caller, by what invokes them. Each group has alarms of its own: an alarm sums up ten metrics. */
export type WorkerGroups = Readonly<Record<"queues" | "schedules", readonly LambdaFunction[]>>;

/**
 * The functions of schedules whose failures cannot wait for the next working day: without the planner no replication begins, and
 * without the sweeper of exports no resource of an expired credential ends.
 */
const urgent: readonly string[] = ["ReplicationPlanner", "ExportSweeper"];

/**
 * An alarm for each function of a schedule, so that one that keeps failing hides no other one. Each runs at least four times an
 * hour. Lambda publishes the errors of each run, also if there are none: missing data means that the function does not run.
 */
export const scheduleAlarms = (schedules: readonly LambdaFunction[]): AlarmDefinition[] =>
  schedules.map((scheduled) => {
    const { id } = scheduled.node;
    return {
      name: `schedule${id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      metric: scheduled.metricErrors({ statistic: "Sum", period: hour }),
      threshold: 3,
      missing: TreatMissingData.BREACHING,
      canWait: !urgent.includes(id),
      todo: `${id} keeps failing, or does not run. Find the error in its log, or check its schedule.`,
    };
  });

/** Alarms on functions without a caller, and on what they measure. */
export function workerAlarms(stage: DeployedStage, { queues, schedules }: WorkerGroups): AlarmDefinition[] {
  const slowest = Math.max(...Object.values(stage.settings.replicateEverySeconds));
  return [
    {
      name: "worker-errors",
      metric: errorsOf(queues, "errors of the functions of queues"),
      threshold: 3,
      todo: "A function of a queue keeps failing: a worker, the sender or the deliverer. Find the error in its log.",
    },
    {
      name: "worker-throttles",
      metric: throttlesOf(queues, "functions of queues that were not started"),
      threshold: 10,
      periods: 2,
      todo: "Lambda does not start workers of queues. Check the account's concurrency, and the reservations of functions.",
    },
    {
      name: "function-throttles",
      // Throttled functions with a caller respond with 503, which server-errors covers.
      metric: throttlesOf(schedules, "functions of schedules that were not started"),
      threshold: 10,
      periods: 2,
      todo: "Lambda does not start the planner or sweepers. Check the account's concurrency, and the reservations of functions.",
    },
    {
      name: "replication-age",
      // The planner publishes the age of a kind's records only when that kind is due. So a period must be longer than
      // the longest replication interval.
      metric: replicationMetric(stage, "age", "Maximum", Duration.minutes(Math.ceil((1.5 * slowest) / 60))),
      threshold: 3 * slowest,
      // One shop whose POS is off for the night must not page an engineer. `crbs-late` does, for many shops.
      canWait: true,
      todo: "The records of a CRB are older than three replication intervals. `replication list` of the operator's program shows the CRB.",
    },
    {
      name: "crbs-late",
      metric: new MathExpression({
        expression: `IF(${[minLate, minLateOfFew].map(isLate).join(" || ")}, late, 0)`,
        usingMetrics: {
          late: replicationMetric(stage, "lateCrbs", "Maximum"),
          share: replicationMetric(stage, "lateShare", "Maximum"),
        },
        label: "CRBs whose sales are late, if they are many",
        period: five,
      }),
      periods: 2,
      todo: "The sales of many CRBs are late. `replication list` of the operator's program shows them. Check whether one POS type is down.",
    },
    {
      name: "replication-lag",
      metric: replicationMetric(stage, "lag", "Minimum"),
      threshold: 5 * 60,
      periods: 3,
      todo: "Replications have been due for five minutes, and the planner has not requested them. Check its duration and its log.",
    },
    {
      name: "records-rejected",
      metric: replicationMetric(stage, "rejectedShare", "Maximum"),
      when: ComparisonOperator.GREATER_THAN_THRESHOLD,
      canWait: true,
      todo: "More than 1 in 100 records of a run were rejected, so callers do not get them. Run `pos check` of the operator's program.",
    },
    {
      name: "planner-silent",
      metric: replicationMetric(stage, "requested", "SampleCount"),
      periods: 3,
      when: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
      todo: "The planner reports nothing, so no replication begins. Check whether it runs, and whether it can read the table.",
    },
    {
      name: "mismatched-sums",
      metric: replicationMetric(stage, "mismatchedSums", "Maximum"),
      when: ComparisonOperator.GREATER_THAN_THRESHOLD,
      canWait: true,
      todo: "The amounts of more than 1 in 100 sales of a run do not match. Check whether the connector misreads a field or a unit.",
    },
    {
      name: "damaged-records",
      metric: loggedLines(stage, damagedRecordsMetric),
      canWait: true,
      todo: "The stored text of a record is damaged, so callers do not get the record. The log has its key. A full reading repairs it.",
    },
    {
      name: "foreign-revocations",
      metric: loggedLines(stage, foreignRevocationsMetric),
      todo: "Within an hour, a service provider's credentials revoked two that others had issued. Ask its owner whether a key was stolen.",
    },
    {
      name: "stock-unconfirmed",
      metric: replicationMetric(stage, "unconfirmed", "Maximum"),
      canWait: true,
      todo: "A POS no longer lists most of a CRB's stock, which stays until another run confirms that. `replication list` shows the CRB.",
    },
    {
      name: "pos-type-refused",
      metric: replicationMetric(stage, "posTypeRefused", "Sum"),
      todo: "A POS rejects several CRBs at once. Check the service's own key with that POS company.",
    },
    {
      name: "webhook-backlog",
      metric: webhookMetric(stage, "age", "Maximum"),
      // A lost message delays a delivery by two minutes at most.
      threshold: 10 * 60,
      periods: 2,
      // The sweeper publishes the metric, so missing data means that the sweeper does not run.
      missing: TreatMissingData.BREACHING,
      todo: "Events wait although their receivers accept deliveries, or the sweeper does not run. Check the deliverer and the sweeper.",
    },
    {
      name: "webhook-endpoints-failing",
      metric: new MathExpression({
        expression: `IF(failing >= ${minFailing.endpoints} && share >= ${minFailing.percent}, failing, 0)`,
        usingMetrics: {
          failing: webhookMetric(stage, "failing", "Minimum"),
          share: webhookMetric(stage, "failingShare", "Minimum"),
        },
        label: "failing endpoints, if they are many",
        period: five,
      }),
      periods: 12,
      todo: "Five or more receivers, and a tenth of all, have failed for an hour. Check the connection to them before their endpoints are disabled.",
    },
    {
      name: "webhook-endpoint-disabled",
      metric: webhookMetric(stage, "disabled", "Sum"),
      canWait: true,
      todo: "An endpoint was disabled after three days of failures, or a 410. Inform its service provider.",
    },
    {
      name: "pos-credentials-refused",
      metric: replicationMetric(stage, "credentialsRefused", "Sum"),
      canWait: true,
      todo: "A POS rejects a CRB's credentials. Inform its service provider, who must get new ones.",
    },
    {
      name: "state-key-rejected",
      metric: loggedLines(stage, stateKeyRejectedMetric, hour),
      canWait: true,
      todo: "The system of a state accepts no key of several businesses. Check the service's own key for that state.",
    },
    {
      name: "invitations-late",
      metric: loggedLines(stage, lateInvitationsMetric, hour),
      canWait: true,
      todo: "Invitations have been unsent for an hour. Find the reason in the log of InvitationSender.",
    },
    {
      name: "exports-failed",
      metric: loggedLines(stage, failedExportsMetric, hour),
      canWait: true,
      todo: "An export or a statement could not be made in five attempts. Find the error in the log of its worker.",
    },
  ];
}

const isLate = ({ crbs, percent }: { crbs: number; percent: number }): string =>
  `(late >= ${crbs} && share >= ${percent})`;

const errorsOf = (functions: readonly LambdaFunction[], label: string): IMetric =>
  sumOf(
    functions.map((each) => each.metricErrors({ statistic: "Sum", period: hour })),
    label,
    hour,
  );

const throttlesOf = (functions: readonly LambdaFunction[], label: string): IMetric =>
  sumOf(
    functions.map((each) => each.metricThrottles({ statistic: "Sum", period: five })),
    label,
  );

/**
 * The rates at which SES puts an account under review. SES pauses sending at 10 % bounces or 0.5 % complaints
 * (https://docs.aws.amazon.com/ses/latest/dg/reputationdashboardmessages.html).
 */
const reviewRates = { bounces: 0.05, complaints: 0.001 };

/** Alarms on the account's reputation as a sender, which all stages of a region share. */
export const mailAlarms = (): AlarmDefinition[] => [
  {
    name: "mail-bounces",
    metric: reputationMetric("BounceRate"),
    threshold: reviewRates.bounces / 2,
    // SES publishes the rates only after mail was sent. While SES publishes none, the alarm keeps its state.
    missing: TreatMissingData.IGNORE,
    canWait: true,
    todo: "More than 2.5 % of the mail bounces; SES reviews the account at 5 %. Find the CRB that invites invalid addresses.",
  },
  {
    name: "mail-complaints",
    metric: reputationMetric("ComplaintRate"),
    threshold: reviewRates.complaints / 2,
    missing: TreatMissingData.IGNORE,
    canWait: true,
    todo: "One mail in 2,000 is reported as spam; SES reviews the account at one in 1,000. Find the CRB that invites people who do not expect it.",
  },
];

/** SES publishes the rates of an account and region without dimensions, as numbers from 0 to 1. */
const reputationMetric = (rate: "BounceRate" | "ComplaintRate"): Metric =>
  new Metric({
    namespace: "AWS/SES",
    metricName: `Reputation.${rate}`,
    statistic: "Maximum",
    period: Duration.hours(1),
  });
