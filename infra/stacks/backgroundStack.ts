import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { changesCopy, replicaArn } from "../backup/crossRegionBackup.ts";
import { Mail } from "../constructs/mail.ts";
import type { WorkQueue } from "../constructs/workQueue.ts";
import type { Alarms } from "../monitoring/alarms.ts";
import { queueAlarms } from "../monitoring/backgroundAlarms.ts";
import { mailAlarms } from "../monitoring/mailAlarms.ts";
import type { ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
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
  readonly queues: Record<
    "replication" | "retries" | "restorations" | "invitations" | "mail-events" | "webhooks" | "exports" | "statements",
    WorkQueue
  >;

  constructor(scope: Construct, id: string, { stage, data, alarms, ...props }: BackgroundStackProps) {
    super(scope, id, props);
    // Each visibility timeout is longer than the function's timeout, so SQS delivers a message again only after the
    // function has ended.
    const replication = this.#createQueue("Replication", Duration.minutes(16));
    const retries = this.#createQueue("Retry", Duration.minutes(16));
    const restorations = this.#createQueue("Restorations", Duration.minutes(16));
    const invitations = this.#createQueue("Invitations", Duration.minutes(6));
    const mailEvents = this.#createQueue("MailEvents", Duration.minutes(6));
    const webhooks = this.#createQueue("Webhooks", Duration.minutes(6));
    const { recoveryRegion } = stage.aws;
    const exports = this.#createQueue("Exports", Duration.minutes(16));
    const statements = this.#createQueue("Statements", Duration.minutes(16));
    const others = { replication, retries, restorations, invitations, "mail-events": mailEvents, webhooks };
    this.queues = { ...others, exports, statements };
    this.resources = {
      table: data.table,
      documents: data.documents,
      serviceKey: data.serviceKey,
      addressKey: data.addressKey,
      partnerKeys: data.partnerKeys,
      sealingKey: data.sealingKey,
      replicationQueue: replication.queue,
      retryQueue: retries.queue,
      restorationQueue: restorations.queue,
      invitationQueue: invitations.queue,
      mailEventQueue: mailEvents.queue,
      webhookQueue: webhooks.queue,
      exportQueue: exports.queue,
      statementQueue: statements.queue,
      accessLog: data.accessLog,
      mailFrom: stage.settings.mailFrom,
      mailConfigurationSet: new Mail(this, "Mail", stage, mailEvents.queue).configurationSet,
      ...(recoveryRegion &&
        data.dataKey && {
          changes: {
            bucket: changesCopy(stage.name, this.account, recoveryRegion),
            region: recoveryRegion,
            key: replicaArn(this, recoveryRegion, data.dataKey),
          },
        }),
    };
    alarms.add(this, [...queueAlarms(this.queues), ...mailAlarms()]);
    new CfnOutput(this, "ReplicationQueueUrl", { value: replication.queue.queueUrl });
    new CfnOutput(this, "RestorationQueueUrl", { value: restorations.queue.queueUrl });
    new CfnOutput(this, "InvitationQueueUrl", { value: invitations.queue.queueUrl });
    new CfnOutput(this, "WebhookQueueUrl", { value: webhooks.queue.queueUrl });
    new CfnOutput(this, "ExportQueueUrl", { value: exports.queue.queueUrl });
    new CfnOutput(this, "StatementQueueUrl", { value: statements.queue.queueUrl });
    // The operator's command `dead-letters` reads them.
    new CfnOutput(this, "ReplicationDeadLettersUrl", { value: replication.deadLetters.queueUrl });
    new CfnOutput(this, "RetryDeadLettersUrl", { value: retries.deadLetters.queueUrl });
    new CfnOutput(this, "RestorationDeadLettersUrl", { value: restorations.deadLetters.queueUrl });
    new CfnOutput(this, "InvitationDeadLettersUrl", { value: invitations.deadLetters.queueUrl });
    new CfnOutput(this, "MailEventDeadLettersUrl", { value: mailEvents.deadLetters.queueUrl });
    new CfnOutput(this, "WebhookDeadLettersUrl", { value: webhooks.deadLetters.queueUrl });
    new CfnOutput(this, "ExportDeadLettersUrl", { value: exports.deadLetters.queueUrl });
    new CfnOutput(this, "StatementDeadLettersUrl", { value: statements.deadLetters.queueUrl });
  }

  #createQueue(id: string, visibilityTimeout: Duration): WorkQueue {
    const secured = { enforceSSL: true, encryption: QueueEncryption.SQS_MANAGED };
    const deadLetters = new Queue(this, `${id}DeadLetters`, { ...secured, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, `${id}Queue`, {
      ...secured,
      visibilityTimeout,
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });
    return { queue, deadLetters };
  }
}
