import type {
  BatchGetItemCommandInput,
  BatchWriteItemCommandInput,
  DynamoDBClient,
  GetItemCommandInput,
  QueryCommandInput,
  TransactGetItemsCommandInput,
  TransactWriteItemsCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { Bucket } from "../../../shared/domain/documents/bucket.ts";
import type { Table } from "../../../shared/store/client.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { sameEngine } from "../../engineClient.ts";
import type { Job, Outcome, Strand } from "./actors.ts";
import { inWireFormat } from "./documents.ts";
import { createLostResponseError } from "./errors.ts";
import { accidents, defaultFigures, type Figures } from "./figures.ts";
import type { Send } from "./items.ts";
import type { Observe } from "./observations.ts";
import { Queries } from "./queries.ts";
import { Reads } from "./reads.ts";
import { callByPresentActor, Scheduler } from "./scheduler.ts";
import { Throughput } from "./throughput.ts";
import { Versions } from "./versions.ts";
import { Writes } from "./writes.ts";

/** Exempt from all rules: a scan shows the state of the engine. */
const unruled = new Set(["ScanCommand", "CreateTableCommand", "DescribeTableCommand", "DeleteTableCommand"]);

/**
 * Treats the requests of a bucket's client like calls to the table. All worlds of a process share the client: each request
 * belongs to the world of the actor that sends it.
 */
export function attachBucket({ client }: Pick<Bucket, "client">): void {
  client.middlewareStack.add((next) => (request) => callByPresentActor("S3", () => next(request)), {
    step: "initialize",
    name: "realRules",
    priority: "low",
    override: true,
  });
}

interface Settings extends Partial<Figures> {
  seed: string | number;
  /** start of the clock, ISO 8601 */
  start?: string;
  observe?: Observe;
}

/**
 * Makes the engine as strict as DynamoDB. Transactions hold their items, reads of several items are not isolated,
 * nodes and indexes lag, partitions throttle, and responses get lost. Everything follows from the seed, in virtual
 * time. The layer is above the SDK's own retries: its errors are those that remain after them.
 */
export class RealRules {
  readonly #figures: Figures;
  readonly #scheduler: Scheduler;
  readonly #queries: Queries;
  readonly #reads: Reads;
  readonly #writes: Writes;

  constructor({ seed, start = "2026-03-10T12:00:00.000Z", observe = () => undefined, ...figures }: Settings) {
    this.#figures = { ...defaultFigures, ...figures };
    this.#scheduler = new Scheduler(seed, Date.parse(start), this.#figures);
    const versions = new Versions(this.#figures, this.#scheduler);
    const throughput = new Throughput(this.#figures, this.#scheduler);
    const observeAll: Observe = (observation) => {
      observe(observation);
      if (observation.type !== "committed") return;
      for (const { pk } of observation.changes) this.#scheduler.signal(pk);
    };
    this.#writes = new Writes(this.#figures, versions, throughput, observeAll);
    this.#queries = new Queries(this.#figures, this.#scheduler, versions, throughput);
    this.#reads = new Reads(this.#figures, this.#scheduler, versions, throughput, this.#writes, observe);
  }

  /** Virtual time by the present actor's clock. While an actor sleeps, others run. */
  get clock(): Clock {
    return this.#scheduler.clock;
  }

  /** Epoch milliseconds, without any actor's offset. */
  get time(): number {
    return this.#scheduler.time;
  }

  /** Waits until an item of a partition is written, for at most `milliseconds`. Only actors can wait. */
  nextWrite(pk: string, milliseconds: number): Promise<void> {
    return this.#scheduler.signalOf(pk, milliseconds);
  }

  /** The history, line by line: seconds since the start, actor, event. */
  history(): string {
    return this.#scheduler.history.join("\n");
  }

  /** Runs actors concurrently until all have ended or been killed. */
  run(jobs: readonly Job[]): Promise<Outcome[]> {
    return this.#scheduler.run(jobs);
  }

  /** Ends accidents, except for a burst in progress. The other rules still apply. */
  calm(): void {
    Object.assign(this.#figures, Object.fromEntries(Object.keys(accidents).map((name) => [name, 0])));
  }

  /**
   * Treats a request to another service like a call to the table: other actors may overtake it, and it may be the
   * last.
   */
  call<T>(what: string, request: () => Promise<T>): Promise<T> {
    return this.#scheduler.call(what, request);
  }

  /** Attaches the rules to a table's client, in place of earlier ones. */
  attach({ client }: Table): void {
    const engine = sameEngine(client);
    client.middlewareStack.add(
      (next, context) => async (request) => {
        const command = (context.commandName ?? "") as string;
        if (unruled.has(command)) return next(request);
        const send = ((input) => next({ ...request, input: input as typeof request.input })) as Send;
        const rule = (input: unknown, send: Send) => this.#send(command, input, engine, send);
        return inWireFormat(request.input, send, rule) as ReturnType<typeof next>;
      },
      // Runs inside the middleware that turns errors thrown here into outages.
      { step: "initialize", name: "realRules", priority: "low", override: true },
    );
    client.middlewareStack.add(
      (next) => async (request) => {
        const result = await next(request);
        const { headers } = result.response as { headers?: Record<string, string> };
        if (headers) headers.date = new Date(this.#scheduler.time).toUTCString();
        return result;
      },
      { step: "deserialize", name: "realRulesDate", priority: "low", override: true },
    );
  }

  /** Sends a call, with the accidents on its way. */
  #send(command: string, input: unknown, engine: DynamoDBClient, send: Send) {
    const what = command.replace("Command", "");
    const rule = (strand: Strand) => this.#rule(strand, command, input, engine, send);
    return this.#scheduler.call(what, async (strand) => {
      const { chance, log } = strand;
      const { lostRequests, lostAnswers, lateWrites, timeout } = this.#figures;
      const lose = async (how: string) => {
        log(how);
        await strand.park(chance.between(1, timeout));
        throw createLostResponseError(chance);
      };
      if (chance.percent(lostRequests)) return lose("is lost");
      if (!/Get|Query/.test(what) && chance.percent(lateWrites)) {
        this.#scheduler.later(`late ${what}`, async (late) => {
          await late.park(chance.between(1, 2 * timeout));
          return rule({ ...late, actor: strand.actor, actorTime: strand.actorTime });
        });
        return lose("is late");
      }
      const isAnswerLost = chance.percent(lostAnswers);
      try {
        const answer = await rule(strand);
        return isAnswerLost ? await lose("is done, its answer lost") : answer;
      } catch (error) {
        if (!isAnswerLost) log(`fails: ${error}`);
        throw error;
      }
    });
  }

  #rule(strand: Strand, command: string, input: unknown, engine: DynamoDBClient, send: Send) {
    switch (command) {
      case "GetItemCommand":
        return this.#reads.get(strand, input as GetItemCommandInput, send);
      case "BatchGetItemCommand":
        return this.#reads.batchGet(strand, input as BatchGetItemCommandInput, send);
      case "QueryCommand":
        return this.#queries.query(strand, input as QueryCommandInput, send);
      case "TransactGetItemsCommand":
        return this.#reads.transactGet(strand, input as TransactGetItemsCommandInput, send);
      case "TransactWriteItemsCommand":
        return this.#writes.transact(strand, input as TransactWriteItemsCommandInput, engine, send);
      case "BatchWriteItemCommand":
        return this.#writes.batch(strand, input as BatchWriteItemCommandInput, engine, send);
      case "PutItemCommand":
      case "UpdateItemCommand":
      case "DeleteItemCommand":
        return this.#writes.write(strand, command, input as object, engine, send);
      default:
        throw new Error(`the layer does not know ${command}`);
    }
  }
}
