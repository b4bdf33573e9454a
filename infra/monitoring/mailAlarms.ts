import { Duration } from "aws-cdk-lib";
import { Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { AlarmDefinition } from "./alarms.ts";

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
    periods: 1,
    // SES publishes the rates only after mail was sent. While SES publishes none, the alarm keeps its state.
    missing: TreatMissingData.IGNORE,
    canWait: true,
    todo: "More than 2.5 % of the mail bounces; SES reviews the account at 5 %. Find the CRB that invites invalid addresses.",
  },
  {
    name: "mail-complaints",
    metric: reputationMetric("ComplaintRate"),
    threshold: reviewRates.complaints / 2,
    periods: 1,
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
