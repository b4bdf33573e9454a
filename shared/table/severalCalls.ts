import type { Clock } from "../time/clock.ts";
import { Tries } from "./untilCommitted.ts";

// What takes several calls, the same for plain values and for DynamoDB's wire format.

const batchGetLimit = 100;

interface BatchAnswer<Item> {
  Responses?: Record<string, Item[]> | undefined;
  UnprocessedKeys?: Record<string, { Keys: Item[] | undefined }> | undefined;
}

/**
 * Reads items in parallel groups of a hundred; what DynamoDB leaves unprocessed is asked for again.
 *
 * @param options of the read, besides the keys
 * @param send a call of BatchGetItem
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
    const tries = new Tries(table.clock);
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

interface QueryAnswer<Item> {
  Items?: Item[] | undefined;
  LastEvaluatedKey?: Item | undefined;
}

/**
 * Every item that a query finds, call by call (1 MB at most).
 *
 * @param send a call of Query, from where the last one ended
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

/** All items of a query's parts, or of the first of them that hold `limit`. */
export async function joinParts<Item>(parts: AsyncIterable<Item[]>, limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const items: Item[] = [];
  for await (const part of parts) {
    items.push(...part);
    if (items.length >= limit) break;
  }
  return items;
}
