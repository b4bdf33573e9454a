import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import type { Clock } from "../time/clock.ts";
import { groupsOf } from "./groups.ts";
import { isThrottled, RetryPolicy } from "./retryOnConflict.ts";

type RawItem = Record<string, AttributeValue>;
type Connection = { name: string; client: DynamoDBClient; clock: Clock };

/** Maximum number of items in a BatchGetItem, and in a BatchWriteItem. */
const maxKeys = 100;
const maxWrites = 25;
/** More groups at once save no time: one partition accepts only about a thousand writes a second. */
const groupsAtOnce = 8;

/** Reads items in parallel groups of a hundred, unordered, until all are processed. @param options of BatchGetItem */
export async function readBatches(table: Connection, keys: readonly RawItem[], options: object): Promise<RawItem[]> {
  const items: RawItem[] = [];
  const readOnce = async (group: RawItem[]) => {
    const request = { RequestItems: { [table.name]: { ...options, Keys: group } } };
    const { Responses, UnprocessedKeys } = await table.client.send(new BatchGetItemCommand(request));
    items.push(...(Responses?.[table.name] ?? []));
    return UnprocessedKeys?.[table.name]?.Keys ?? [];
  };
  await Promise.all(groupsOf(keys, maxKeys).map((group) => repeat(new RetryPolicy(table.clock), group, readOnce)));
  return items;
}

/**
 * Writes items in groups of 25, several groups in parallel. Sends throttled and unprocessed writes again.
 *
 * @param writes at most one write for each key
 * @throws ServiceError "unavailable" if DynamoDB processes no item of a group in any attempt
 */
export async function writeBatches(table: Connection, writes: readonly WriteRequest[]): Promise<void> {
  const groups = groupsOf(writes, maxWrites);
  const sendOnce = async (group: WriteRequest[]) => {
    try {
      const command = new BatchWriteItemCommand({ RequestItems: { [table.name]: group } });
      return (await table.client.send(command)).UnprocessedItems?.[table.name] ?? [];
    } catch (error) {
      // DynamoDB throws if it processes no item of the group.
      if (isThrottled(error)) return group;
      throw error;
    }
  };
  const writeGroups = async () => {
    // No caller waits for a response, so pauses can be longer.
    for (let group = groups.pop(); group; group = groups.pop())
      await repeat(new RetryPolicy(table.clock, { maxPauseMs: 5_000 }), group, sendOnce);
  };
  await Promise.all(Array.from({ length: groupsAtOnce }, writeGroups));
}

/** Sends a group until nothing is left of it. @param send returns the elements that DynamoDB has not processed */
async function repeat<Element>(tries: RetryPolicy, group: Element[], send: (some: Element[]) => Promise<Element[]>) {
  for (let missing = group; ; await tries.pause()) {
    const left = await send(missing);
    if (left.length === 0) return;
    if (left.length < missing.length) tries.progressed();
    missing = left;
  }
}
