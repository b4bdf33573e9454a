import { Aws, Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { ComparisonOperator, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { accessLogStream } from "../constructs/accessLogDelivery.ts";
import { grantedRequests } from "../constructs/grantedRequests.ts";
import { releaseAlarm } from "../constructs/releaseParameters.ts";
import { metricNames } from "../constructs/webAcl.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { type AlarmDefinition, five, sumOf } from "./alarms.ts";

const minute = Duration.minutes(1);

/** Days before expiry by which ACM should have renewed a certificate. ACM starts 60 days before expiry. */
const expiringDays = 30;

/** Alarms on a stage's calls, and on its web ACL and certificate. */
export function apiAlarms(stage: DeployedStage, api: RestApi): AlarmDefinition[] {
  const waf = metricNames(stage);
  const { domain } = stage.aws;
  return [
    {
      name: "server-errors",
      // A single failure among a few calls does not count, but five failures do.
      metric: failedShare(api, five, "calls > 50 || errors >= 5", "5xx, % of calls"),
      periods: 2,
      todo: "At least 1 % of the calls fail. Find the error in the logs; if it began with a deployment, roll back.",
    },
    {
      name: releaseAlarm,
      // At 25 calls a minute, a canary with 10 % gets two or three calls a minute. An alarm must ring if these few
      // calls fail.
      metric: failedShare(
        api,
        minute,
        "errors >= 3 || (errors >= 1 && errors / calls >= 0.04)",
        "5xx, % of the calls of a minute",
      ),
      // If a canary gets 10 % of all calls, 0.5 % of all calls are one in twenty of the canary's calls.
      threshold: 0.5,
      // Single failures in quiet minutes do not indicate a faulty release.
      periods: 5,
      of: 3,
      todo: "Calls began to fail within minutes. npm run deploy takes back a release in progress; roll back a finished one.",
    },
    {
      name: "client-errors",
      metric: new MathExpression({
        // Manual tests and expired tokens cause less than one rejection a second.
        expression: "IF(refused >= 300, 100 * refused / calls, 0)",
        usingMetrics: {
          calls: api.metricCount({ statistic: "Sum", period: five }),
          refused: api.metricClientError({ statistic: "Sum", period: five }),
        },
        label: "4xx, % of calls",
        period: five,
      }),
      // Most callers poll, and polling rarely gets a 4xx.
      threshold: 10,
      // An internet-wide scan ends before the alarm rings.
      periods: 2,
      todo: "At least 10 % of the calls are rejected. Find their most common status, route and address in the gateway's log.",
    },
    {
      name: "blocked-by-limits",
      metric: sumOf(blockedRequests(waf.webAcl, waf.limits), "blocked by limits"),
      // A caller that waits for `Retry-After` is rejected at most ten times in a period.
      threshold: 100,
      periods: 2,
      canWait: true,
      todo: "WAF keeps answering 429. Find the limit and the caller in WAF's log.",
    },
    {
      name: "blocked-by-rules",
      metric: sumOf(blockedRequests(waf.webAcl, waf.rulesOfAws), "blocked by rules of AWS"),
      threshold: 50,
      // A scan ends before the alarm rings. Longer-lasting rejections come from a rule that matches a legitimate
      // caller, or from a persistent attacker.
      periods: 3,
      canWait: true,
      todo: "WAF rules of AWS keep blocking requests. Find the rule in WAF's log, and whether the address is a legitimate caller.",
    },
    {
      name: "latency",
      metric: new MathExpression({
        // Of a few calls, the slowest hundredth is a single call, whose POS may have responded slowly.
        expression: "IF(calls >= 300, p99, IF(calls >= 30, p90, 0))",
        usingMetrics: {
          calls: api.metricCount({ statistic: "Sum", period: five }),
          p99: api.metricLatency({ statistic: "p99", period: five }),
          p90: api.metricLatency({ statistic: "p90", period: five }),
        },
        label: "latency of the slowest calls, ms",
        period: five,
      }),
      threshold: 3_000,
      periods: 3,
      todo: "One call in 100, or of a few calls one in ten, takes more than 3 s. Find the slow route in the gateway's log, then check for throttling.",
    },
    {
      name: "access-log-silent",
      metric: undeliveredRequests(stage),
      // The requests of the last minutes of a period may be delivered in the next one.
      periods: 2,
      todo: "Requests were granted, but no line of them reached the access log. Find the step that stopped: function, subscription filter, or delivery stream.",
    },
    ...(domain ? [certificateAlarm(domain.certificateArn)] : []),
  ];
}

/**
 * The number of granted requests in half an hour in which no line reached the access log; negative or missing otherwise.
 * SUM leaves out a metric without data, which other functions of metric math do not.
 */
function undeliveredRequests(stage: DeployedStage): MathExpression {
  const period = Duration.minutes(30);
  return new MathExpression({
    expression: "SUM([granted, -1000000000 * delivered])",
    usingMetrics: {
      granted: grantedRequests(stage, { period }),
      delivered: new Metric({
        namespace: "AWS/Firehose",
        metricName: "DeliveryToS3.Records",
        dimensionsMap: { DeliveryStreamName: accessLogStream(stage.name) },
        statistic: "Sum",
        period,
      }),
    },
    label: "granted requests without any line",
    period,
  });
}

/** Requests that each of these web ACL rules rejected. WAF publishes no zeros. */
export const blockedRequests = (webAcl: string, rules: readonly string[]): Metric[] =>
  rules.map(
    (rule) =>
      new Metric({
        namespace: "AWS/WAFV2",
        metricName: "BlockedRequests",
        dimensionsMap: { WebACL: webAcl, Rule: rule, Region: Aws.REGION },
        statistic: "Sum",
        period: five,
        label: rule,
      }),
  );

const certificateAlarm = (certificateArn: string): AlarmDefinition => ({
  name: "certificate-expiring",
  metric: new Metric({
    namespace: "AWS/CertificateManager",
    metricName: "DaysToExpiry",
    dimensionsMap: { CertificateArn: certificateArn },
    statistic: "Minimum",
    // ACM publishes twice a day.
    period: Duration.days(1),
  }),
  threshold: expiringDays,
  when: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
  // ACM publishes nothing for an expired certificate, so the alarm keeps its state.
  missing: TreatMissingData.IGNORE,
  canWait: true,
  todo: "ACM has not renewed the certificate of the API's domain. Fix its validation, or import a new certificate.",
});

/**
 * The percentage of calls that fail.
 *
 * @param counts a condition on `calls` and `errors` of a period; if the condition is false, the result for the period
 * is 0
 */
function failedShare(api: RestApi, period: Duration, counts: string, label: string): MathExpression {
  return new MathExpression({
    expression: `IF(${counts}, 100 * errors / calls, 0)`,
    usingMetrics: {
      calls: api.metricCount({ statistic: "Sum", period }),
      errors: api.metricServerError({ statistic: "Sum", period }),
    },
    label,
    period,
  });
}
