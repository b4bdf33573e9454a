import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  QueryCommand as DocumentQueryCommand,
  type QueryCommandInput as DocumentQueryCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteItem,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { awsRequests } from "../platform/aws/awsRequests.ts";
import { reportOutages } from "../platform/aws/reportOutages.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { deleteBatches, joinParts, readBatches, readParts } from "./batchCalls.ts";
import { ClockOffset } from "./clockOffset.ts";
import type { Key } from "./keys/key.ts";
import { retryOnConflict } from "./retryOnConflict.ts";

/** An item as plain values. */
export type Item = Key & Record<string, unknown>;

/** An item as DynamoDB's wire format has it; what pages of records are read in, to spare them the conversion. */
export type RawItem = Record<string, AttributeValue>;

/** Milliseconds that clocks may differ by. */
export const maxClockOffsetMs = 5_000;
/** Milliseconds after which a call is answered or given up: the SDK's three attempts, as `awsRequests` bounds each, and pauses. */
export const maxCallMs = 20_000;

/** Milliseconds by which an index, or a read that is not consistent, may be behind, and more: half a minute is seen under load. */
export const maxLagMs = 60_000;

/**
 * The service's one table. Every method throws `ServiceError` "unavailable" when the table throttles or cannot be
 * reached after the client's own retries, and lets all other errors of DynamoDB through.
 */
export class Table {
  readonly name: string;
  readonly client: DynamoDBClient;
  /** The same client for plain values: what is hooked into one is hooked into both. */
  readonly #documents: DynamoDBDocumentClient;
  /** By which those wait who try again. */
  readonly clock: Clock;
  readonly #offset: ClockOffset;

  constructor(name: string, client: DynamoDBClient, clock: Clock = systemClock) {
    this.name = name;
    this.client = client;
    this.#documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    this.clock = clock;
    this.#offset = new ClockOffset(client, clock);
    reportOutages(client);
  }

  /**
   * To be called by who writes what is ordered by time, after a read: with a wrong clock it would come to a wrong place.
   *
   * @throws ServiceError "unavailable" when the clock of this process is more than 5 s off the table's
   */
  checkClock(): void {
    const offset = this.#offset.milliseconds;
    if (Math.abs(offset) <= maxClockOffsetMs) return;
    const cause = new Error(`the clock of this machine is ${-offset} ms ahead of the table's: set it right`);
    throw new ServiceError("unavailable", { cause });
  }

  /** @param options.attributes top-level attributes to return; all when absent */
  async get(
    key: Key,
    options: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<Item | undefined> {
    const { Item } = await this.#documents.send(
      new GetCommand({
        TableName: this.name,
        Key: key,
        ConsistentRead: options.consistent ?? false,
        ...projection(options.attributes),
      }),
    );
    return Item as Item | undefined;
  }

  /**
   * Reads any number of items, in parallel groups of a hundred; what DynamoDB leaves unprocessed is asked for again.
   *
   * @param options.attributes top-level attributes to return besides the key; all when absent
   * @returns the items that exist, by `itemId(key)`
   */
  async batchGet(
    keys: readonly Key[],
    options: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<Map<string, Item>> {
    const items = await readBatches<Record<string, unknown>>(
      this,
      unique(keys),
      batchOptions(options),
      (RequestItems) => this.#documents.send(new BatchGetCommand({ RequestItems })),
    );
    return byId(items as Item[]);
  }

  /**
   * Reads up to a hundred items as they stood together at one instant, at twice the price of a consistent read.
   *
   * @returns the items that exist, by `itemId(key)`
   * @throws TransactionCanceledException when one of them is being written
   */
  async transactGet(keys: readonly Key[]): Promise<Map<string, Item>> {
    const { Responses = [] } = await this.#documents.send(
      new TransactGetCommand({
        TransactItems: keys.map(({ pk, sk }) => ({ Get: { TableName: this.name, Key: { pk, sk } } })),
      }),
    );
    return byId(Responses.flatMap(({ Item }) => (Item ? [Item as Item] : [])));
  }

