import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { openDataDirectory } from "../../../infra/local/dataDirectory.ts";
import { startEngine } from "../../../infra/local/engine.ts";
import { engineAccess, filesIn, tableName } from "../../../infra/local/environment.ts";
import { close, listen, portOf } from "../../../infra/local/listen.ts";
import { startMailbox } from "../../../infra/local/mailbox.ts";
import { demoMetrcAccess } from "../../../infra/local/metrc/demoMetrcAccess.ts";
import { MetrcFacility } from "../../../infra/local/metrc/metrcFacility.ts";
import { startMetrc } from "../../../infra/local/metrc/startMetrc.ts";
import { createQueueServer } from "../../../infra/local/queueServer.ts";
import type { Stage } from "../../../infra/local/stage.ts";
import { metrcTestEndpointVariable } from "../../../shared/pos/testEndpoints.ts";
import { Table } from "../../../shared/store/client.ts";
import { Deployment } from "./deployment.ts";
import { Functions } from "./functions.ts";
import { createDeployedGateway } from "./gateway.ts";
import { createObjectProxy } from "./objectProxy.ts";
import { Principals } from "./principals.ts";
import { createSecretServices } from "./secretServices.ts";
import { createTableProxy } from "./tableProxy.ts";
import { synthesized } from "./template.ts";

/** Environment variables that differ from the template, with reasons. @param metrcUrl the simulated Metrc of the demo */
const instead = (metrcUrl: string) => ({
  // Indexes of the local engines never lag, and the tests read what they have just changed.
  ETAG_SETTLE_SECONDS: "0",
  // A sandbox reads no state system unless its operator names a test endpoint and a key for it.
  [metrcTestEndpointVariable]: metrcUrl,
  METRC_VENDOR_KEY_CO: demoMetrcAccess.vendorKey,
});

/** A stage served from its templates and bundles. */
export interface DeployedStage extends Stage {
  deployment: Deployment;
  principals: Principals;
  /** Endpoints of DynamoDB and S3, for calls with a principal's access key. */
  services: { DYNAMODB: string; S3: string };
  /** Runs every scheduled function once. */
  runSchedules(): Promise<void>;
}

/**
 * Serves the sandbox from its synthesized templates on this machine. Functions run from their bundles, each with its
 * own access key. DynamoDB, S3, KMS, Secrets Manager and STS enforce its policy.
 *
 * @param data directory with the demo's data, see `copyDemoData`
 */
export async function startDeployedStage(data: string): Promise<DeployedStage> {
  await using started = new AsyncDisposableStack();
  const directory = await openDataDirectory(data, false);
  started.defer(() => directory.lock.release());
  const spawned = directory.lock.engineSpawned;
  const engine = await startEngine({ dataFile: directory.database, spawned });
  started.defer(() => engine.stop());

  const principals = new Principals();
  const consumers: Record<string, Parameters<typeof createQueueServer>[0][string]> = {};
  const queues = createQueueServer(consumers);
  const queuesUrl = `http://127.0.0.1:${await listen(queues, 0)}`;
  started.defer(() => close(queues));
  const deployment = new Deployment(await synthesized("sandbox"), queuesUrl);

  const keyFileOf = (secret: string) => filesIn(data)[secret.includes("AddressKey") ? "addressKey" : "serviceKey"];
  const secretOf = (secret: string) => readFileSync(keyFileOf(secret), "utf8");
  const servers = {
    DYNAMODB: createTableProxy(principals, engine.endpoint),
    S3: createObjectProxy(principals, deployment, directory.objects),
    KMS: createSecretServices(principals, deployment, secretOf),
    SESV2: await startMailbox(),
  };
  for (const server of Object.values(servers)) {
    if (!server.listening) await listen(server, 0);
    started.defer(() => close(server));
  }
  const address = (service: keyof typeof servers) => `http://127.0.0.1:${portOf(servers[service])}`;
  const services = { DYNAMODB: address("DYNAMODB"), S3: address("S3") };
  const others = { KMS: address("KMS"), SECRETS_MANAGER: address("KMS"), STS: address("KMS"), SQS: queuesUrl };
  const all = { ...services, ...others, SESV2: address("SESV2") };
  const client = new DynamoDBClient({ endpoint: engine.endpoint, ...engineAccess });
  started.defer(() => client.destroy());
  const table = new Table(tableName, client);
  // The receipts were read when the demo's data was made.
  const metrc = await startMetrc(0, { facility: new MetrcFacility(demoMetrcAccess), refresh: async () => undefined });
  started.defer(() => close(metrc));
  const metrcUrl = `http://127.0.0.1:${portOf(metrc)}`;
  const functions = new Functions(deployment, principals, all, filesIn(data).log, instead(metrcUrl));
  started.defer(() => functions.stop());
  for (const { properties } of deployment.resources("AWS::Lambda::EventSourceMapping")) {
    const { EventSourceArn, FunctionName } = properties;
    const { arn } = named(deployment, FunctionName);
    consumers[EventSourceArn.split(":").at(-1)] = (event) => functions.invoke(arn, event, randomUUID());
  }

  const gateway = createDeployedGateway(deployment, (...call) => functions.invoke(...call));
  const baseUrl = `http://127.0.0.1:${await listen(gateway, 0)}`;
  started.defer(() => close(gateway));
  const demo: Stage["description"] = JSON.parse(readFileSync(filesIn(data).description, "utf8"));
  const owned = started.move();
  return {
    description: { ...demo, base_url: baseUrl, mail_url: address("SESV2") },
    table,
    deployment,
    principals,
    services,
    async runSchedules() {
      for (const { properties } of deployment.resources("AWS::Scheduler::Schedule")) {
        await functions.invoke(properties.Target.Arn, {}, randomUUID());
      }
    },
    replicate: () => Promise.reject(new Error("a deployed stage replicates on its own schedule")),
    failed: engine.failed,
    stop: () => owned.disposeAsync(),
  };
}

function named(deployment: Deployment, name: string) {
  const found = deployment.resources("AWS::Lambda::Function").find((each) => each.name === name);
  if (!found) throw new Error(`there is no function ${name}`);
  return found;
}
