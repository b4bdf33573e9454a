import { Duration, Stack } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Construct } from "constructs";
import { copyMetrics } from "../../shared/domain/copies/copyMetrics.ts";
import { replicationMetrics } from "../../shared/domain/replication/replicationMetrics.ts";
import { webhookMetrics } from "../../shared/domain/webhooks/webhookMetrics.ts";
import {
  logServiceName,
  type Measuring,
  metricDimensions,
  metricNamespace,
} from "../../shared/platform/aws/metricSeries.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { alarmName, paragraphOf } from "./alarmName.ts";
import type { AlarmTopics } from "./alarmTopic.ts";

/** A condition on a metric. If it is true for `periods` periods, by default for one, an operator must act. */
export interface AlarmDefinition {
  /** Also the heading in docs/operations/alarms.md. */
  name: string;
  metric: IMetric;
  /** 1 when absent. */
  threshold?: number;
  periods?: number;
  /** The number of these periods in which the condition must be true; all periods when absent. */
  of?: number;
  /** The operator's next step, in one sentence. */
  todo: string;
  /** The comparison with the threshold; at least the threshold when absent. */
  when?: ComparisonOperator;
  /** The meaning of missing data. When absent, missing data raises no alarm. */
  missing?: TreatMissingData;
  /** Whether the alarm can wait for the next working day, so that the pager does not get it; false when absent. */
  canWait?: boolean;
}

export const five = Duration.minutes(5);

/** An alarm and its region. */
export interface AddedAlarm {
  name: string;
  region: string;
}

/**
 * The alarms of a stage. Each alarm is in the stack of the resource that it watches, so that no stack depends on a
 * stack that is deployed later.
 */
export class Alarms {
  /** The alarms added so far, in order. */
  readonly added: AddedAlarm[] = [];
  readonly #stage: DeployedStage;
  readonly #topics: AlarmTopics;

  constructor(stage: DeployedStage, topics: AlarmTopics) {
    this.#stage = stage;
    this.#topics = topics;
  }

  /** Adds alarms to the stack of a construct. */
  add(scope: Construct, alarmed: readonly AlarmDefinition[]): void {
    const { all, pager } = this.#topics;
    for (const { name, metric, threshold = 1, periods = 1, of, todo, missing, when, canWait = false } of alarmed) {
      const alarm = new Alarm(scope, name, {
        alarmName: alarmName(this.#stage.name, name),
        alarmDescription: `${todo} See ${paragraphOf(this.#stage.aws, name)}`,
        metric,
        threshold,
        evaluationPeriods: periods,
        ...(of !== undefined && { datapointsToAlarm: of }),
        comparisonOperator: when ?? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
      });
      for (const topic of canWait ? [all] : [all, pager]) {
        const action = new SnsAction(topic);
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
      }
      this.added.push({ name, region: Stack.of(scope).region });
    }
  }
}

/** The sum of metrics. An alarm accepts at most ten. */
export function sumOf(metrics: readonly IMetric[], label: string, period = five): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]));
  return new MathExpression({ expression: "SUM(METRICS())", usingMetrics, label, period });
}

/** A metric that the replication functions publish. */
export const replicationMetric = (
  stage: DeployedStage,
  key: keyof typeof replicationMetrics,
  statistic: string,
  period?: Duration,
): Metric => ownMetric(stage, "replication", replicationMetrics[key].name, statistic, period);

/** A metric that the webhook functions publish. */
export const webhookMetric = (stage: DeployedStage, key: keyof typeof webhookMetrics, statistic: string): Metric =>
  ownMetric(stage, "webhooks", webhookMetrics[key].name, statistic);

/** The number of lines in the logs of all functions that count in a metric (`loggedCount`). */
export const loggedLines = (stage: DeployedStage, metricName: string, period?: Duration): Metric =>
  ownMetric(stage, logServiceName, metricName, "Sum", period);

/** A metric that the exporter of changes publishes. */
export const copyMetric = (stage: DeployedStage, key: keyof typeof copyMetrics, period?: Duration): Metric =>
  ownMetric(stage, "copies", copyMetrics[key].name, "Maximum", period);

function ownMetric(
  stage: DeployedStage,
  service: Measuring,
  metricName: string,
  statistic: string,
  period = five,
): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: metricDimensions(service, stage.name),
    statistic,
    period,
  });
}
