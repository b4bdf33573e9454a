import { ArnFormat, Duration, type Stack } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
  SingleValueWidget,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { metricNames } from "../constructs/webAcl.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { alarmName, paragraphOf } from "./alarmName.ts";
import { type AddedAlarm, five, replicationMetric, webhookMetric } from "./alarms.ts";
import { blockedRequests } from "./apiAlarms.ts";
import { copiesMade, journalBehind, journalOf } from "./copyAlarms.ts";

export interface Shown {
  stage: DeployedStage;
  /** All alarms of the stage, in display order. */
  alarms: readonly AddedAlarm[];
  api: RestApi;
  accessLog: ILogGroup;
  table: ITable;
  documents: Bucket;
}

/**
 * Objectives for 30 days, in percent: calls without a 5xx response, and businesses whose sales are not late (`crbs-late` in
 * docs/operations/alarms.md). Businesses whose POS is down count as late.
 */
const objectives = { availability: 99.9, freshness: 99 } as const;

/** Three widgets fit into a row. */
const size = { width: 8, height: 6 };

/** Adds the dashboard of a stage: first the alarms, then graphs from the businesses to the costs. */
export function addDashboard(stack: Stack, { stage, alarms, api, accessLog, table, documents }: Shown): void {
  const { name } = stage;
  const waf = metricNames(stage);
  const graph = (title: string, ...metrics: IMetric[]) => new GraphWidget({ title, left: metrics, ...size });
  const replication = (key: Parameters<typeof replicationMetric>[1], statistic = "Sum") =>
    replicationMetric(stage, key, statistic);
  const calls = ["Count", "4XXError", "5XXError"].map((each) => api.metric(each, { statistic: "Sum", period: five }));
  const latency = ["p50", "p99"].map((statistic) => api.metricLatency({ statistic, period: five }));
  const month = Duration.days(30);
  const availability = new MathExpression({
    expression: "100 * (1 - errors / calls)",
    usingMetrics: {
      errors: api.metric("5XXError", { statistic: "Sum", period: month }),
      calls: api.metric("Count", { statistic: "Sum", period: month }),
    },
    label: "%",
    period: month,
  });
  const freshness = new MathExpression({
    expression: "100 - late",
    usingMetrics: { late: replicationMetric(stage, "lateShare", "Average", month) },
    label: "%",
    period: month,
  });
  const ofTable = (each: string) => table.metric(each, { statistic: "Sum", period: five });
  const rows: IWidget[][] = [
    [new AlarmStatusWidget({ title: "Alarms", alarms: alarms.map(alarmOf), width: 24, height: 5 })],
    [new TextWidget({ markdown: linksOf(stage, alarms), width: 24, height: 3 })],
    [
      new SingleValueWidget({
        title: `Calls without a 5xx response in 30 days, % (objective: ${objectives.availability})`,
        metrics: [availability],
        width: 12,
        height: 3,
      }),
      new SingleValueWidget({
        title: `Businesses with current sales in 30 days, % (objective: ${objectives.freshness})`,
        metrics: [freshness],
        width: 12,
        height: 3,
      }),
    ],
    [
      graph("Age of the oldest records of a business, s", replication("age", "Maximum")),
      graph(
        "Runs that POS systems failed or limited",
        ...(["posUnreachable", "posLimited"] as const).map((key) => replication(key)),
      ),
      graph(
        "Rejected credentials",
        ...(["credentialsRefused", "posTypeRefused"] as const).map((key) => replication(key)),
      ),
    ],
    [
      new LogQueryWidget({
        title: "Errors by operation",
        logGroupNames: [accessLog.logGroupName],
        queryLines: ["filter status >= 500", "stats count(*) as errors by method, route, status", "sort errors desc"],
        view: LogQueryVisualizationType.TABLE,
        ...size,
      }),
      graph("Calls", ...calls),
      graph("Latency, ms", ...latency),
    ],
    [
      graph("Throttled table requests", ...["ReadThrottleEvents", "WriteThrottleEvents"].map(ofTable)),
      graph("Throttled functions", search("AWS/Lambda,FunctionName", "Throttles", `business data ${name}`, "Sum")),
      graph("Consumed table units", ...["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"].map(ofTable)),
    ],
    [
      graph("Age of the oldest message of a queue, s", ofQueues("ApproximateAgeOfOldestMessage")),
      graph("Waiting messages", ofQueues("ApproximateNumberOfMessagesVisible")),
      graph("Replicated records, written and rejected", replication("written"), replication("rejected")),
    ],
    [
      graph("Age of the oldest waiting event, s", webhookMetric(stage, "age", "Maximum")),
      graph("Failing endpoints", webhookMetric(stage, "failing", "Maximum")),
      graph("Requests blocked by WAF", ...blockedRequests(waf.webAcl, [...waf.limits, ...waf.rulesOfAws])),
    ],
    [
      new GraphWidget({ title: "Account charges this month, $", left: [spend], region: "us-east-1", ...size }),
      ...copies(),
    ],
  ];
  // Dashboard names must be unique in an account across all regions.
  const dashboardName = `business-data-${name}-${stack.region}`;
  const dashboard = new Dashboard(stack, "Dashboard", { dashboardName });
  for (const row of rows) dashboard.addWidgets(...row);

  function alarmOf({ name: alarm, region }: AddedAlarm) {
    const alarmArn = stack.formatArn({
      service: "cloudwatch",
      region,
      resource: "alarm",
      resourceName: alarmName(name, alarm),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return Alarm.fromAlarmArn(stack, `Shown-${alarm}`, alarmArn);
  }

  /** Copies in the recovery region, if the stage has one. */
  function copies(): IWidget[] {
    const { recoveryRegion: region } = stage.aws;
    if (!region) return [];
    const behind = journalBehind(journalOf(name, documents.bucketName, stack, region));
    return [
      graph("Copies to the other region each day", copiesMade(name, "table"), copiesMade(name, "documents")),
      new GraphWidget({ title: "Lag of the journal's copy, s", left: [behind.with({ region })], region, ...size }),
    ];
  }

  function ofQueues(metric: string): IMetric {
    return search("AWS/SQS,QueueName", metric, `business data ${name} background`, "Maximum");
  }
}

/** The metrics of all resources that CloudFormation names after their stack. */
const search = (of: string, metric: string, names: string, statistic: string): IMetric =>
  new MathExpression({
    expression: `SEARCH('{${of}} MetricName="${metric}" ${names}', '${statistic}', 300)`,
    usingMetrics: {},
    label: "",
    period: five,
  });

/** AWS publishes the account's charges only in this region, a few times a day. */
const spend = new Metric({
  namespace: "AWS/Billing",
  metricName: "EstimatedCharges",
  dimensionsMap: { Currency: "USD" },
  statistic: "Maximum",
  period: Duration.hours(6),
  region: "us-east-1",
});

const linksOf = (stage: DeployedStage, alarms: readonly AddedAlarm[]): string =>
  `What to do: ${alarms.map(({ name }) => `[${name}](${paragraphOf(stage.aws, name)})`).join(" · ")}`;
