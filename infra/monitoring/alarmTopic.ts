import type { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { suppressNag } from "../constructs/suppressNag.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { StageName } from "../stages/stages.ts";

export interface AlarmTopics {
  /** gets all alarms */
  all: Topic;
  /** gets the alarms that cannot wait for the next working day, for the pager */
  pager: Topic;
}

/** The fixed names of the recovery region's topics: stacks in the stage's own region refer to the topics by name. */
export const recoveryTopicNames = (stage: StageName) => ({
  all: `business-data-${stage}-recovery-alarms`,
  pager: `business-data-${stage}-recovery-pager`,
});

/**
 * Creates the topics for a region's alarms, and subscribes the stage's alarm address to all alarms.
 *
 * @param names fixed names, if another region must know them
 */
export function createAlarmTopics(
  stack: Stack,
  stage: DeployedStage,
  names?: ReturnType<typeof recoveryTopicNames>,
): AlarmTopics {
  const all = createTopic(stack, "Topic", `Business Data Access, ${stage.name}`, names?.all);
  if (stage.aws.alarmEmail) all.addSubscription(new EmailSubscription(stage.aws.alarmEmail));
  return { all, pager: createTopic(stack, "Pager", `Business Data Access, ${stage.name}, pager`, names?.pager) };
}

function createTopic(stack: Stack, id: string, displayName: string, topicName: string | undefined): Topic {
  const topic = new Topic(stack, id, { displayName, enforceSSL: true, ...(topicName !== undefined && { topicName }) });
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
  return topic;
}
