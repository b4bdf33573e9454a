import type { Clock } from "../time/clock.ts";
import { isThrottled, RetryPolicy } from "./retryOnConflict.ts";

// Operations that need several calls to DynamoDB. They work for items as plain values and for items in DynamoDB's wire
// format.

const batchGetLimit = 100;

interface BatchAnswer<Item> {
  Responses?: Record<string, Item[]> | undefined;
  UnprocessedKeys?: Record<string, { Keys: Item[] | undefined }> | undefined;
}

/**
 * Reads items in parallel groups of a hundred. If DynamoDB leaves items unprocessed, requests them again.
 *
 * @param options the options of BatchGetItem, without the keys
 * @param send calls BatchGetItem
 * @returns the items that exist, in no particular order
 */
export async function readBatches<Item>(
  table: { name: string; clock: Clock },
  keys: readonly Item[],
  options: object,
  send: (tables: Record<string, { Keys: Item[] }>) => Promise<BatchAnswer<Item>>,
): Promise<Item[]> {
  const readGroup = async (group: Item[]) => {
    const items: Item[] = [];
    const tries = new RetryPolicy(table.clock);
    for (let missing = group; ; await tries.pause()) {
      const { Responses, UnprocessedKeys } = await send({ [table.name]: { ...options, Keys: missing } });
      items.push(...(Responses?.[table.name] ?? []));
      const left = UnprocessedKeys?.[table.name]?.Keys;
      if (!left?.length) return items;
      if (left.length < missing.length) tries.progressed();
      missing = left;
    }
  };
  const groups: Item[][] = [];
  for (let i = 0; i < keys.length; i += batchGetLimit) groups.push(keys.slice(i, i + batchGetLimit));
  return (await Promise.all(groups.map(readGroup))).flat();
}

const batchWriteLimit = 25;

/**
 * Number of groups that are written in parallel. A higher number saves no time, because one partition accepts only
 * about a thousand writes a second.
 */
const groupsAtOnce = 8;

/** A put or a deletion of BatchWriteItem. */
export type BatchWrite<Item> = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } };

/**
 * Writes items in groups of 25, several groups in parallel. If DynamoDB throttles a group or leaves items unprocessed,
 * sends the writes again.
 *
 * @param writes at most one write for each key
 * @param send calls BatchWriteItem
 * @throws ServiceError "unavailable" if DynamoDB processes no item of a group in any attempt
 */
export async function writeBatches<Item>(
  table: { name: string; clock: Clock },
  writes: readonly BatchWrite<Item>[],
  send: (
    tables: Record<string, BatchWrite<Item>[]>,
  ) => Promise<{ UnprocessedItems?: Record<string, unknown[]> | undefined }>,
): Promise<void> {
  const groups: BatchWrite<Item>[][] = [];
  for (let i = 0; i < writes.length; i += batchWriteLimit) groups.push(writes.slice(i, i + batchWriteLimit));
  const sendOnce = async (group: BatchWrite<Item>[]) => {
    try {
      const { UnprocessedItems } = await send({ [table.name]: group });
      return (UnprocessedItems?.[table.name] ?? []) as BatchWrite<Item>[];
    } catch (error) {
      // DynamoDB throws if it processes no item of the group.
      if (isThrottled(error)) return group;
      throw error;
    }
  };
  const writeGroups = async () => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      // No caller waits for a response, so pauses can be longer.
      const tries = new RetryPolicy(table.clock, { maxPauseMs: 5_000 });
      for (let missing = group; ; await tries.pause()) {
        const left = await sendOnce(missing);
        if (left.length === 0) break;
        if (left.length < missing.length) tries.progressed();
        missing = left;
      }
    }
  };
  await Promise.all(Array.from({ length: groupsAtOnce }, writeGroups));
}

interface QueryAnswer<Item> {
  Items?: Item[] | undefined;
  LastEvaluatedKey?: Item | undefined;
}

/**
 * Returns all items that a query finds, in parts: each call to DynamoDB returns one part of at most 1 MB.
 *
 * @param send calls Query, starting after the previous part
 */
export async function* readParts<Item>(
  send: (start: { ExclusiveStartKey?: Item }) => Promise<QueryAnswer<Item>>,
): AsyncGenerator<Item[]> {
  let end: Item | undefined;
  do {
    const answer = await send(end ? { ExclusiveStartKey: end } : {});
    yield answer.Items ?? [];
    end = answer.LastEvaluatedKey;
  } while (end);
}

/** Joins the items of a query's parts. With a `limit`, reads no more parts than the limit requires. */
export async function joinParts<Item>(parts: AsyncIterable<Item[]>, limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const items: Item[] = [];
  for await (const part of parts) {
    items.push(...part);
    if (items.length >= limit) break;
  }
  return items;
}
