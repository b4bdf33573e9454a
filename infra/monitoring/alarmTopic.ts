import type { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { suppressNag } from "../constructs/suppressNag.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";

/** The topic of the alarms that only the other region of a stage can have, by its name: the stage's own region asks for it. */
export const recoveryTopicName = (stage: StageName): string => `business-data-${stage}-recovery-alarms`;

/**
 * Where the alarms of a region go, with the address that the stage names as the first to be told.
 *
 * @param topicName a name of its own, where another region has to know it
 */
export function createAlarmTopic(stack: Stack, stage: DeployedStage, topicName?: string): Topic {
  const topic = new Topic(stack, "Topic", {
    displayName: `Business Data Access, ${stage.name}`,
    enforceSSL: true,
    ...(topicName !== undefined && { topicName }),
  });
  // A policy replaces the one that a topic has by default, by which alarms of the account may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: "Alarms",
      principals: ["cloudwatch", "budgets", "costalerts"].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  suppressNag(topic, { "AwsSolutions-SNS2": "Alarms name metrics and say what to do; nothing in them is secret." });
  if (stage.aws.alarmEmail) topic.addSubscription(new EmailSubscription(stage.aws.alarmEmail));
  return topic;
}
