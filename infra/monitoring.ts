import { Aws, Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { metricDimensions, metricNamespace, replicationMetrics } from "../shared/replication/metrics.ts";
import { tableIndexes } from "../shared/table/schema.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { metricNames } from "./webAcl.ts";

/** What is watched. */
export interface Watched {
  api: RestApi;
  table: ITable;
  replicationQueue: Queue;
  /** Queues of what was given up, by what they are about. */
  deadLetters: Readonly<Record<string, Queue>>;
  /** Functions that nobody waits for. */
  background: readonly LambdaFunction[];
}

/** Something that needs an operator when it holds for so many periods. */
export interface Alarmed {
  /** Also the heading in docs/operations.md. */
  name: string;
  metric: IMetric;
  threshold: number;
  periods: number;
  /** What to do, in a sentence. */
  todo: string;
  /** That nothing is heard is an alarm too. */
  silent?: true;
}

/** Something to be seen beside what alarms are about. */
export interface Shown {
  title: string;
  metrics: readonly IMetric[];
}

const five = Duration.minutes(5);
const hour = Duration.hours(1);

function replicationMetric(stage: DeployedStage, key: keyof typeof replicationMetrics, statistic: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: replicationMetrics[key].name,
    dimensionsMap: metricDimensions(stage.name),
    statistic,
    period: five,
  });
}

/** Throttled requests of the table and its indexes. */
function tableThrottles({ table }: Watched): IMetric {
  const throttles = ["ReadThrottleEvents", "WriteThrottleEvents"].flatMap((metricName) =>
    [undefined, ...Object.keys(tableIndexes)].map(
      (index) =>
        new Metric({
          namespace: "AWS/DynamoDB",
          metricName,
          dimensionsMap: { TableName: table.tableName, ...(index && { GlobalSecondaryIndexName: index }) },
          statistic: "Sum",
          period: five,
        }),
    ),
  );
  return sumOf(throttles, "throttled reads and writes");
}

/** Requests that these rules of the web ACL refused; WAF tells nothing of minutes in which a rule refused none. */
function blockedRequests(webAcl: string, rules: readonly string[], label: string): IMetric {
  const metrics = rules.map(
    (rule) =>
      new Metric({
        namespace: "AWS/WAFV2",
        metricName: "BlockedRequests",
        dimensionsMap: { WebACL: webAcl, Rule: rule, Region: Aws.REGION },
        statistic: "Sum",
        period: five,
      }),
  );
  return sumOf(metrics, label);
}

function sumOf(metrics: readonly IMetric[], label: string, period = five): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]));
  return new MathExpression({ expression: "SUM(METRICS())", usingMetrics, label, period });
}