  /** Like `batchGet`, in wire format and in no particular order. */
  async batchGetRaw(
    keys: readonly Key[],
    options: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<RawItem[]> {
    const raw: RawItem[] = unique(keys).map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    return readBatches(this, raw, batchOptions(options), (RequestItems) =>
      this.client.send(new BatchGetItemCommand({ RequestItems })),
    );
  }

  /** Every item that a query finds, or the first `Limit`, over as many calls as that takes. */
  async query(input: Omit<DocumentQueryCommandInput, "TableName">): Promise<Item[]> {
    const parts = readParts<Record<string, unknown>>((start) =>
      this.#documents.send(new DocumentQueryCommand({ ...input, TableName: this.name, ...start })),
    );
    return (await joinParts(parts, input.Limit)) as Item[];
  }

  /** Like `query`, in wire format. */
  async queryRaw(input: Omit<QueryCommandInput, "TableName">): Promise<RawItem[]> {
    return joinParts(this.queryParts(input), input.Limit);
  }

  /** Every item that a query finds, call by call (1 MB at most), for what is too much to be held at once. */
  queryParts(input: Omit<QueryCommandInput, "TableName">): AsyncGenerator<RawItem[]> {
    return readParts((start) => this.client.send(new QueryCommand({ ...input, TableName: this.name, ...start })));
  }

  /** All items of a partition whose range key begins with `prefix`, or is `last` at most, in the order of that key. */
  async queryPartition(
    pk: string,
    options: ({ prefix?: string; last?: never } | { prefix?: never; last: string }) & { consistent?: boolean } = {},
  ): Promise<Item[]> {
    const { prefix, last } = options;
    const range = prefix ? " AND begins_with(sk, :range)" : last ? " AND sk <= :range" : "";
    return this.query({
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: { ":pk": pk, ...(range && { ":range": prefix ?? last }) },
      ConsistentRead: options.consistent ?? false,
    });
  }

  /** @throws ConditionalCheckFailedException when the condition does not hold */
  async put(item: Item, condition?: Condition): Promise<void> {
    const command = new PutCommand({ TableName: this.name, Item: item, ...(condition && expressions(condition)) });
    await this.#untilFree(() => this.#documents.send(command));
  }

  /**
   * Sets attributes of an item, which is made when it does not exist.
   *
   * @returns the item afterwards
   * @throws ConditionalCheckFailedException when the condition does not hold
   */
  async update(key: Key, attributes: Record<string, unknown>, condition?: Condition): Promise<Item> {
    const command = new UpdateCommand({ ...this.#settingOf(key, attributes, condition), ReturnValues: "ALL_NEW" });
    const { Attributes } = await this.#untilFree(() => this.#documents.send(command));
    return Attributes as Item;
  }

  /**
   * Changes an item by an update expression; makes it when it does not exist. Where an answer is lost on its way it may
   * have been changed twice.
   *
   * @param update an update expression, with its names and values
   * @param condition an expression over the same names and values
   * @returns whether the condition held; where it did not, the item as it stands, if there is one
   */
  async change(key: Key, update: Condition, condition: string): Promise<{ done: boolean; item?: Item }> {
    const command = new UpdateCommand({
      ...this.#updateOf(key, update),
      ConditionExpression: condition,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      await this.#untilFree(() => this.#documents.send(command));
      return { done: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The document client leaves what errors hold in wire format.
      return { done: false, ...(error.Item && { item: unmarshall(error.Item) as Item }) };
    }
  }

  /** @throws ConditionalCheckFailedException when the condition does not hold */
  async delete(key: Key, condition?: Condition): Promise<void> {
    const command = new DeleteCommand({ TableName: this.name, Key: key, ...(condition && expressions(condition)) });
    await this.#untilFree(() => this.#documents.send(command));
  }

  /** Deletes any number of items, in groups of 25; what DynamoDB leaves unprocessed is asked for again. */
  async batchDelete(keys: readonly Key[]): Promise<void> {
    await deleteBatches(this, unique(keys), (RequestItems) =>
      this.#documents.send(new BatchWriteCommand({ RequestItems })),
    );
  }

  /** A write of one item: DynamoDB refuses it while a transaction holds the item, and it is sent again. */
  #untilFree<T>(write: () => Promise<T>): Promise<T> {
    return retryOnConflict(this.clock, write);
  }

  /** @throws TransactionCanceledException when a condition does not hold */
  async transact(writes: TransactWriteItem[]): Promise<void> {
    await this.#documents.send(new TransactWriteCommand({ TransactItems: writes }));
  }

  /** A put for `transact`. */
  putWrite(item: Item, condition?: Condition): TransactWriteItem {
    return {
      Put: { TableName: this.name, Item: item, ...(condition && expressions(condition)) },
    };
  }

  /**
   * An update for `transact`.
   *
   * @param update an update expression, with its names and values
   * @param condition an expression over the same names and values
   */
  updateWrite(key: Key, update: Condition, condition?: string): TransactWriteItem {
    return { Update: { ...this.#updateOf(key, update), ...(condition && { ConditionExpression: condition }) } };
  }

  /** `update` for `transact`. */
  setWrite(key: Key, attributes: Record<string, unknown>, condition?: Condition): TransactWriteItem {
    return { Update: this.#settingOf(key, attributes, condition) };
  }

  #settingOf(key: Key, attributes: Record<string, unknown>, condition?: Condition) {
    const names = Object.keys(attributes);
    return {
      TableName: this.name,
      Key: key,
      UpdateExpression: `SET ${names.map((_, i) => `#set${i} = :set${i}`).join(", ")}`,
      ...(condition && { ConditionExpression: condition.expression }),
      ExpressionAttributeNames: {
        ...condition?.names,
        ...Object.fromEntries(names.map((name, i) => [`#set${i}`, name])),
      },
      ExpressionAttributeValues: {
        ...condition?.values,
        ...Object.fromEntries(names.map((name, i) => [`:set${i}`, attributes[name]])),
      },
    };
  }

  #updateOf(key: Key, update: Condition) {
    const { ConditionExpression: UpdateExpression, ...named } = expressions(update);
    return { TableName: this.name, Key: key, UpdateExpression, ...named };
  }

  /** A delete for `transact`. */
  deleteWrite(key: Key, condition?: Condition): TransactWriteItem {
    return { Delete: { TableName: this.name, Key: key, ...(condition && expressions(condition)) } };
  }

  /** A condition on an item that `transact` shall not change. */
  checkWrite(key: Key, condition: Condition): TransactWriteItem {
    return { ConditionCheck: { TableName: this.name, Key: key, ...expressions(condition) } };
  }
}

/** An expression, mostly a condition, with its names (`#name`) and values (`:value`). */
export interface Condition {
  expression: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
}

/**
 * Whether the condition of a write held. Of a write that was sent twice, since its answer got lost, the second one is refused.
 *
 * @throws what else the write is refused for
 */
export async function tryConditionalWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** The condition that the item is still there. */
export const exists: Condition = { expression: "attribute_exists(pk)" };

/** The condition that an attribute still has the value it was read with; undefined where the item did not exist. */
export function unchanged(attribute: string, value: unknown): Condition {
  return value === undefined
    ? { expression: "attribute_not_exists(pk)" }
    : { expression: "#attribute = :value", names: { "#attribute": attribute }, values: { ":value": value } };
}

/** A choice of attributes as the attributes of a request; names stand apart, since many are reserved words. */
function projection(attributes: readonly string[] | undefined) {
  return (
    attributes && {
      ProjectionExpression: attributes.map((_, i) => `#${i}`).join(),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#${i}`, name])),
    }
  );
}

/** A condition as the attributes of a request. */
function expressions(condition: Condition) {
  return {
    ConditionExpression: condition.expression,
    ...(condition.names && { ExpressionAttributeNames: condition.names }),
    ...(condition.values && { ExpressionAttributeValues: condition.values }),
  };
}

function batchOptions({ consistent = false, attributes }: { consistent?: boolean; attributes?: readonly string[] }) {
  return { ConsistentRead: consistent, ...projection(attributes && ["pk", "sk", ...attributes]) };
}

function byId(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [itemId(item), item]));
}

/** Each key once, without what else its object holds. */
function unique(keys: readonly Key[]): Item[] {
  return [...new Map(keys.map((key) => [itemId(key), { pk: key.pk, sk: key.sk }])).values()];
}

/** Names an item within the table; key parts hold no line break. */
export function itemId(key: Key): string {
  return `${key.pk}\n${key.sk}`;
}

/** Settings of every DynamoDB client of the service. */
const clientConfig: DynamoDBClientConfig = {
  requestHandler: awsRequests(),
};

function createClient(): DynamoDBClient {
  const client = new DynamoDBClient(clientConfig);
  // It copies every answer to leave out what is secret, for a logger that writes nothing: a sixth of a page's time.
  client.middlewareStack.remove("loggerMiddleware");
  return client;
}

let processTable: Table | undefined;

/**
 * The table of this process, by the environment: TABLE_NAME, and the SDK's own variables for region, credentials and
 * (on one machine) AWS_ENDPOINT_URL_DYNAMODB. Made at the first call, so that importing costs nothing.
 */
export function serviceTable(): Table {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error("TABLE_NAME is not set");
  processTable ??= new Table(name, createClient());
  return processTable;
}
