import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnEventSourceMapping } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import type { Construct } from "constructs";
import { ifPaused } from "../constructs/paused.ts";
import { apiOutputs, describeReleaseBase, none, workersTemplate } from "../constructs/releaseParameters.ts";
import { ServiceFunction } from "../constructs/serviceFunction.ts";
import { remember } from "../constructs/traffic.ts";
import type { Alarms } from "../monitoring/alarms.ts";
import {
  licenseComparisonAlarm,
  replicationCapacityAlarm,
  scheduleAlarms,
  workerAlarms,
} from "../monitoring/backgroundAlarms.ts";
import { changesAlarm } from "../monitoring/copyAlarms.ts";
import type { ServiceResources } from "../permissions/policy.ts";
import type { DeployedStage } from "../stages/deployedStage.ts";
import type { QueueName } from "../stages/workQueue.ts";
import { type BackgroundFunction, background, backgroundNames, messagesAtOnce } from "./background.ts";

export interface WorkersStackProps extends StackProps {
  stage: DeployedStage;
  resources: ServiceResources;
  alarms: Alarms;
}

/**
 * The functions without a caller: replication, invitations, webhooks, exports, statements, and the removal of objects. A release updates
 * this stack last, after the new version of the API gets all calls.
 */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, { stage, resources, alarms, ...props }: WorkersStackProps) {
    super(scope, id, props);
    const { workers, recoveryRegion } = stage.aws;
    // The feedback about mail has the concurrency of the invitations.
    const concurrency: Record<QueueName, number> = { ...workers, "mail-events": workers.invitations };
    const created = new Map<string, ServiceFunction>();
    for (const name of backgroundNames) {
      if (name === "ChangeExporter" && !recoveryRegion) continue;
      const { handler, size, permissionSets, minutes, queues, batch }: BackgroundFunction = background[name];
      const one = new ServiceFunction(this, name, {
        stage,
        handler,
        size,
        access: { permissionSets, queues, resources },
      });
      created.set(name, one);
      if (minutes !== undefined) this.#schedule(one, Duration.minutes(minutes));
      for (const queue of queues) {
        one.addEventSource(
          new SqsEventSource(resources.queues[queue].queue, {
            batchSize: batch?.messages ?? 1,
            ...(batch?.seconds && { maxBatchingWindow: Duration.seconds(batch.seconds) }),
            maxConcurrency: concurrency[queue],
            reportBatchItemFailures: true,
          }),
        );
      }
      for (const { node } of one.node.findAll()) {
        if (node.defaultChild instanceof CfnEventSourceMapping) node.defaultChild.enabled = ifPaused(this, false, true);
      }
    }
    const find = (name: keyof typeof background) => created.get(name) as ServiceFunction;
    // A DNS lookup without an answer blocks a thread even after the delivery attempt has ended. Node's default is four
    // threads for all lookups.
    find("WebhookDeliverer").addEnvironment("UV_THREADPOOL_SIZE", String(6 * messagesAtOnce));
    // The exporter and the comparer have alarms of their own, which also ring if they fail.
    const watched = backgroundNames.filter((name) => name !== "ChangeExporter" && name !== "LicenseComparer");
    const { queues = [], schedules = [] } = Object.groupBy(watched, (name) =>
      background[name].queues.length > 0 ? "queues" : "schedules",
    );
    alarms.add(this, [
      ...workerAlarms(stage, { queues: queues.map(find), schedules: schedules.map(find) }),
      ...scheduleAlarms(schedules.map(find)),
      licenseComparisonAlarm(find("LicenseComparer")),
      replicationCapacityAlarm(stage, find("ReplicationWorker")),
      ...(recoveryRegion ? [changesAlarm(stage)] : []),
    ]);
    // A rollback reads the template's location from this parameter.
    const template = new CfnParameter(this, workersTemplate, {
      default: none,
      description: "Location of this template, as bucket/key",
    });
    remember(this, template);
    new CfnOutput(this, apiOutputs.base, { value: describeReleaseBase(stage.aws) });
  }

  /** A failed run is not retried, since the schedule soon starts the next run. */
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
      schedule: ScheduleExpression.rate(every),
      target: new LambdaInvoke(scheduled, { retryAttempts: 0, maxEventAge: every, role: role.withoutPolicyUpdates() }),
    });
    scheduled.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: every });
  }
}
