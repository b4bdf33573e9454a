import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  paginateQuery,
  TransactGetItemsCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteItem,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { ServiceError } from "../api/errors.ts";
import { awsRequests } from "../platform/aws/awsRequests.ts";
import { reportOutages } from "../platform/aws/reportOutages.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { readBatches, writeBatches } from "./batchCalls.ts";
import { ClockOffset } from "./clockOffset.ts";
import type { Key } from "./keys/key.ts";
import { withRawText } from "./recordText.ts";
import { retryOnConflict } from "./retryOnConflict.ts";
import { type IndexName, tableIndexes } from "./schema.ts";
import { guardStoredFormat } from "./storedFormat.ts";

export type Item = Key & Record<string, unknown>;

/** An item in DynamoDB's wire format. Pages of records are read in this format, because a conversion takes time. */
export type RawItem = Record<string, AttributeValue>;

interface ReadOptions {
  consistent?: boolean;
  /** Top-level attributes to return; all if absent. */
  attributes?: readonly string[];
}

/** Maximum tolerated difference, in milliseconds, between the clocks of this process and of DynamoDB. */
export const maxClockOffsetMs = 5_000;
/** Maximum duration of a call in milliseconds: the SDK's three attempts, as `awsRequests` limits them, and their pauses. */
export const maxCallMs = 20_000;

/** Maximum lag in milliseconds of an index or an eventually consistent read. Half a minute was observed under load. */
export const maxLagMs = 60_000;

/**
 * The service's one table. All reads return the decompressed JSON text of a record in `body` (`recordText.ts`), or
 * `damagedText`. A write of one item is repeated while a transaction locks the item. Every method throws `ServiceError`
 * "unavailable" if the table throttles or cannot be reached after the client's own retries.
 */
export class Table {
  readonly name: string;
  readonly client: DynamoDBClient;
  readonly #documents: DynamoDBDocumentClient;
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
   * Call it after a read, because each response measures the clock, and before a write whose position depends on the time.
   *
   * @throws ServiceError "unavailable" if the clock of this process differs from DynamoDB's by more than 5 s
   */
  checkClock(): void {
    const offset = this.#offset.milliseconds;
    if (Math.abs(offset) <= maxClockOffsetMs) return;
    const cause = new Error(`The clock of this machine is ${-offset} ms ahead of DynamoDB's: set the clock.`);
    throw new ServiceError("unavailable", { cause });
  }

  async get(key: Key, { consistent = false, attributes }: ReadOptions = {}): Promise<Item | undefined> {
    const request = { TableName: this.name, Key: wireKey(key), ConsistentRead: consistent, ...projection(attributes) };
    const { Item } = await this.client.send(new GetItemCommand(request));
    return Item && toItem(hasText(attributes) ? withRawText(Item, key) : Item);
  }

  /** Reads any number of items, always with their keys. Returns those that exist, by `itemId(key)`. */
  async batchGet(keys: readonly Key[], options: ReadOptions = {}): Promise<Map<string, Item>> {
    return byId(await this.batchGetRaw(keys, options));
  }

  /**
   * Reads up to a hundred items as they are at one moment, at twice the cost of a consistent read; by `itemId(key)`.
   *
   * @throws TransactionCanceledException if one of the items is being written
   */
  async transactGet(keys: readonly Key[]): Promise<Map<string, Item>> {
    const gets = keys.map((key) => ({ Get: { TableName: this.name, Key: wireKey(key) } }));
    const { Responses = [] } = await this.client.send(new TransactGetItemsCommand({ TransactItems: gets }));
    return byId(Responses.flatMap(({ Item }) => (Item ? [withRawText(Item)] : [])));
  }

  /** Like `batchGet`, in wire format and in no particular order. */
  async batchGetRaw(keys: readonly Key[], { consistent = false, attributes }: ReadOptions = {}): Promise<RawItem[]> {
    const unique = new Map(keys.map((key) => [itemId(key), wireKey(key)]));
    const projected = projection(attributes && ["pk", "sk", ...attributes]);
    const items = await readBatches(this, [...unique.values()], { ConsistentRead: consistent, ...projected });
    return hasText(attributes) ? items.map((item) => withRawText(item)) : items;
  }

  /** Returns all items of a partition that a query finds, or the first `limit` of them, in as many calls as necessary. */
  async queryPartition(pk: string, query: PartitionQuery = {}): Promise<Item[]> {
    return (await this.queryRaw(pk, query)).map(toItem);
  }

