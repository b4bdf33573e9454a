import { Aws, Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import { ComparisonOperator, MathExpression, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { releaseAlarm } from "../constructs/releaseParameters.ts";
import { metricNames } from "../constructs/webAcl.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { type AlarmDefinition, five, sumOf } from "./alarms.ts";

const minute = Duration.minutes(1);

/** Days before its end by which ACM has long renewed a certificate: it begins 60 days before. */
const expiringDays = 30;

/** What is wrong with the calls of a stage, or with the way to it. */
export function apiAlarms(stage: DeployedStage, api: RestApi): AlarmDefinition[] {
  const waf = metricNames(stage);
  const { domain } = stage.aws;
  return [
    {
      name: "server-errors",
      // A single failure among a few calls is no share of anything; a handful is.
      metric: failedShare(api, five, "calls > 50 || errors >= 5", "5xx, % of calls"),
      threshold: 1,
      periods: 2,
      todo: "More than 1 % of the calls fail: find the error in the log, roll back what was deployed last.",
    },
    {
      name: releaseAlarm,
      // Of 25 calls a minute a canary with a tenth has two or three, and so many must count if they fail.
      metric: failedShare(
        api,
        minute,
        "errors >= 3 || (errors >= 1 && errors / calls >= 0.04)",
        "5xx, % of the calls of a minute",
      ),
      // One call in twenty of a canary that has a tenth of them.
      threshold: 0.5,
      // Single failures, each in a quiet minute, are none of the release.
      periods: 5,
      of: 3,
      todo: "Calls have begun to fail within minutes: a release under way is taken back by itself, one that is done is not.",
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
      todo: "One call in ten is rejected: find in the gateway's log which status, route and address most of them have.",
    },
    {
      name: "blocked-by-limits",
      metric: sumOf(blockedRequests(waf.webAcl, waf.limits), "refused by limits"),
      // A caller who waits as long as `Retry-After` says comes again ten times in a period.
      threshold: 100,
      periods: 2,
      canWait: true,
      todo: "WAF answers 429 to a caller who does not slow down: find in its log which limit, and who it is.",
    },
    {
      name: "blocked-by-rules",
      metric: sumOf(blockedRequests(waf.webAcl, waf.rulesOfAws), "refused by rules of AWS"),
      threshold: 50,
      // A scan is over sooner. What stays is a caller whom a rule mistakes, or somebody who does not give up.
      periods: 3,
      canWait: true,
      todo: "WAF refuses somebody all the time: find in its log which rule, and whether it is one of our callers.",
    },
    {
      name: "latency",
      metric: api.metricLatency({ statistic: "p99", period: five }),
      threshold: 3_000,
      periods: 3,
      todo: "One call in a hundred takes more than 3 s: look for throttling, then for the slow operation in the gateway's log.",
    },
    ...(domain ? [certificateAlarm(domain.certificateArn)] : []),
  ];
}

/** Requests that each of these rules of the web ACL refused; WAF tells nothing of minutes in which a rule refused none. */
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
    // ACM tells twice a day.
    period: Duration.days(1),
  }),
  threshold: expiringDays,
  periods: 1,
  when: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
  // ACM tells nothing of a certificate that has expired: the alarm stays.
  missing: TreatMissingData.IGNORE,
  canWait: true,
  todo: "ACM has not renewed the certificate of the API's name: fix its validation, or import a new one.",
});

/**
 * The share of calls that fail, in percent.
 *
 * @param counts the condition on `calls` and `errors` of a period from which on it counts; it is 0 otherwise
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
