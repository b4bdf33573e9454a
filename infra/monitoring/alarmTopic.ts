import type { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { suppressNag } from "../constructs/suppressNag.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";

/** The fixed name of the recovery region's alarm topic: stacks in the stage's own region refer to the topic by name. */
export const recoveryTopicName = (stage: StageName): string => `business-data-${stage}-recovery-alarms`;

/**
 * Creates the topic for a region's alarms, and subscribes the stage's alarm address.
 *
 * @param topicName a fixed name, if another region must know it
 */
export function createAlarmTopic(stack: Stack, stage: DeployedStage, topicName?: string): Topic {
  const topic = new Topic(stack, "Topic", {
    displayName: `Business Data Access, ${stage.name}`,
    enforceSSL: true,
    ...(topicName !== undefined && { topicName }),
  });
  // A topic policy replaces the default policy, which would let the account's alarms publish.
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
