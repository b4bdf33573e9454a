import { createWriteStream } from "node:fs";
import type { Server } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { catalogue } from "../../shared/api/catalogue.ts";
import { Table } from "../../shared/table/client.ts";
import { createTable } from "./createTable.ts";
import { openDataDirectory } from "./dataDirectory.ts";
import { type Demo, prepareDemo } from "./demo.ts";
import { startEngine } from "./engine.ts";
import { engineAccess, functionEnvironment, tableName } from "./environment.ts";
import { FunctionHost } from "./functionHost.ts";
import type { Progress } from "./progress.ts";
import { LocalReplication } from "./replication.ts";
import { createGateway, type Gateway } from "./server.ts";
import { StageError } from "./stageError.ts";
import { writeAtomically } from "./writeAtomically.ts";

export interface StageOptions {
  /** Port of 127.0.0.1; 0 for any free one. */
  port: number;
  /** Directory for everything that stays; made when missing. */
  data: string;
  /** Starts from nothing instead of what the directory holds. */
  fresh?: boolean;
  /** Seconds from one replication to the next; 0 for none after the first. */
  replicateEvery: number;
  /** Shows the first replication. */
  progress?: Progress;
  /** Told of each answer once the stage is ready. */
  report?: Gateway["report"];
  /** Ends a start that is under way. */
  signal?: AbortSignal;
}

/** A local stage that answers. */
export interface Stage {
  /** What callers need to know; the content of stage.json. */
  description: { base_url: string } & Demo;
  table: Table;
  /** Replicates what is new, and resolves when it is stored. */
  replicate(): Promise<void>;
  /** Resolves, with one line, when the stage can no longer work. */
  failed: Promise<string>;
  /** Ends everything that was started; what is stored stays. */
  stop(): Promise<void>;
}

/**
 * Starts the service on this machine: engine, table, demo data, first replication, HTTP server and clock. A start that
 * was cut off, however far it had come, is finished by the next one on the same directory.
 *
 * @throws StageError, one line for the person at the terminal; the reason of `signal` when that ended it. Whatever was
 * started has then ended.
 */
export async function startStage(options: StageOptions): Promise<Stage> {
  const { signal } = options;
  await using started = new AsyncDisposableStack();
  const directory = await openDataDirectory(options.data, options.fresh ?? false);
  started.defer(() => directory.lock.release());
  const log = createWriteStream(directory.log, { flags: "a", mode: 0o600 });
  started.defer(() => void log.end());

  let ready = false;
  let functions: FunctionHost | undefined;
  const server = createGateway({
    catalogue,
    invoke: async (...call) => functions?.invoke(...call),
    isReady: () => ready,
    report: (line) => ready && options.report?.(line),
  });
  const baseUrl = `http://127.0.0.1:${await listen(server, options.port)}`;
  started.defer(() => close(server));

  const { engineSpawned: spawned, engineAnswers } = directory.lock;
  const engine = await startEngine({ dataFile: directory.database, spawned, ...(signal && { signal }) }).catch(
    (error) => {
      signal?.throwIfAborted();
      throw new StageError(error.message);
    },
  );
  started.defer(() => engine.stop());
  engineAnswers(engine.endpoint);
  const client = new DynamoDBClient({ endpoint: engine.endpoint, ...engineAccess });
  started.defer(() => client.destroy());
  await createTable(client, tableName).catch(() => {
    throw new StageError(`The DynamoDB engine at ${engine.endpoint} does not answer.`);
  });
  const table = new Table(tableName, client);
  const demo = await prepareDemo(table, directory.demoCredentials);
  signal?.throwIfAborted();

  const environment = functionEnvironment(options.data, engine.endpoint);
  functions = started.adopt(new FunctionHost(environment, log), (host) => host.stop());
  const worker = started.adopt(new FunctionHost(environment, log), (host) => host.stop());
  const replication = new LocalReplication(table, worker);
  signal?.addEventListener("abort", () => void worker.stop(), { once: true });
  await replication.freeLeases();
  await replication.first(options.progress);
  signal?.throwIfAborted();

  const description = { base_url: baseUrl, ...demo };
  writeAtomically(directory.description, `${JSON.stringify(description, null, 2)}\n`);
  ready = true;
  if (options.replicateEvery > 0) {
    const clock = new AbortController();
    const running = replication.every(options.replicateEvery, clock.signal);
    started.defer(async () => {
      clock.abort();
      await worker.stop();
      await running;
    });
  }
  // Callers first: what they have asked for is still answered.
  started.defer(() => close(server));
  const owned = started.move();
  return {
    description,
    table,
    replicate: () => replication.again(),
    failed: engine.failed.then((reason) => `The DynamoDB engine has ended: ${reason}`),
    stop: () => owned.disposeAsync(),
  };
}

/** @returns the port it listens on */
async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: "is in use: stop what listens there, or take another one with --port",
        EACCES: "is not permitted: take one above 1023 with --port",
      };
      reject(new StageError(`Port ${port} ${reasons[error.code ?? ""] ?? `cannot be used (${error.code})`}.`));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

/** Lets calls under way finish, for two seconds. */
async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const forced = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearTimeout(forced);
}
