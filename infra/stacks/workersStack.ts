import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnEventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import type { Construct } from "constructs";
import { ifPaused } from "../constructs/paused.ts";
import { apiOutputs, describeReleaseBase, none, workersTemplate } from "../constructs/releaseParameters.ts";
import { batchWindowSeconds, replicationBatch } from "../constructs/replicationBatch.ts";
import { ServiceFunction } from "../constructs/serviceFunction.ts";
import { remember } from "../constructs/traffic.ts";
import type { WorkQueue } from "../constructs/workQueue.ts";
import type { Alarms } from "../monitoring/alarms.ts";
import { licenseComparisonAlarm, replicationCapacityAlarm, workerAlarms } from "../monitoring/backgroundAlarms.ts";
import { changesAlarm } from "../monitoring/copyAlarms.ts";
import type { ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import { background, messagesAtOnce } from "./background.ts";
import type { BackgroundStack } from "./backgroundStack.ts";

export interface WorkersStackProps extends StackProps {
  stage: DeployedStage;
  background: BackgroundStack;
  alarms: Alarms;
}

/**
 * The functions without a caller: replication, invitations, webhooks, exports, statements, and the removal of objects. A release updates
 * this stack last, after the new version of the API gets all calls.
 */
export class WorkersStack extends Stack {
  readonly #workers = new Set<ServiceFunction>();
  readonly #scheduled = new Set<ServiceFunction>();
  readonly #stage: DeployedStage;
  readonly #resources: ServiceResources;

  constructor(scope: Construct, id: string, { stage, background, alarms, ...props }: WorkersStackProps) {
    super(scope, id, props);
    this.#stage = stage;
    this.#resources = background.resources;
    const {
      replication,
      retries,
      restorations,
      invitations,
      "mail-events": mailEvents,
      webhooks,
      exports,
      statements,
    } = background.queues;
    const { workers } = stage.aws;
    const worker = this.#createFunction("ReplicationWorker");
    this.#processMessage(worker, replication, workers.replication, replicationBatch.messages, batchWindowSeconds);
    this.#processMessage(worker, retries, workers.retries, replicationBatch.messages, batchWindowSeconds);
    this.#processMessage(this.#createFunction("RestorationWorker"), restorations, workers.restorations);
    this.#schedule(this.#createFunction("ReplicationPlanner"), Duration.minutes(1));
    this.#processMessage(this.#createFunction("InvitationSender"), invitations, workers.invitations);
    this.#processMessage(this.#createFunction("InvitationFeedback"), mailEvents, workers.invitations);
    this.#schedule(this.#createFunction("InvitationSweeper"), Duration.minutes(5));
    this.#schedule(this.#createFunction("DocumentSweeper"), Duration.minutes(15));
    this.#schedule(this.#createFunction("DepositSweeper"), Duration.minutes(15));
    this.#schedule(this.#createFunction("InsightSweeper"), Duration.minutes(15));
    this.#schedule(this.#createFunction("OverviewSweeper"), Duration.minutes(15));
    this.#schedule(this.#createFunction("StateSweeper"), Duration.minutes(15));
    const exporter = stage.aws.recoveryRegion ? this.#createFunction("ChangeExporter") : undefined;
    if (exporter) this.#schedule(exporter, Duration.minutes(15));
    const comparer = this.#createFunction("LicenseComparer");
    this.#schedule(comparer, Duration.hours(1));
    const deliverer = this.#createFunction("WebhookDeliverer");
    // A DNS lookup without an answer blocks a thread even after the delivery attempt has ended. Node's default is four
    // threads for all lookups.
    deliverer.addEnvironment("UV_THREADPOOL_SIZE", String(6 * messagesAtOnce));
    this.#processMessage(deliverer, webhooks, workers.webhooks, messagesAtOnce);
    this.#schedule(this.#createFunction("WebhookSweeper"), Duration.minutes(1));
    this.#processMessage(this.#createFunction("ExportWorker"), exports, workers.exports);
    this.#processMessage(this.#createFunction("StatementWorker"), statements, workers.statements);
    this.#schedule(this.#createFunction("ExportSweeper"), Duration.minutes(5));
    // The exporter and the comparer have alarms of their own, which also ring if they fail.
    const schedules = [...this.#scheduled].filter((each) => each !== exporter && each !== comparer);
    alarms.add(this, [
      ...workerAlarms(stage, { queues: [...this.#workers], schedules }),
      licenseComparisonAlarm(comparer),
      replicationCapacityAlarm(stage, worker),
      ...(exporter ? [changesAlarm(stage)] : []),
    ]);
    // A rollback reads the template's location from this parameter.
    const template = new CfnParameter(this, workersTemplate, {
      default: none,
      description: "Location of this template, as bucket/key",
    });
    remember(this, template);
    new CfnOutput(this, apiOutputs.base, { value: describeReleaseBase(stage.aws) });
  }

  #createFunction(id: keyof typeof background): ServiceFunction {
    const { handler, size, permissionSets } = background[id];
    const access = { permissionSets, resources: this.#resources };
    return new ServiceFunction(this, id, { stage: this.#stage, handler, size, access });
  }

  /**
   * @param batchSize the messages that one invocation handles in parallel
   * @param windowSeconds how long Lambda collects messages for a batch
   */
  #processMessage(
    worker: ServiceFunction,
    { queue }: WorkQueue,
    maxConcurrency: number,
    batchSize = 1,
    windowSeconds = 0,
  ): void {
    this.#workers.add(worker);
    worker.addEventSource(
      new SqsEventSource(queue, {
        batchSize,
        ...(windowSeconds > 0 && { maxBatchingWindow: Duration.seconds(windowSeconds) }),
        maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    for (const { node } of worker.node.findAll()) {
      if (node.defaultChild instanceof CfnEventSourceMapping) node.defaultChild.enabled = ifPaused(this, false, true);
    }
  }

  /** A failed run is not retried, since the schedule soon starts the next run. */
  #schedule(scheduled: ServiceFunction, every: Duration): void {
    this.#scheduled.add(scheduled);
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
