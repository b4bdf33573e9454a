import { ArnFormat, CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import {
  Alarm,
  AlarmWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import { tableIndexes } from "../shared/table/schema.ts";
import { acknowledge } from "./acknowledge.ts";
import { type Alarmed, Alarms, alarmName, five, replicationMetric, sumOf } from "./alarms.ts";
import type { DeployedStage } from "./deployedStage.ts";

export interface MonitoringStackProps extends StackProps {
  stage: DeployedStage;
  table: ITable;
  /** How many functions the account may run at once in this region; what the stage needs, where nobody has asked AWS. */
  accountConcurrency: number;
}

/**
 * Tells an operator what needs one: the topic of all alarms, those about the table and the account, and a dashboard. The
 * stacks of what is watched come later and have their own alarms; by these the dashboard shows them, for it knows how
 * alarms are named.
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
    new CfnOutput(this, "AlarmTopic", { value: topic.topicArn });
  }

  /** Adds the dashboard, which shows all alarms that there are by now. */
  addDashboard(): void {
    const widgets = [
      ...this.alarms.names.map((name) => {
        const resourceName = alarmName(this.#stage, name);
        const alarmArn = this.formatArn({
          service: "cloudwatch",
          resource: "alarm",
          resourceName,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        });
        return new AlarmWidget({ title: name, alarm: Alarm.fromAlarmArn(this, `Shown-${name}`, alarmArn), width: 8 });
      }),
      ...this.#shown().map(([title, metrics]) => new GraphWidget({ title, left: [...metrics], width: 8 })),
    ];
    const dashboard = new Dashboard(this, "Dashboard", { dashboardName: `business-data-${this.#stage.name}` });
    for (let i = 0; i < widgets.length; i += 3) dashboard.addWidgets(...widgets.slice(i, i + 3));
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
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
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

  /** What the dashboard shows beside the alarms. */
  #shown(): [title: string, metrics: readonly IMetric[]][] {
    const { name } = this.#stage;
    const calls = (metricName: string) =>
      new Metric({
        namespace: "AWS/ApiGateway",
        metricName,
        dimensionsMap: { ApiName: `business-data-${name}` },
        statistic: "Sum",
        period: five,
      });
    const replication = (key: Parameters<typeof replicationMetric>[1]) => replicationMetric(this.#stage, key, "Sum");
    // CloudFormation names the queues, by their stack.
    const queues = new MathExpression({
      expression: `SEARCH('{AWS/SQS,QueueName} MetricName="ApproximateNumberOfMessagesVisible" business data ${name} background', 'Maximum', 300)`,
      usingMetrics: {},
      label: "",
      period: five,
    });
    return [
      ["calls", ["Count", "4XXError", "5XXError"].map(calls)],
      [
        "units of the table",
        ["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"].map((each) => this.#tableMetric(each)),
      ],
      ["messages that wait", [queues]],
      ["records of POS systems", [replication("written"), replication("rejected")]],
      ["POS systems that cannot be read", [replication("posUnreachable"), replication("posLimited")]],
    ];
  }
}
