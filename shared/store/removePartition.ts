import type { RawItem, Table } from "./client.ts";
import type { Key } from "./keys/key.ts";

/** Receives the number of removed items of a kind. */
export type RemovalListener = (what: string, count: number) => void;

/**
 * Removes the items of a partition of any size, in parts of 1 MB. After an interruption, another call continues.
 *
 * @param options.attributes attributes that `filter` needs in addition to the key
 * @param options.filter selects the items to remove; default all
 */
export async function removePartition(
  table: Table,
  pk: string,
  onRemoved: (count: number) => void,
  { attributes = [], filter = () => true }: { attributes?: string[]; filter?: (item: RawItem) => boolean } = {},
): Promise<void> {
  const parts = table.queryParts(pk, { attributes: ["pk", "sk", ...attributes], consistent: true });
  for await (const part of parts) {
    const items = part.filter(filter);
    if (items.length === 0) continue;
    await table.batchDelete(items.map(keyOf));
    onRemoved(items.length);
  }
}

/** The key of an item in wire format. */
export const keyOf = ({ pk, sk }: RawItem): Key => ({ pk: pk?.S ?? "", sk: sk?.S ?? "" });
