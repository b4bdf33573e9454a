import { type Stack, Tags } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { DeployedStage } from "../stages/deployedStage.ts";

/** The excess of a day's cost over the expected cost, in dollars, from which an anomaly counts. */
const anomalyDollars = 10;

/**
 * Notifies the topic when a stage has cost 80 % of its budget, when the forecast exceeds the budget, and, with
 * `watchesAnomalies`, about unusual costs. The budget and the anomaly monitor count costs with the stage's tag, once
 * the account activates this tag as a cost allocation tag (docs/operations/dashboard-and-budget.md).
 */
export function watchSpend(stack: Stack, { name: stage, aws }: DeployedStage, dollars: number, topic: Topic): void {
  const subscribers = [{ subscriptionType: "SNS", address: topic.topicArn }];
  const at = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
    notification: { notificationType, comparisonOperator: "GREATER_THAN", threshold, thresholdType: "PERCENTAGE" },
    subscribers,
  });
  new CfnBudget(stack, "Budget", {
    budget: {
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: dollars, unit: "USD" },
      costFilters: { TagKeyValue: [`user:stage$${stage}`] },
    },
    notificationsWithSubscribers: [at("ACTUAL", 80), at("FORECASTED", 100)],
  });
  if (!aws.watchesAnomalies) return;
  // CloudFormation gives a stack's tags to the monitor and its subscription, and cannot change them there (`tagUpdatable` of
  // AWS::CE::AnomalyMonitor is false). With the tag of a release, each deployment would replace both, and fail because the
  // names exist. So this stack does not name its release.
  Tags.of(stack).remove("release", { includeResourceTypes: ["aws:cdk:stack"] });
  // These names must be unique in an account, and a stage may exist in two regions.
  const named = `business-data-${stage}-${stack.region}`;
  const monitor = new CfnAnomalyMonitor(stack, "SpendMonitor", {
    monitorName: named,
    monitorType: "CUSTOM",
    monitorSpecification: JSON.stringify({ Tags: { Key: "stage", Values: [stage] } }),
  });
  new CfnAnomalySubscription(stack, "SpendAnomalies", {
    subscriptionName: named,
    // An SNS subscriber requires immediate notifications.
    frequency: "IMMEDIATE",
    monitorArnList: [monitor.attrMonitorArn],
    subscribers: [{ type: "SNS", address: topic.topicArn }],
    thresholdExpression: JSON.stringify({
      Dimensions: {
        Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE",
        MatchOptions: ["GREATER_THAN_OR_EQUAL"],
        Values: [String(anomalyDollars)],
      },
    }),
  });
}
