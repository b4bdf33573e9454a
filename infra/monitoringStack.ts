import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, Dashboard, GraphWidget, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { type Alarmed, alarmsOf, shownOf, type Watched } from "./monitoring.ts";

export interface MonitoringStackProps extends StackProps {
  stage: DeployedStage;
  watched: Watched;
}

/** Tells an operator what needs one: alarms to a topic, and a dashboard that shows what they are about. */
export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, { stage, watched, ...props }: MonitoringStackProps) {
    super(scope, id, props);
    const topic = new Topic(this, "Topic", {
      displayName: `Business Data Access, ${stage.name}`,
      enforceSSL: true,
    });
    acknowledge(topic, { "AwsSolutions-SNS2": "Alarms name metrics and say what to do; nothing in them is secret." });
    if (stage.aws.alarmEmail) topic.addSubscription(new EmailSubscription(stage.aws.alarmEmail));
    const action = new SnsAction(topic);
    const alarmed = alarmsOf(stage, watched);
    for (const each of alarmed) {
      const alarm = this.#createAlarm(stage, each);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    const widgets = [
      ...alarmed.map(
        ({ name, metric, threshold }) =>
          new GraphWidget({ title: name, left: [metric], leftAnnotations: [{ value: threshold }], width: 8 }),
      ),
      ...shownOf(stage, watched).map(({ title, metrics }) => new GraphWidget({ title, left: [...metrics], width: 8 })),
    ];
    const dashboard = new Dashboard(this, "Dashboard", { dashboardName: `business-data-${stage.name}` });
    for (let i = 0; i < widgets.length; i += 3) dashboard.addWidgets(...widgets.slice(i, i + 3));
    new CfnOutput(this, "AlarmTopic", { value: topic.topicArn });
  }

  #createAlarm(stage: DeployedStage, { name, metric, threshold, periods, todo, silent }: Alarmed): Alarm {
    return new Alarm(this, name, {
      alarmName: `business-data-${stage.name}-${name}`,
      alarmDescription: `${todo} See "${name}" in docs/operations.md.`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: silent
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: silent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
  }
}
