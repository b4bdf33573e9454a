import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { tableIndexes } from "../../shared/store/schema.ts";
import { accessLogErrors, accessLogStream } from "../constructs/accessLogDelivery.ts";
import { concurrencyThreshold, concurrencyThresholdOf } from "../constructs/releaseParameters.ts";
import { type AlarmDefinition, Alarms, five, sumOf } from "../monitoring/alarms.ts";
import { createAlarmTopics, recoveryTopicNames } from "../monitoring/alarmTopic.ts";
import { copyAlarms, journalOf } from "../monitoring/copyAlarms.ts";
import { watchSpend } from "../monitoring/costAlarms.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";

export interface MonitoringStackProps extends StackProps {
  stage: DeployedStage;
  table: ITable;
  documents: Bucket;
}

/**
 * Alarms for the operator: the topic of all alarms, the alarms on the table, its copies and the account, and the
 * budget. Later stacks have their own alarms.
 */
export class MonitoringStack extends Stack {
  readonly alarms: Alarms;
  readonly #table: ITable;
  readonly #stage: StageName;

  constructor(scope: Construct, id: string, { stage, table, documents, ...props }: MonitoringStackProps) {
    super(scope, id, props);
    this.#table = table;
    this.#stage = stage.name;
    const topics = createAlarmTopics(this, stage);
    this.alarms = new Alarms(stage, topics);
    // `npm run deploy` gives the value for the account. Templates are the same for every account.
    const threshold = new CfnParameter(this, concurrencyThreshold, {
      type: "Number",
      description: "The concurrency in use at which the alarm account-concurrency rings",
      default: concurrencyThresholdOf(stage.aws.accountConcurrency),
    });
    this.alarms.add(this, this.#ownAlarms(threshold.valueAsNumber));
    const { recoveryRegion } = stage.aws;
    if (recoveryRegion) {
      this.alarms.add(this, copyAlarms(stage.name, journalOf(stage.name, documents.bucketName, this, recoveryRegion)));
      const { all, pager } = recoveryTopicNames(stage.name);
      const arnOf = (resource: string) => this.formatArn({ service: "sns", region: recoveryRegion, resource });
      new CfnOutput(this, "RecoveryAlarmTopic", { value: arnOf(all) });
      new CfnOutput(this, "RecoveryPagerTopic", { value: arnOf(pager) });
    }
    if (stage.aws.monthlyBudget) watchSpend(this, stage, stage.aws.monthlyBudget, topics.all);
    new CfnOutput(this, "AlarmTopic", { value: topics.all.topicArn });
    new CfnOutput(this, "PagerTopic", { value: topics.pager.topicArn });
  }

  #ownAlarms(maxConcurrency: number): AlarmDefinition[] {
    return [
      {
        name: "table-throttles",
        metric: this.#tableThrottles(),
        threshold: 100,
        periods: 2,
        todo: "DynamoDB throttles the table. Find the index and the caller with the load, and have the caller slow down.",
      },
      {
        name: "access-log-late",
        metric: new Metric({
          namespace: "AWS/Firehose",
          metricName: "DeliveryToS3.DataFreshness",
          dimensionsMap: { DeliveryStreamName: accessLogStream(this.#stage) },
          statistic: "Maximum",
          period: five,
        }),
        threshold: Duration.hours(1).toSeconds(),
        periods: 3,
        todo: "Lines of the access log have waited for an hour; Firehose drops them after a day. Find its error in its log group.",
      },
      {
        name: "access-log-failed",
        metric: accessLogErrors(this.#stage, { period: Duration.hours(1) }),
        canWait: true,
        todo: "Firehose could not process or deliver lines of the access log. Find its error in its log group, and the lines below failed/.",
      },
      {
        name: "account-concurrency",
        // The concurrency that all functions in the region use or reserve, including functions of other stages:
        // unreserved use plus all reservations. Only the rest of the account's limit is free.
        metric: new Metric({
          namespace: "AWS/Lambda",
          metricName: "ClaimedAccountConcurrency",
          statistic: "Maximum",
          period: five,
        }),
        threshold: maxConcurrency,
        periods: 2,
        todo: "The account has used 80 % of its concurrency limit. Find the function with the load, or request a higher limit.",
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
