import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Alarms } from "./alarms.ts";
import { background, messagesAtOnce } from "./background.ts";
import { backgroundAlarms, type WorkQueue } from "./backgroundAlarms.ts";
import type { DataStack } from "./dataStack.ts";
import type { DeployedStage } from "./deployedStage.ts";
import { Mail } from "./mail.ts";
import type { ServiceResources } from "./policy.ts";
import { ServiceFunction } from "./serviceFunction.ts";

export interface BackgroundStackProps extends StackProps {
  stage: DeployedStage;
  data: DataStack;
  alarms: Alarms;
}

/** What happens without a caller: replication, invitations, webhooks, and the removal of objects. */
export class BackgroundStack extends Stack {
  readonly resources: ServiceResources;
  readonly #functions: ServiceFunction[] = [];
  readonly #stage: DeployedStage;

  constructor(scope: Construct, id: string, { stage, data, alarms, ...props }: BackgroundStackProps) {
    super(scope, id, props);
    this.#stage = stage;
    const { workers, reservedConcurrency } = stage.aws;
    // A message is received again once its function can no longer be at it.
    const replication = this.#createQueue("Replication", Duration.minutes(16));
    const invitations = this.#createQueue("Invitations", Duration.minutes(6));
    const mailEvents = this.#createQueue("MailEvents", Duration.minutes(6));
    const webhooks = this.#createQueue("Webhooks", Duration.minutes(6));
    this.resources = {
      table: data.table,
      documents: data.documents,
      serviceKey: data.serviceKey,
      partnerKeys: data.partnerKeys,
      sealingKey: data.sealingKey,
      replicationQueue: replication.queue,
      invitationQueue: invitations.queue,
      mailEventQueue: mailEvents.queue,
      webhookQueue: webhooks.queue,
      mailFrom: stage.settings.mailFrom,
      mailConfigurationSet: new Mail(this, "Mail", stage, mailEvents.queue).configurationSet,
    };

    const worker = this.#createFunction("ReplicationWorker", reservedConcurrency.replication);
    this.#workOff(worker, replication, workers.replication);
    this.#schedule(this.#createFunction("ReplicationPlanner"), Duration.minutes(1));
    this.#workOff(this.#createFunction("InvitationSender"), invitations, workers.invitations);
    this.#workOff(this.#createFunction("InvitationFeedback"), mailEvents, workers.invitations);
    this.#schedule(this.#createFunction("InvitationSweeper"), Duration.minutes(5));
    this.#schedule(this.#createFunction("DocumentSweeper"), Duration.minutes(15));
    const deliverer = this.#createFunction("WebhookDeliverer", reservedConcurrency.webhooks);
    this.#workOff(deliverer, webhooks, workers.webhooks, messagesAtOnce);
    this.#schedule(this.#createFunction("WebhookSweeper"), Duration.minutes(1));

    alarms.add(
      this,
      backgroundAlarms(stage, { replication, invitations, "mail-events": mailEvents, webhooks }, this.#functions),
    );
    new CfnOutput(this, "ReplicationQueueUrl", { value: replication.queue.queueUrl });
    new CfnOutput(this, "InvitationQueueUrl", { value: invitations.queue.queueUrl });
    new CfnOutput(this, "WebhookQueueUrl", { value: webhooks.queue.queueUrl });
  }

  #createFunction(id: keyof typeof background, reserved?: number): ServiceFunction {
    const { handler, size, capabilities } = background[id];
    const access = { capabilities, resources: this.resources };
    const created = new ServiceFunction(this, id, {
      stage: this.#stage,
      handler,
      size,
      access,
      traced: false,
      reserved,
    });
    this.#functions.push(created);
    return created;
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

  /** @param batchSize how many messages are worked off side by side; one where a run takes as long as it takes */
  #workOff(worker: ServiceFunction, { queue }: WorkQueue, maxConcurrency: number, batchSize = 1): void {
    worker.addEventSource(
      new SqsEventSource(queue, {
        batchSize,
        maxConcurrency,
        reportBatchItemFailures: true,
        enabled: !this.#stage.aws.paused,
      }),
    );
  }

  /** What comes by the clock comes again soon, so that one that failed is not repeated. */
  #schedule(scheduled: ServiceFunction, every: Duration): void {
    const role = new Role(this, `${scheduled.node.id}Clock`, {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [scheduled.functionArn] })],
        }),
      },
    });
    new Schedule(this, `${scheduled.node.id}Schedule`, {
      description: scheduled.node.id,
      enabled: !this.#stage.aws.paused,
      schedule: ScheduleExpression.rate(every),
      target: new LambdaInvoke(scheduled, {
        retryAttempts: 0,
        maxEventAge: every,
        role: role.withoutPolicyUpdates(),
      }),
    });
    scheduled.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: every });
  }
}
