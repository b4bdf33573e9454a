import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSEvent } from "aws-lambda";
import { recordKinds } from "../../shared/api/kinds.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { bucketOf } from "../../shared/domain/documents/bucket.ts";
import { sweepInsights } from "../../shared/domain/insights/sweepInsights.ts";
import { Table } from "../../shared/store/client.ts";
import { claimStoredFormat, StoredFormatError } from "../../shared/store/storedFormat.ts";
import { StageError } from "../cli/stageError.ts";
import { writeAtomically } from "../cli/writeAtomically.ts";
import { generatePageFiles } from "../codegen/pageFiles.ts";
import { type BackgroundFunction, background } from "../stacks/background.ts";
import { shellFile } from "../stages/outputs.ts";
import { stages } from "../stages/stages.ts";
import { createTable } from "./createTable.ts";
import { lockDirectory, prepareDirectory } from "./dataDirectory.ts";
import {
  completeDemo,
  type Demo,
  prepareAccessReport,
  prepareDemo,
  prepareStaleness,
  prepareStateConnection,
  prepareStatements,
} from "./demo.ts";
import { demoBusinesses } from "./demoBusinesses.ts";
import { prepareDeposits } from "./demoDeposits.ts";
import { demoApplication, demoShortName, prepareIdentityProvider } from "./demoIdentityProvider.ts";
import { type DemoInvitation, mailInvitation } from "./demoInvitation.ts";
import { startEngine } from "./engine.ts";
import { bucketName, engineAccess, functionEnvironment, tableName } from "./environment.ts";
import { FunctionHost } from "./functionHost.ts";
import { openFunctionLog } from "./functionLog.ts";
import { startIdentityProvider } from "./identityProvider/startIdentityProvider.ts";
import { close, listen, portOf } from "./listen.ts";
import { startMailbox } from "./mailbox.ts";
import { DemoMetrc } from "./metrc/demoMetrc.ts";
import { startMetrc } from "./metrc/startMetrc.ts";
import { createObjectStore } from "./objectStore/objectStore.ts";
import { createQueueServer } from "./queueServer.ts";
import { LocalReplication } from "./replication.ts";
import { requestLimiter } from "./requestLimiter.ts";
import { runSchedule } from "./schedule.ts";
import { createGateway, type Gateway } from "./server.ts";
import { sqsEvent } from "./sqsEvent.ts";
import { startReceiver } from "./webhooks/receiver.ts";
import { readRegistration, register } from "./webhooks/registration.ts";

/** Lambda's limit for the event of a synchronous call. */
const maxLambdaEventBytes = 6 * 1024 * 1024;

export interface StageOptions {
  /** Port of 127.0.0.1; 0 for any free port. */
  port: number;
  /** Data directory; created if missing. */
  data: string;
  /** Removes the data of earlier stages first. */
  fresh?: boolean;
  /** Seconds between replications; 0 for no replications after the first. */
  replicateEvery: number;
  /** Replicates only the demo. A POS that a caller connects is announced, but never read. */
  demoAlone?: boolean;
  /** Responds with 429 and 413 beyond the limits of the sandbox on AWS. */
  limits?: boolean;
  onProgress?: Progress;
  /** Called for each answer after the start. */
  report?: Gateway["report"];
  /** Aborts a start in progress. */
  signal?: AbortSignal;
}

/** Callbacks for the steps of a start, in this order. */
interface Progress {
  /** The stage answers calls from now on. @param filling whether demo records are still missing */
  answers(description: Stage["description"], filling: boolean): void;
  /** The first page of customers of the demo's first business can be read. */
  firstPage(description: Stage["description"]): void;
  /** All records of a business are stored. @param counts one per kind, such as `400 products` */
  business(name: string, counts: readonly string[]): void;
}

/** A running local stage. */
export interface Stage {
  /** URLs and credentials for callers; the content of stage.json. */
  description: Record<"base_url" | "console_url" | "mail_url" | "webhooks_url" | "identity_provider_url", string> &
    Demo & { invitation: DemoInvitation };
  table: Table;
  /** Replicates all changes, and resolves when they are stored. */
  replicate(): Promise<void>;
  /** Resolves with one line when the stage can no longer work. */
  failed: Promise<string>;
  /** Stops everything that the stage started. The data stays. */
  stop(): Promise<void>;
}

/**
 * Starts the service on this machine: engine, table, credentials, HTTP server, then demo data, first replication and
 * schedules. The next start on the same directory completes an interrupted one.
 *
 * @throws StageError with one line for the person at the terminal, or the reason of `signal`; everything started is stopped
 *   by then
 */
