import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CloudFormationClient,
  CreateStackCommand,
  UpdateStackCommand,
  waitUntilStackCreateComplete,
  waitUntilStackUpdateComplete,
} from "@aws-sdk/client-cloudformation";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import {
  App,
  CfnOutput,
  CfnParameter,
  DefaultStackSynthesizer,
  Duration,
  type IStackSynthesizer,
  Stack,
} from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { Alarm, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { AttributeType, BillingMode, Table } from "aws-cdk-lib/aws-dynamodb";
import { CfnEventSourceMapping, Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { inject } from "vitest";
import { Gateway } from "../../../infra/constructs/gateway.ts";
import { grantPresigning } from "../../../infra/constructs/linkRoles.ts";
import { ifPaused } from "../../../infra/constructs/paused.ts";
import {
  apiOutputs,
  describeReleaseBase,
  none,
  pausedParameter,
  releaseAlarm,
  workersTemplate,
} from "../../../infra/constructs/releaseParameters.ts";
import { ServiceFunction } from "../../../infra/constructs/serviceFunction.ts";
import { remember } from "../../../infra/constructs/traffic.ts";
import type { PlannedRelease } from "../../../infra/deploy/plannedDeployment.ts";
import { findOwnTable } from "../../../infra/deploy/release/stageResources.ts";
import { alarmName } from "../../../infra/monitoring/alarmName.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { stackName } from "../../../infra/stages/stackName.ts";
import { type AwsSettings, type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { tableKeys } from "../../../shared/store/schema.ts";
import { account } from "../deployed/template.ts";

/** The handler of a function that signs links. */
export const signing = "signing";

/** The bucket of the workers' templates. */
const bucket = "small-stage-assets";

/** A stack that needs no bootstrapped account. */
function newStack(id: string): Stack {
  const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  return new Stack(new App(), id, { synthesizer: synthesizer as IStackSynthesizer });
}

/** Adds a function that takes messages from a queue, unless the stage is paused. */
function addConsumer(stack: Stack): void {
  const consumer = new LambdaFunction(stack, "Consumer", {
    description: "functions/consumer.ts",
    runtime: Runtime.NODEJS_LATEST,
    handler: "index.handler",
    code: Code.fromInline("exports.handler = async () => ({});"),
    environment: { STAGE: "sandbox" },
  });
  const queue = new Queue(stack, "Queue", { visibilityTimeout: Duration.minutes(1) });
  queue.grantConsumeMessages(consumer);
  new CfnEventSourceMapping(stack, "Mapping", {
    functionName: consumer.functionName,
    eventSourceArn: queue.queueArn,
    enabled: ifPaused(stack, false, true),
  });
}

/** A stage with an API of a few functions, a table, and workers without resources: it deploys within seconds. */
export class SmallStage {
  readonly #cloudFormation = new CloudFormationClient({});
  readonly #s3 = new S3Client({ forcePathStyle: true });
  readonly #directory = mkdtempSync(join(inject("temporaryDirectory"), "small-"));
  #made = 0;

  /** Creates the stack with the stage's table. @returns the name of the table */
  async prepare(): Promise<string> {
    await this.#s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const stack = newStack("Data");
    new Table(stack, "Table", {
      partitionKey: { name: tableKeys.hash, type: AttributeType.STRING },
      sortKey: { name: tableKeys.range, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
    await this.#deploy("data", JSON.stringify(Synthesized.fromStack(stack).toJSON()), {});
    return findOwnTable("sandbox", "us-east-1");
  }

  /**
   * A release with a function for each of these handlers.
   *
   * @param workers distinguishes its workers from others
   * @param minutes the time that its canary is watched
   * @param more further settings
   * @param hasQueue whether its workers have a function that takes messages from a queue
   */
  async plan(
    handlers: readonly string[],
    workers: string,
    region: string,
    minutes = 0.02,
    more: Partial<AwsSettings> = {},
    hasQueue = false,
  ): Promise<PlannedRelease> {
    const { aws, ...others } = stages.sandbox;
    const settings: StageSettings = { ...others, aws: { ...aws, canary: { percent: 10, minutes }, ...more } };
    const directory = join(this.#directory, String(this.#made++));
    const api = this.#apiTemplate(handlers, { name: "sandbox", settings, bundles: directory, release: "1.0.0" });
    const ofWorkers = this.#workersTemplate(workers, more, hasQueue);
    const key = `${workers}.json`;
    await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: ofWorkers }));
    const artifacts = { Workers: { properties: { stackTemplateAssetObjectUrl: `s3://${bucket}/${key}` } } };
    writeFileSync(join(directory, "manifest.json"), JSON.stringify({ artifacts }));
    return {
      stage: "sandbox",
      settings,
      account,
      region,
      accountConcurrency: undefined,
      directory,
      atOnce: false,
      paused: false,
      deployStacks: async ([id = ""], parameters = {}) => {
        if (id === "Api") await this.#deploy("api", api, parameters);
        if (id === "Workers") await this.#deploy("workers", ofWorkers, parameters);
      },
    };
  }

  #apiTemplate(handlers: readonly string[], stage: Omit<DeployedStage, "aws">): string {
    const stack = newStack("Api");
    const aws = stage.settings.aws as DeployedStage["aws"];
    const gateway = new Gateway(stack, "Api", { ...stage, aws });
    for (const handler of handlers) {
      const folder = join(stage.bundles, handler);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "index.mjs"), `// ${handler}`);
      const made = new ServiceFunction(stack, handler, { stage: { ...stage, aws }, handler, size: "record" });
      // One of them signs links, with a role of its own.
      if (handler === signing) grantPresigning(made, ["documents:sign"], new Bucket(stack, "Documents"));
      gateway.routeToFunction(made, [{ method: "GET", path: `/${handler}` }]);
    }
    new Alarm(stack, "Alarm", {
      alarmName: alarmName(stage.name, releaseAlarm),
      metric: new Metric({ namespace: "None", metricName: "None" }),
      threshold: 1,
      evaluationPeriods: 1,
    });
    const template = Synthesized.fromStack(stack).toJSON();
    for (const { Type, Properties } of Object.values<{
      Type: string;
      Properties: { Code: object; Description?: string };
    }>(template.Resources)) {
      if (Type !== "AWS::Lambda::Function") continue;
      const isBroken = Properties.Description === "functions/broken.ts";
      const body = isBroken ? 'throw new Error("broken");' : "return {};";
      Properties.Code = { ZipFile: `exports.handler = async () => { ${body} };` };
    }
    return JSON.stringify(template);
  }

  #workersTemplate(workers: string, aws: Partial<AwsSettings>, hasQueue: boolean): string {
    const stack = newStack("Workers");
    remember(stack, new CfnParameter(stack, workersTemplate, { default: none }));
    remember(stack, new CfnParameter(stack, "Code", { default: workers }));
    if (hasQueue) addConsumer(stack);
    else new CfnParameter(stack, pausedParameter, { default: "no" });
    remember(stack, stack.node.findChild(pausedParameter) as CfnParameter);
    new CfnOutput(stack, apiOutputs.base, { value: describeReleaseBase(aws) });
    return JSON.stringify(Synthesized.fromStack(stack).toJSON());
  }

  async #deploy(
    part: "data" | "api" | "workers",
    body: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<void> {
    const StackName = stackName("sandbox", part);
    const Key = `${part}-${this.#made}.json`;
    await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: body }));
    const what = {
      StackName,
      TemplateURL: `https://s3.us-east-1.amazonaws.com/${bucket}/${Key}`,
      Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      })),
      Capabilities: ["CAPABILITY_IAM" as const],
    };
    const retryOptions = { client: this.#cloudFormation, maxWaitTime: 120, minDelay: 1, maxDelay: 2 };
    try {
      await this.#cloudFormation.send(new UpdateStackCommand(what));
      await waitUntilStackUpdateComplete(retryOptions, { StackName });
    } catch (error) {
      const { message } = error as Error;
      if (/No updates are to be performed/.test(message)) return;
      if (!/does not exist/.test(message)) throw error;
      await this.#cloudFormation.send(new CreateStackCommand(what));
      await waitUntilStackCreateComplete(retryOptions, { StackName });
    }
  }

  destroy(): void {
    this.#cloudFormation.destroy();
    this.#s3.destroy();
  }
}