  /** Like `queryPartition`, in wire format. */
  async queryRaw(pk: string, query: PartitionQuery = {}): Promise<RawItem[]> {
    const items: RawItem[] = [];
    for await (const part of this.queryParts(pk, query)) {
      items.push(...part);
      if (items.length >= (query.limit ?? Number.POSITIVE_INFINITY)) break;
    }
    return items;
  }

  /** Returns all items that a query finds, in parts of at most 1 MB and `limit` items, for results too large for memory. */
  async *queryParts(pk: string, query: PartitionQuery = {}): AsyncGenerator<RawItem[]> {
    const readsText = hasText(query.attributes);
    for await (const { Items = [] } of paginateQuery({ client: this.client }, queryInput(this.name, pk, query))) {
      yield readsText ? Items.map((item) => withRawText(item, { pk })) : Items;
    }
  }

  /** @throws ConditionalCheckFailedException if the condition does not hold */
  async put(item: Item, condition?: Condition): Promise<void> {
    const command = new PutCommand({ TableName: this.name, Item: item, ...expressions(condition) });
    await retryOnConflict(this.clock, () => this.#documents.send(command));
  }

  /** Sets attributes, or creates the item. @throws ConditionalCheckFailedException if the condition does not hold */
  async update(key: Key, attributes: Record<string, unknown>, condition?: Condition): Promise<void> {
    const update = this.#updateOf(key, settingOf(attributes, condition), condition?.expression);
    await retryOnConflict(this.clock, () => this.#documents.send(new UpdateCommand(update)));
  }

  /**
   * Changes an item by an update expression, or creates it. A retry after a lost response may apply it a second time.
   *
   * @param condition an expression over the names and values of the update; unconditional without one
   * @returns whether the condition held; if not, also the stored item, if it exists
   */
  async change(key: Key, update: Condition, condition?: string): Promise<{ done: boolean; item?: Item }> {
    const onFailure = condition ? { ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const } : {};
    const command = new UpdateCommand({ ...this.#updateOf(key, update, condition), ...onFailure });
    try {
      await retryOnConflict(this.clock, () => this.#documents.send(command));
      return { done: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The document client does not convert the items in errors.
      return { done: false, ...(error.Item && { item: toItem(error.Item) }) };
    }
  }

  /** @throws ConditionalCheckFailedException if the condition does not hold */
  async delete(key: Key, condition?: Condition): Promise<void> {
    const command = new DeleteCommand({ TableName: this.name, Key: key, ...expressions(condition) });
    await retryOnConflict(this.clock, () => this.#documents.send(command));
  }

  /** Deletes any number of items, each key once, in groups of 25. Sends unprocessed deletions again. */
  async batchDelete(keys: readonly Key[]): Promise<void> {
    const unique = new Map(keys.map((key) => [itemId(key), { DeleteRequest: { Key: wireKey(key) } }]));
    await writeBatches(this, [...unique.values()]);
  }

  /** @throws TransactionCanceledException if a condition does not hold */
  async transact(writes: TransactWriteItem[]): Promise<void> {
    await this.#documents.send(new TransactWriteCommand({ TransactItems: writes }));
  }

  putWrite(item: Item, condition?: Condition): TransactWriteItem {
    return { Put: { TableName: this.name, Item: item, ...expressions(condition) } };
  }

  /** An update for `transact`. @param condition an expression over the names and values of the update */
  updateWrite(key: Key, update: Condition, condition?: string): TransactWriteItem {
    return { Update: this.#updateOf(key, update, condition) };
  }

  setWrite(key: Key, attributes: Record<string, unknown>, condition?: Condition): TransactWriteItem {
    return this.updateWrite(key, settingOf(attributes, condition), condition?.expression);
  }

  #updateOf(key: Key, { expression: UpdateExpression, ...named }: Condition, condition?: string) {
    return { TableName: this.name, Key: key, UpdateExpression, ...expressions({ expression: condition, ...named }) };
  }

  deleteWrite(key: Key, condition?: Condition): TransactWriteItem {
    return { Delete: { TableName: this.name, Key: key, ...expressions(condition) } };
  }

  /** A condition for `transact` on an item that the transaction does not change. */
  checkWrite(key: Key, condition: Condition): TransactWriteItem {
    return { ConditionCheck: { TableName: this.name, Key: key, ...expressions(condition) } };
  }
}

/** A condition or update expression, with its names (`#name`) and values (`:value`). */
export interface Condition {
  expression: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
}

/** Returns whether a write's condition held; false also if the SDK repeats a stored write after a lost response. */
export async function tryConditionalWrite(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

export const exists: Condition = { expression: "attribute_exists(pk)" };

/** The condition that an attribute still has the `value` that was read; if undefined, that the item does not exist. */
export function unchanged(attribute: string, value: unknown): Condition {
  return value === undefined
    ? { expression: "attribute_not_exists(pk)" }
    : { expression: "#attribute = :value", names: { "#attribute": attribute }, values: { ":value": value } };
}

const projection = (attributes: readonly string[] | undefined) => ({
  ProjectionExpression: attributes?.map((_, i) => `#${i}`).join(),
  ExpressionAttributeNames: attributes && Object.fromEntries(attributes.map((name, i) => [`#${i}`, name])),
});

/** Whether a read of these attributes returns the text of a record; undefined stands for all attributes. */
const hasText = (attributes: readonly string[] | undefined) => attributes?.includes("body") ?? true;

/** The items of a partition that a query returns, by their range keys. All bounds are optional, and most exclude each other. */
export interface PartitionQuery extends ReadOptions {
  /** the index whose attribute is the range key, and sorts the items; the table's own if absent */
  index?: IndexName;
  prefix?: string;
  /** inclusive bounds, alone or both */
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  newestFirst?: boolean;
  limit?: number;
}

function queryInput(table: string, pk: string, query: PartitionQuery) {
  const { index, attributes, consistent = false, newestFirst = false, limit } = query;
  const { ProjectionExpression, ExpressionAttributeNames: names } = projection(attributes);
  const [form, ...bounds] = keyForms.find(([, ...names]) => names.every((name) => query[name])) ?? [];
  const values = Object.fromEntries(bounds.map((name) => [`:${name}`, query[name]]));
  return {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: form ? `pk = :pk AND ${form}` : "pk = :pk",
    ProjectionExpression,
    ExpressionAttributeNames: form ? { ...names, "#key": index ? tableIndexes[index] : "sk" } : names,
    ExpressionAttributeValues: marshall({ ":pk": pk, ...values }),
    ConsistentRead: consistent,
    ScanIndexForward: !newestFirst,
    Limit: limit,
  };
}

/** The conditions of range keys, with the bounds that each needs. The first one whose bounds are present applies. */
const keyForms: readonly (readonly [form: string, ...("prefix" | "from" | "to" | "after" | "before")[]])[] = [
  ["begins_with(#key, :prefix)", "prefix"],
  ["#key BETWEEN :from AND :to", "from", "to"],
  ["#key >= :from", "from"],
  ["#key <= :to", "to"],
  ["#key > :after", "after"],
  ["#key < :before", "before"],
];

function expressions(condition: Omit<Condition, "expression"> & { expression?: string | undefined } = {}) {
  const { expression, names, values } = condition;
  return { ConditionExpression: expression, ExpressionAttributeNames: names, ExpressionAttributeValues: values };
}

/** The update that sets attributes, with the names and values of a condition. */
function settingOf(attributes: Record<string, unknown>, condition: Condition | undefined): Condition {
  const names = Object.keys(attributes);
  return {
    expression: `SET ${names.map((_, i) => `#set${i} = :set${i}`).join(", ")}`,
    names: { ...condition?.names, ...Object.fromEntries(names.map((name, i) => [`#set${i}`, name])) },
    values: { ...condition?.values, ...Object.fromEntries(names.map((name, i) => [`:set${i}`, attributes[name]])) },
  };
}

const byId = (items: readonly RawItem[]) => new Map(items.map(toItem).map((item) => [itemId(item), item] as const));

export const toItem = (item: RawItem): Item => unmarshall(item) as Item;

const wireKey = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

/** Returns a text that identifies an item within the table. No part of a key contains the separator, a line break. */
export const itemId = (key: Key): string => `${key.pk}\n${key.sk}`;

let processTable: Table | undefined;

/** The table of this process, which TABLE_NAME names, made at the first call. `guardStoredFormat` checks its format. */
export function serviceTable(): Table {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error("Set TABLE_NAME to the name of the table.");
  if (!processTable) {
    const client = new DynamoDBClient({ requestHandler: awsRequests() });
    // It prepares a copy of every response for a log that writes nothing, which takes a sixth of the time of a page.
    client.middlewareStack.remove("loggerMiddleware");
    processTable = new Table(name, client);
    guardStoredFormat(client, name);
  }
  return processTable;
}
