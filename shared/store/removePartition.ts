import type { RawItem, Table } from "./client.ts";
import type { Key } from "./keys/key.ts";

/** Told how many items of a kind were removed. */
export type RemovalListener = (what: string, count: number) => void;

/**
 * Removes the items of a partition, call by call, so that it may hold any number. Cut off anywhere, it goes on when it is
 * called again.
 *
 * @param options.attributes what `before` needs besides the key
 * @param options.before is given the items of each call before they go, and takes away what only they lead to
 * @param options.filter which items; all when absent
 */
export async function removePartition(
  table: Table,
  pk: string,
  onRemoved: (count: number) => void,
  options: {
    attributes?: readonly string[];
    before?: (items: readonly RawItem[]) => Promise<void>;
    filter?: (item: RawItem) => boolean;
  } = {},
): Promise<void> {
  const { attributes = [], before, filter = () => true } = options;
  const names = ["pk", "sk", ...attributes];
  const parts = table.queryParts({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: pk } },
    ProjectionExpression: names.map((_, i) => `#${i}`).join(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
    ConsistentRead: true,
  });
  for await (const part of parts) {
    const items = part.filter(filter);
    if (items.length === 0) continue;
    await before?.(items);
    await table.batchDelete(items.map(keyOf));
    onRemoved(items.length);
  }
}

/** The key of an item in wire format. */
export function keyOf({ pk, sk }: RawItem): Key {
  return { pk: pk?.S ?? "", sk: sk?.S ?? "" };
}
