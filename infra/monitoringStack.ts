import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import { tableIndexes } from "../shared/table/schema.ts";
import { acknowledge } from "./acknowledge.ts";
import { type Alarmed, Alarms, five, sumOf } from "./alarms.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { watchSpend } from "./spend.ts";

export interface MonitoringStackProps extends StackProps {
  stage: DeployedStage;
  table: ITable;
  /** How many functions the account may run at once in this region; what the stage needs, where nobody has asked AWS. */
  accountConcurrency: number;
}

/**
 * Tells an operator what needs one: the topic of all alarms, those about the table and the account, and what is spent. The
 * stacks of what is watched come later and have their own alarms.
 */
export class MonitoringStack extends Stack {
  readonly alarms: Alarms;
  readonly #stage: DeployedStage;
  readonly #table: ITable;

  constructor(scope: Construct, id: string, { stage, table, accountConcurrency, ...props }: MonitoringStackProps) {
    super(scope, id, props);
    this.#stage = stage;
    this.#table = table;
    const topic = this.#createTopic();
    this.alarms = new Alarms(stage, topic);
    this.alarms.add(this, this.#ownAlarms(accountConcurrency));
    if (stage.aws.monthlyBudget) watchSpend(this, stage, stage.aws.monthlyBudget, topic);
    new CfnOutput(this, "AlarmTopic", { value: topic.topicArn });
  }

  #createTopic(): Topic {
    const topic = new Topic(this, "Topic", {
      displayName: `Business Data Access, ${this.#stage.name}`,
      enforceSSL: true,
    });
    // A policy replaces the one that a topic has by default, by which alarms of the account may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: "Alarms",
        principals: ["cloudwatch", "budgets", "costalerts"].map(
          (name) => new ServicePrincipal(`${name}.amazonaws.com`),
        ),
        actions: ["sns:Publish"],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
    acknowledge(topic, { "AwsSolutions-SNS2": "Alarms name metrics and say what to do; nothing in them is secret." });
    if (this.#stage.aws.alarmEmail) topic.addSubscription(new EmailSubscription(this.#stage.aws.alarmEmail));
    return topic;
  }

  #ownAlarms(accountConcurrency: number): Alarmed[] {
    return [
      {
        name: "table-throttles",
        metric: this.#tableThrottles(),
        threshold: 100,
        periods: 2,
        todo: "The table refuses reads or writes: find the partition that is hot, slow down who causes it.",
      },
      {
        name: "account-concurrency",
        // Of all stages and of whatever else the account runs in the region: what runs without a reservation, and what is
        // reserved. The rest of the account's limit is all that functions can still have.
        metric: new Metric({
          namespace: "AWS/Lambda",
          metricName: "ClaimedAccountConcurrency",
          statistic: "Maximum",
          period: five,
        }),
        threshold: Math.floor(0.8 * accountConcurrency),
        periods: 2,
        todo: "The account has nearly as many functions at work as it may have: ask Service Quotas for more.",
      },
    ];
  }

  /** Throttled requests of the table and its indexes. */
  #tableThrottles(): IMetric {
    const throttles = ["ReadThrottleEvents", "WriteThrottleEvents"].flatMap((metricName) =>
      [undefined, ...Object.keys(tableIndexes)].map((index) =>
        this.#tableMetric(metricName, index === undefined ? {} : { GlobalSecondaryIndexName: index }),
      ),
    );
    return sumOf(throttles, "throttled reads and writes");
  }

  #tableMetric(metricName: string, dimensions: Record<string, string> = {}): Metric {
    const dimensionsMap = { TableName: this.#table.tableName, ...dimensions };
    return new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap, statistic: "Sum", period: five });
  }
}
