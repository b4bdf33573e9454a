import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { changesCopy, replicaArn } from "../backup/crossRegionBackup.ts";
import { Mail } from "../constructs/mail.ts";
import { constructId } from "../constructs/serviceFunction.ts";
import type { Alarms } from "../monitoring/alarms.ts";
import { mailAlarms, queueAlarms } from "../monitoring/backgroundAlarms.ts";
import type { ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { type QueueName, type WorkQueue, type WorkQueues, workQueues } from "../stages/workQueue.ts";
import type { DataStack } from "./dataStack.ts";

export interface BackgroundStackProps extends StackProps {
  stage: DeployedStage;
  data: DataStack;
  alarms: Alarms;
}

/**
 * The queues and the mail setup between the API and the workers. A release updates this stack before the API and the
 * workers.
 */
export class BackgroundStack extends Stack {
  readonly resources: ServiceResources;

  constructor(scope: Construct, id: string, { stage, data, alarms, ...props }: BackgroundStackProps) {
    super(scope, id, props);
    const names = Object.keys(workQueues) as QueueName[];
    const queues = Object.fromEntries(names.map((name) => [name, this.#createQueue(name)])) as unknown as WorkQueues;
    const { recoveryRegion } = stage.aws;
    const { table, documents, serviceKey, addressKey, partnerKeys, sealingKey, accessLog } = data;
    this.resources = {
      ...{ table, documents, serviceKey, addressKey, partnerKeys, sealingKey, accessLog, queues },
      mailFrom: stage.settings.mailFrom,
      mailConfigurationSet: new Mail(this, "Mail", stage, queues["mail-events"].queue).configurationSet,
      ...(recoveryRegion &&
        data.dataKey && {
          changes: {
            bucket: changesCopy(stage.name, this.account, recoveryRegion),
            region: recoveryRegion,
            key: replicaArn(this, recoveryRegion, data.dataKey),
          },
        }),
    };
    alarms.add(this, [...queueAlarms(queues), ...mailAlarms()]);
  }

  /** Creates a queue and its dead-letter queue, with outputs for the operator's program. */
  #createQueue(name: QueueName): WorkQueue {
    const { id, one, minutes } = workQueues[name];
    const secured = { enforceSSL: true, encryption: QueueEncryption.SQS_MANAGED };
    const deadLetters = new Queue(this, `${id}DeadLetters`, { ...secured, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, `${id}Queue`, {
      ...secured,
      visibilityTimeout: Duration.minutes(minutes),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });
    const output = constructId(one);
    // The operator's program sends to the other queues.
    if (name !== "retries" && name !== "mail-events")
      new CfnOutput(this, `${output}QueueUrl`, { value: queue.queueUrl });
    new CfnOutput(this, `${output}DeadLettersUrl`, { value: deadLetters.queueUrl });
    return { queue, deadLetters };
  }
}
