import type { Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { DeployedStage } from "../stages/deployedStage.ts";

/** Dollars by which a day's cost must be above what is usual, to be told. */
const oddDollars = 10;

/**
 * Tells the topic when a stage has cost four fifths of its budget, when it is about to cost more than all of it, and, where
 * the stage has `watchesAnomalies`, when it costs what it never did. Both count what has the stage's tag, once the account takes that tag for its costs
 * (docs/operations.md, "Dashboard and budget").
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
  // Names that the account has once, and a stage perhaps in two regions.
  const named = `business-data-${stage}-${stack.region}`;
  const monitor = new CfnAnomalyMonitor(stack, "SpendMonitor", {
    monitorName: named,
    monitorType: "CUSTOM",
    monitorSpecification: JSON.stringify({ Tags: { Key: "stage", Values: [stage] } }),
  });
  new CfnAnomalySubscription(stack, "SpendAnomalies", {
    subscriptionName: named,
    // A topic takes them as they come.
    frequency: "IMMEDIATE",
    monitorArnList: [monitor.attrMonitorArn],
    subscribers: [{ type: "SNS", address: topic.topicArn }],
    thresholdExpression: JSON.stringify({
      Dimensions: {
        Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE",
        MatchOptions: ["GREATER_THAN_OR_EQUAL"],
        Values: [String(oddDollars)],
      },
    }),
  });
}