/** Every alarm of a stage. */
export function alarmsOf(stage: DeployedStage, watched: Watched): Alarmed[] {
  const { api, deadLetters, background } = watched;
  const waf = metricNames(stage);
  const slowest = Math.max(...Object.values(stage.settings.replicateEverySeconds));
  return [
    {
      name: "server-errors",
      metric: new MathExpression({
        // A single failure among a few calls is no share of anything; a handful is.
        expression: "IF(calls > 50 || errors >= 5, 100 * errors / calls, 0)",
        usingMetrics: {
          calls: api.metricCount({ statistic: "Sum", period: five }),
          errors: api.metricServerError({ statistic: "Sum", period: five }),
        },
        label: "5xx, % of calls",
        period: five,
      }),
      threshold: 1,
      periods: 2,
      todo: "More than 1 % of the calls fail: find the error in the log, roll back what was deployed last.",
    },
    {
      name: "client-errors",
      metric: new MathExpression({
        // One a second is more than people make who try things out, or callers whose token has run out.
        expression: "IF(refused >= 300, 100 * refused / calls, 0)",
        usingMetrics: {
          calls: api.metricCount({ statistic: "Sum", period: five }),
          refused: api.metricClientError({ statistic: "Sum", period: five }),
        },
        label: "4xx, % of calls",
        period: five,
      }),
      // Callers poll, and are hardly ever refused.
      threshold: 10,
      // A scan of the whole internet passes by sooner.
      periods: 2,
      todo: "One call in ten is refused: find in the access log which status, route and address most of them have.",
    },
    {
      name: "blocked-by-limits",
      metric: blockedRequests(waf.webAcl, waf.limits, "refused by limits"),
      // A caller who waits as long as `Retry-After` says comes again ten times in a period.
      threshold: 100,
      periods: 2,
      todo: "WAF answers 429 to a caller who does not slow down: find in its log which limit, and who it is.",
    },
    {
      name: "blocked-by-rules",
      metric: blockedRequests(waf.webAcl, waf.rulesOfAws, "refused by rules of AWS"),
      threshold: 50,
      // A scan is over sooner. What stays is a caller whom a rule mistakes, or somebody who does not give up.
      periods: 3,
      todo: "WAF refuses somebody all the time: find in its log which rule, and whether it is one of our callers.",
    },
    {
      name: "latency",
      metric: api.metricLatency({ statistic: "p99", period: five }),
      threshold: 3_000,
      periods: 3,
      todo: "One call in a hundred takes more than 3 s: look for throttling, then for the slow operation in the access log.",
    },
    {
      name: "table-throttles",
      metric: tableThrottles(watched),
      threshold: 100,
      periods: 2,
      todo: "The table refuses reads or writes: find the partition that is hot, slow down who causes it.",
    },
    {
      name: "function-throttles",
      // Of all functions of the account in this region, which share its concurrency.
      metric: new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", statistic: "Sum", period: five }),
      threshold: 10,
      periods: 2,
      todo: "Functions are not started: the account's concurrency, or what is reserved for one, is used up.",
    },
    ...Object.entries(deadLetters).map(([name, queue]) => ({
      name: `dead-letters-${name}`,
      metric: queue.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", period: five }),
      threshold: 1,
      periods: 1,
      todo: "A message was given up after five tries: read why in the log, mend it, redrive.",
    })),
    {
      name: "background-errors",
      metric: sumOf(
        background.map((each) => each.metricErrors({ statistic: "Sum", period: hour })),
        "errors of functions without a caller",
        hour,
      ),
      // The slowest of them runs four times an hour.
      threshold: 3,
      periods: 1,
      todo: "A worker, the planner or a sweeper keeps failing, or invitations stay unsent: read why in its log.",
    },
    {
      name: "replication-age",
      metric: replicationMetric(stage, "age", "Maximum"),
      threshold: 3 * slowest,
      periods: 2,
      todo: "Some CRB's records are older than three turns: `replication list` of the operator's program names it.",
    },
    {
      name: "planner-silent",
      metric: replicationMetric(stage, "asked", "SampleCount"),
      threshold: 1,
      periods: 3,
      silent: true,
      todo: "Nothing is being replicated: the planner does not run, or cannot read the table.",
    },
    {
      name: "pos-credentials-refused",
      metric: replicationMetric(stage, "credentialsRefused", "Sum"),
      threshold: 1,
      periods: 1,
      todo: "A POS no longer lets a CRB in: tell its service provider, who must get new credentials.",
    },
  ];
}

/** What else the dashboard shows. */
export function shownOf(stage: DeployedStage, { api, table, replicationQueue }: Watched): Shown[] {
  const sum = { statistic: "Sum", period: five };
  const units = (metricName: string) =>
    new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap: { TableName: table.tableName }, ...sum });
  return [
    { title: "calls", metrics: [api.metricCount(sum), api.metricClientError(sum), api.metricServerError(sum)] },
    { title: "units of the table", metrics: [units("ConsumedReadCapacityUnits"), units("ConsumedWriteCapacityUnits")] },
    {
      title: "replication queue",
      metrics: [
        replicationQueue.metricApproximateNumberOfMessagesVisible({ period: five }),
        replicationQueue.metricApproximateAgeOfOldestMessage({ period: five }),
      ],
    },
    {
      title: "records of POS systems",
      metrics: [replicationMetric(stage, "written", "Sum"), replicationMetric(stage, "rejected", "Sum")],
    },
    {
      title: "POS systems that cannot be read",
      metrics: [replicationMetric(stage, "posUnreachable", "Sum"), replicationMetric(stage, "posLimited", "Sum")],
    },
  ];
}