export async function startStage(options: StageOptions): Promise<Stage> {
  const { signal, onProgress } = options;
  await using started = new AsyncDisposableStack();
  const lock = await lockDirectory(options.data);
  started.defer(() => lock.release());

  let ready = false;
  let functions: FunctionHost | undefined;
  const server = createGateway({
    operationRegistry,
    allowedOrigins: stages.local.allowedOrigins,
    invoke: async (...call) => functions?.invoke(...call),
    ...(options.limits && { admit: requestLimiter(stages.sandbox.aws), maxEventBytes: maxLambdaEventBytes }),
    isReady: () => ready,
    report: (line) => ready && options.report?.(line),
  });
  const baseUrl = `http://127.0.0.1:${await listen(server, options.port)}`;
  started.defer(() => close(server));
  // A start that cannot have its port must not have removed any data.
  const directory = prepareDirectory(options.data, lock, options.fresh ?? false);
  await generatePageFiles();

  const { engineSpawned: spawned, publishEndpoints: servicesAnswer } = lock;
  const engine = await startEngine({ dataFile: directory.database, spawned, ...(signal && { signal }) }).catch(
    (error) => {
      signal?.throwIfAborted();
      throw new StageError(error.message);
    },
  );
  started.defer(() => engine.stop());
  const { allowedOrigins } = stages.local;
  const stored = { bucket: bucketName, directory: directory.objects, access: engineAccess, allowedOrigins };
  const objectStore = createObjectStore(stored);
  const objectStorePort = await listen(objectStore, 0);
  started.defer(() => close(objectStore));
  let worker: FunctionHost | undefined;
  const dropMessages = async () => ({ batchItemFailures: [] });
  const consumer = (file: string) => async (event: SQSEvent) => worker?.invoke(file, event, randomUUID());
  const dropped = options.demoAlone ? ["replication", "retries", "exports", "statements"] : [];
  const queues = createQueueServer(
    Object.fromEntries(
      Object.values<BackgroundFunction>(background).flatMap(({ handler, queues: names }) =>
        names.map((name) => [name, dropped.includes(name) ? dropMessages : consumer(handler)]),
      ),
    ),
  );
  const queuesPort = await listen(queues, 0);
  started.defer(() => close(queues));
  const reportMail = (event: object) =>
    void worker?.invoke("invitations/feedback", sqsEvent("mail-events", JSON.stringify(event)), randomUUID());
  /** The port of a service next to the port of the API. */
  const portAt = (offset: number) => options.port && options.port + offset;
  const mailbox = await startMailbox(portAt(1), directory.mails, reportMail);
  started.defer(() => close(mailbox));
  const { server: identityProvider, issuer } = await startIdentityProvider(
    portAt(2),
    directory.identityProvider,
    demoApplication(baseUrl),
  );
  started.defer(() => close(identityProvider));
  const names = new Map(demoBusinesses.map(({ record: { id, name } }) => [id, name]));
  const receiver = await startReceiver(readRegistration(directory.receiver)?.port ?? 0, { names }).catch((error) => {
    if (!(error instanceof StageError)) throw error;
    // Another program has the port of the last start.
    return startReceiver(0, { names });
  });
  started.defer(() => close(receiver.server));
  const client = new DynamoDBClient({ endpoint: engine.endpoint, ...engineAccess });
  started.defer(() => client.destroy());
  const table = new Table(tableName, client);
  const demoMetrc = new DemoMetrc(table, stages.local.sandboxTickSeconds);
  const metrc = await startMetrc(portAt(3), demoMetrc);
  started.defer(() => close(metrc));
  const endpoints = {
    engine: engine.endpoint,
    objectStore: `http://127.0.0.1:${objectStorePort}`,
    queues: `http://127.0.0.1:${queuesPort}`,
    mailbox: `http://127.0.0.1:${portOf(mailbox)}`,
    metrc: `http://127.0.0.1:${portOf(metrc)}`,
    api: baseUrl,
  };
  servicesAnswer(endpoints);
  const bucket = bucketOf(bucketName, { endpoint: endpoints.objectStore, ...engineAccess });
  started.defer(() => bucket.client.destroy());
  await createTable(client, tableName).catch(({ name }: Error) => {
    throw new StageError(`The DynamoDB engine at ${engine.endpoint} does not respond (${name}). Check that it runs.`);
  });
  await claimStoredFormat(client, tableName).catch((error: Error) => {
    if (!(error instanceof StoredFormatError)) throw error;
    throw new StageError(
      `The data in ${options.data} has another format: start with --fresh to delete it and create new data.`,
    );
  });
  const demo = await prepareDemo(table, directory.demoCredentials);
  await prepareIdentityProvider({ table, bucket }, demo.service_provider.sp_id, issuer);
  signal?.throwIfAborted();

  const environment = {
    ...functionEnvironment(options.data, endpoints),
    ...(options.replicateEvery > 0 && intervals(options.replicateEvery)),
  };
  const unwritable: Promise<string>[] = [];
  const startHost = () => {
    const log = started.adopt(openFunctionLog(options.data), ({ close }) => close());
    unwritable.push(log.failed);
    return started.adopt(new FunctionHost(environment, log.stream), (host) => host.stop());
  };
  functions = startHost();
  const runner = startHost();
  const replication = new LocalReplication(table, runner);
  worker = runner;
  await replication.freeLeases();
  const filling = !(await replication.isComplete());

  const send = (body: object) =>
    runner.invoke("invitations/sender", sqsEvent("invitations", JSON.stringify(body)), randomUUID());
  const invitation = await mailInvitation(table, send, endpoints.mailbox);
  const webhooks_url = new URL(receiver.page).origin;
  const description = {
    base_url: baseUrl,
    console_url: `${baseUrl}/console/${demoShortName}`,
    ...{ mail_url: endpoints.mailbox, webhooks_url, identity_provider_url: issuer },
    ...{ ...demo, invitation },
  };
  writeAtomically(directory.description, `${JSON.stringify(description, null, 2)}\n`);
  writeAtomically(directory.callerVariables, shellFile(callerVariables(description)));
  ready = true;
  // Cleanup runs in reverse order: the server closes before the functions, so it still answers the calls in progress.
  started.defer(() => close(server));
  onProgress?.answers(description, filling);
  const lost = Promise.race([
    engine.failed.then((reason) => `The DynamoDB engine has ended: ${reason}`),
    ...unwritable,
  ]);
  const fill = async () => {
    await replication.firstList(() => onProgress?.firstPage(description));
    await Promise.all([
      replication
        .everything((...business) => onProgress?.business(...business))
        .then(async () => {
          await prepareStaleness(table);
          await prepareDeposits(table);
          await prepareStatements(table, demo.service_provider);
          await prepareAccessReport(table, demo.service_provider, (body) =>
            runner.invoke("statements/worker", sqsEvent("statements", body), randomUUID()),
          );
        }),
      completeDemo(table, bucket, demo),
      register({ table, baseUrl, demo, receiver, file: directory.receiver }),
    ]);
    // The first reading of all sales takes longer than the check of a key may.
    await demoMetrc.refresh();
    await prepareStateConnection(table, baseUrl, demo);
    await runner.invoke("stateSystems/sweeper", {}, randomUUID());
  };
  await Promise.race([fill(), ended(lost, signal)]);
  // Later computations come from the schedule.
  await sweepInsights(table);

  if (options.replicateEvery > 0) {
    const clock = new AbortController();
    const running = runSchedule(runner, { planEvery: Math.min(options.replicateEvery, 5) }, clock.signal);
    started.defer(async () => {
      clock.abort();
      await runner.stop();
      await running;
    });
  }
  const owned = started.move();
  return { description, table, replicate: () => replication.again(), failed: lost, stop: () => owned.disposeAsync() };
}

/** Throws when the start is aborted or the engine is lost. */
async function ended(lost: Promise<string>, signal: AbortSignal | undefined): Promise<never> {
  signal?.throwIfAborted();
  const aborted = new Promise<undefined>((resolve) => signal?.addEventListener("abort", () => resolve(undefined)));
  const reason = await Promise.race([lost, aborted]);
  signal?.throwIfAborted();
  throw new StageError(reason ?? "");
}

/** The environment variable with the replication intervals, with one value for every kind of records. */
function intervals(seconds: number) {
  return { REPLICATE_EVERY_SECONDS: JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, seconds]))) };
}

/** The variables that the guides' samples read from the environment (docs/guide/first-call.md). */
const callerVariables = ({ base_url, service_provider, crbs, invitation }: Stage["description"]) => ({
  BASE_URL: base_url,
  CLIENT_ID: service_provider.client_id,
  CLIENT_SECRET: service_provider.client_secret,
  SP_ID: service_provider.sp_id,
  CRB_ID: crbs[0]?.crb_id ?? "",
  INVITATION_TOKEN: invitation.invitation_token,
});
