import type { Item, Table } from "../client.ts";
import { eventHeadKey, formerHeadKey, movedStateKey } from "../keys/events.ts";

/**
 * Moves a shard's state from where the preview stored it. The head comes last, so a shard with a head has moved.
 *
 * The preview must not run meanwhile: it would begin the shard again at the first place.
 *
 * @param pk the partition of the shard's events
 * @throws TransactionCanceledException if another caller moves the same shard; the caller must read again
 */
export async function moveShardState(table: Table, pk: string): Promise<void> {
  const items = await table.query({
    KeyConditionExpression: "pk = :pk AND sk >= :head",
    ExpressionAttributeValues: { ":pk": pk, ":head": formerHeadKey(pk).sk },
    ConsistentRead: true,
  });
  for (const item of items.filter(({ waiting }) => waiting !== undefined)) {
    const former = { ":former": item.waiting };
    await table.transact([
      table.deleteWrite(keyOf(item), { expression: "waiting = :former", values: former }),
      table.updateWrite(movedStateKey(item), {
        expression: "SET waiting = list_append(:former, if_not_exists(waiting, :none))",
        values: { ...former, ":none": [] },
      }),
    ]);
  }
  const others = items.filter(({ waiting }) => waiting === undefined);
  const head = others.find(({ sk }) => sk === formerHeadKey(pk).sk);
  if (others.length > 0) {
    await table.transact([
      ...(head ? [table.putWrite({ ...head, ...eventHeadKey(pk) }, { expression: "attribute_not_exists(pk)" })] : []),
      ...others.filter((item) => item !== head).map((item) => table.putWrite({ ...item, ...movedStateKey(item) })),
      ...others.map((item) => table.deleteWrite(keyOf(item))),
    ]);
  }
}

const keyOf = ({ pk, sk }: Item) => ({ pk, sk });
