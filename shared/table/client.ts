import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { awsRequests } from "../aws/awsRequests.ts";
import { reportOutages } from "../aws/outages.ts";
import type { Key } from "./keys.ts";

/** An item as plain values. */
export type Item = Key & Record<string, unknown>;

/** An item as DynamoDB's wire format has it; what pages of records are read in, to spare them the conversion. */
export type RawItem = Record<string, AttributeValue>;

const marshallOptions = { removeUndefinedValues: true };
const batchGetLimit = 100;

/**
 * The service's one table. Every method throws `ServiceError` "unavailable" when the table throttles or cannot be
 * reached after the client's own retries, and lets all other errors of DynamoDB through.
 */
export class Table {
  readonly name: string;
  readonly client: DynamoDBClient;

  constructor(name: string, client: DynamoDBClient) {
    this.name = name;
    this.client = client;
    reportOutages(client);
  }

  /** @param options.attributes top-level attributes to return; all when absent */
  async get(
    key: Key,
    options: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<Item | undefined> {
    const { Item } = await this.client.send(
      new GetItemCommand({
        TableName: this.name,
        Key: marshall(key),
        ConsistentRead: options.consistent ?? false,
        ...projection(options.attributes),
      }),
    );
    return Item && (unmarshall(Item) as Item);
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
    const found = new Map<string, Item>();
    for (const raw of await this.batchGetRaw(keys, options)) {
      const item = unmarshall(raw) as Item;
      found.set(itemId(item), item);
    }
    return found;
  }

  /**
   * Reads up to a hundred items as they stood together at one instant, at twice the price of a consistent read.
   *
   * @returns the items that exist, by `itemId(key)`
   * @throws TransactionCanceledException when one of them is being written
   */
  async transactGet(keys: readonly Key[]): Promise<Map<string, Item>> {
    const { Responses = [] } = await this.client.send(
      new TransactGetItemsCommand({
        TransactItems: keys.map(({ pk, sk }) => ({ Get: { TableName: this.name, Key: marshall({ pk, sk }) } })),
      }),
    );
    const items = Responses.flatMap(({ Item }) => (Item ? [unmarshall(Item) as Item] : []));
    return new Map(items.map((item) => [itemId(item), item]));
  }

  /** Like `batchGet`, in wire format and in no particular order. */
  async batchGetRaw(
    keys: readonly Key[],
    options: { consistent?: boolean; attributes?: readonly string[] } = {},
  ): Promise<RawItem[]> {
    const unique = [...new Map(keys.map((key) => [itemId(key), { pk: key.pk, sk: key.sk }])).values()];
    const groups: Key[][] = [];
    for (let i = 0; i < unique.length; i += batchGetLimit) groups.push(unique.slice(i, i + batchGetLimit));
    return (await Promise.all(groups.map((group) => this.#getGroup(group, options)))).flat();
  }

  async #getGroup(
    keys: readonly Key[],
    options: { consistent?: boolean; attributes?: readonly string[] },
  ): Promise<RawItem[]> {
    const items: RawItem[] = [];
    let missing: RawItem[] | undefined = keys.map((key) => marshall(key));
    for (let attempt = 0; missing?.length; attempt++) {
      if (attempt > 0) await pause(attempt);
      const answer: BatchGetItemCommandOutput = await this.client.send(
        new BatchGetItemCommand({
          RequestItems: {
            [this.name]: {
              Keys: missing,
              ConsistentRead: options.consistent ?? false,
              ...projection(options.attributes && ["pk", "sk", ...options.attributes]),
            },
          },
        }),
      );
      items.push(...(answer.Responses?.[this.name] ?? []));
      missing = answer.UnprocessedKeys?.[this.name]?.Keys;
    }
    return items;
  }

  /** Every item that a query finds, or the first `Limit`, over as many calls as that takes, in wire format. */
  async queryRaw(input: Omit<QueryCommandInput, "TableName">): Promise<RawItem[]> {
    const items: RawItem[] = [];
    for await (const part of this.queryParts(input)) {
      items.push(...part);
      if (items.length >= (input.Limit ?? Number.POSITIVE_INFINITY)) break;
    }
    return items;
  }

  /** Every item that a query finds, call by call (1 MB at most), for what is too much to be held at once. */
  async *queryParts(input: Omit<QueryCommandInput, "TableName">): AsyncGenerator<RawItem[]> {
    let start: RawItem | undefined;
    do {
      const answer: QueryCommandOutput = await this.client.send(
        new QueryCommand({ ...input, TableName: this.name, ...(start && { ExclusiveStartKey: start }) }),
      );
      yield answer.Items ?? [];
      start = answer.LastEvaluatedKey;
    } while (start);
  }

  /** All items of a partition whose range key begins with `prefix`, or is `last` at most, in the order of that key. */
  async queryPartition(
    pk: string,
    options: ({ prefix?: string; last?: never } | { prefix?: never; last: string }) & { consistent?: boolean } = {},
  ): Promise<Item[]> {
    const { prefix, last } = options;
    const range = prefix ? " AND begins_with(sk, :range)" : last ? " AND sk <= :range" : "";
    const items = await this.queryRaw({
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: marshall({ ":pk": pk, ...(range && { ":range": prefix ?? last }) }),
      ConsistentRead: options.consistent ?? false,
    });
    return items.map((item) => unmarshall(item) as Item);
  }

  /** @throws ConditionalCheckFailedException when the condition does not hold */
  async put(item: Item, condition?: Condition): Promise<void> {
    const input = { TableName: this.name, Item: marshall(item, marshallOptions) };
    await this.client.send(new PutItemCommand({ ...input, ...(condition && expressions(condition)) }));
  }

  /**
   * Sets attributes of an item, which is made when it does not exist.
   *
   * @returns the item afterwards
   * @throws ConditionalCheckFailedException when the condition does not hold
   */
  async update(key: Key, attributes: Record<string, unknown>, condition?: Condition): Promise<Item> {
    const names = Object.keys(attributes);
    const { Attributes } = await this.client.send(
      new UpdateItemCommand({
        TableName: this.name,
        Key: marshall(key),
        UpdateExpression: `SET ${names.map((_, i) => `#set${i} = :set${i}`).join(", ")}`,
        ...(condition && { ConditionExpression: condition.expression }),
        ExpressionAttributeNames: {
          ...condition?.names,
          ...Object.fromEntries(names.map((name, i) => [`#set${i}`, name])),
        },
        ExpressionAttributeValues: marshall(
          { ...condition?.values, ...Object.fromEntries(names.map((name, i) => [`:set${i}`, attributes[name]])) },
          marshallOptions,
        ),
        ReturnValues: "ALL_NEW",
      }),
    );
    return unmarshall(Attributes ?? {}) as Item;
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
    const command = new UpdateItemCommand({
      ...this.#updateOf(key, update),
      ConditionExpression: condition,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      await this.client.send(command);
      return { done: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { done: false, ...(error.Item && { item: unmarshall(error.Item) as Item }) };
    }
  }

  /** @throws ConditionalCheckFailedException when the condition does not hold */
  async delete(key: Key, condition?: Condition): Promise<void> {
    const input = { TableName: this.name, Key: marshall(key) };
    await this.client.send(new DeleteItemCommand({ ...input, ...(condition && expressions(condition)) }));
  }

  /** @throws TransactionCanceledException when a condition does not hold */
  async transact(writes: TransactWriteItem[]): Promise<void> {
    await this.client.send(new TransactWriteItemsCommand({ TransactItems: writes }));
  }

  /** A put for `transact`. */
  putWrite(item: Item, condition?: Condition): TransactWriteItem {
    return {
      Put: { TableName: this.name, Item: marshall(item, marshallOptions), ...(condition && expressions(condition)) },
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

  #updateOf(key: Key, update: Condition) {
    const { ConditionExpression: UpdateExpression, ...named } = expressions(update);
    return { TableName: this.name, Key: marshall(key), UpdateExpression, ...named };
  }

  /** A delete for `transact`. */
  deleteWrite(key: Key, condition?: Condition): TransactWriteItem {
    return { Delete: { TableName: this.name, Key: marshall(key), ...(condition && expressions(condition)) } };
  }

  /** A condition on an item that `transact` shall not change. */
  checkWrite(key: Key, condition: Condition): TransactWriteItem {
    return { ConditionCheck: { TableName: this.name, Key: marshall(key), ...expressions(condition) } };
  }
}

/** An expression, mostly a condition, with its names (`#name`) and values (`:value`). */
export interface Condition {
  expression: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
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
    ...(condition.values && { ExpressionAttributeValues: marshall(condition.values, marshallOptions) }),
  };
}

/** Names an item within the table; key parts hold no line break. */
export function itemId(key: Key): string {
  return `${key.pk}\n${key.sk}`;
}

/** Waits before a further attempt: full jitter, doubling from 50 ms up to 2 s. */
async function pause(attempt: number): Promise<void> {
  const most = Math.min(2_000, 25 * 2 ** attempt);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * most));
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
