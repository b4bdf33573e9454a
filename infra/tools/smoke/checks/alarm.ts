import { randomUUID } from "node:crypto";
import { CloudWatchClient, DescribeAlarmsCommand, SetAlarmStateCommand } from "@aws-sdk/client-cloudwatch";
import { paginateListSubscriptionsByTopic, SNSClient, SubscribeCommand, UnsubscribeCommand } from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  paginateListQueues,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { until } from "../business.ts";
import type { Check, Tried } from "../trial.ts";

interface Clients {
  cloudWatch: CloudWatchClient;
  sns: SNSClient;
  sqs: SQSClient;
}

/** Raises an alarm manually and expects a message to the topic's subscribers. */
export const alarm: Check = {
  name: "an alarm",
  page: "docs/operations/alarms.md",
  skipReason: ({ target }) => (target.local ? "a local stage has no alarms" : undefined),
  async run(trial) {
    const { stage } = trial.tried;
    const topic = process.env.ALARM_TOPIC;
    if (!topic) throw new Error(`ALARM_TOPIC is not set: .deployed/${stage}.env has it`);
    const clients = { cloudWatch: new CloudWatchClient({}), sns: new SNSClient({}), sqs: new SQSClient({}) };
    await removeListeners(clients, stage, topic);
    try {
      const queue = await listen(clients, stage, topic);
      const name = await quietAlarm(clients, stage);
      await set(clients, name, "ALARM");
      try {
        const isNotified = (texts: readonly string[]) =>
          texts.some((text) => text.includes(name) && text.includes("ALARM"));
        const heard = await until(trial.tried, 120, () => hear(clients, queue), isNotified);
        trial.holds(
          `the notification when ${name} is raised`,
          "a message that names the alarm",
          isNotified(heard),
          heard[0] ?? "nothing",
        );
      } finally {
        await set(clients, name, "OK");
      }
    } finally {
      await removeListeners(clients, stage, topic);
    }
  },
};

const prefixOf = (stage: Tried["stage"]): string => `business-data-${stage}-smoke-`;

/** An alarm of the stage that is not in the state ALARM, since only a change of state sends a message. */
async function quietAlarm({ cloudWatch }: Clients, stage: Tried["stage"]): Promise<string> {
  const command = new DescribeAlarmsCommand({ AlarmNamePrefix: `business-data-${stage}-`, MaxRecords: 100 });
  const { MetricAlarms = [] } = await cloudWatch.send(command);
  const quiet = MetricAlarms.find(({ StateValue }) => StateValue !== "ALARM")?.AlarmName;
  if (!quiet) throw new Error(`none of the stage's ${MetricAlarms.length} alarms is in the state OK`);
  return quiet;
}

async function set({ cloudWatch }: Clients, AlarmName: string, StateValue: "ALARM" | "OK"): Promise<void> {
  const StateReason = "npm run smoke raises this alarm as a test and resets it: you need to do nothing.";
  await cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason }));
}

/** Creates a queue that receives the topic's messages. */
async function listen({ sns, sqs }: Clients, stage: Tried["stage"], topic: string): Promise<string> {
  const QueueName = prefixOf(stage) + randomUUID();
  const arn = topic.replace(/^(arn:[^:]+):sns:([^:]+:[^:]+):.*$/, `$1:sqs:$2:${QueueName}`);
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: "sns.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: arn,
        Condition: { ArnEquals: { "aws:SourceArn": topic } },
      },
    ],
  });
  const { QueueUrl = "" } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { Policy } }));
  await sns.send(new SubscribeCommand({ TopicArn: topic, Protocol: "sqs", Endpoint: arn }));
  return QueueUrl;
}

async function hear({ sqs }: Clients, QueueUrl: string): Promise<string[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 2 }),
  );
  return Messages.map(({ Body = "" }) => Body);
}

/** Removes the queues and subscriptions of this and of killed runs. */
async function removeListeners({ sns, sqs }: Clients, stage: Tried["stage"], topic: string): Promise<void> {
  for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client: sns }, { TopicArn: topic })) {
    for (const { Endpoint, SubscriptionArn } of Subscriptions) {
      if (Endpoint?.includes(`:${prefixOf(stage)}`)) await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
    }
  }
  const named = { QueueNamePrefix: prefixOf(stage), MaxResults: 1_000 };
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqs }, named)) {
    for (const QueueUrl of QueueUrls) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  }
}
