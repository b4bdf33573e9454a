import type { Table } from "../../store/client.ts";
import { streamInventoryInStock } from "../../store/inventory.ts";
import { recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { positionToNumber } from "../../store/keys/positions.ts";
import type { RecordWriter } from "../../store/orderedList/recordWriter.ts";
import { checkDeadline } from "../../time/deadline.ts";
import type { OmittedStock } from "./confirmPull.ts";
import { withoutStock } from "./normalizeInventory.ts";
import type { RunContext } from "./runContext.ts";
import type { SeenPositions } from "./seenPositions.ts";

const recordsPerWrite = 250;

/** The inventory records with a quantity that a pull has not named. */
export interface VanishedInventory extends OmittedStock {
  /**
   * Sets them to quantity 0 at all their locations.
   *
   * @param write writes records of the inventory
   * @throws OutOfTimeError at the deadline, after some were written; the next run finds fewer
   */
  setToZero(write: RecordWriter["write"]): Promise<void>;
}

/**
 * Counts the inventory records with a quantity, and those that a pull has not named. The count is exact: the index
 * entries are read consistently, after the pull has written everything, and no other worker writes under its lease.
 *
 * @param seen positions of everything that the pull named, from its beginning to its end
 * @param maxKeptIds more ids are not kept in memory: the index entries are read a second time instead
 */
export async function findVanished(
  context: RunContext,
  seen: SeenPositions,
  maxKeptIds = 20_000,
): Promise<VanishedInventory> {
  const { table, connection } = context;
  let inStock = 0;
  let vanished = 0;
  const kept: string[] = [];
  for await (const part of streamInventoryInStock(table, connection.crbId)) {
    inStock += part.length;
    for (const { id, rank } of part) {
      if (seen.has(rank)) continue;
      vanished++;
      if (kept.length < maxKeptIds) kept.push(id);
    }
  }
  const ids = () => (vanished > kept.length ? unseenIds(table, connection.crbId, seen) : [kept]);
  return { inStock, vanished, setToZero: (write) => zeroVanished(context, write, seen, ids()) };
}

async function zeroVanished(
  { table, connection, clock, deadline }: RunContext,
  write: RecordWriter["write"],
  seen: SeenPositions,
  ids: Iterable<string[]> | AsyncIterable<string[]>,
): Promise<void> {
  const list = recordList(connection.crbId, "inventory");
  let zeroed = 0;
  for await (const some of inParts(ids, recordsPerWrite)) {
    if (zeroed > 0) checkDeadline(clock, deadline);
    const keys = some.map((id) => recordKey(list, id));
    const items = await table.batchGet(keys, { consistent: true, attributes: ["rank", "body"] });
    // The record decides, whatever its index entry shows: one that the pull named is never set to 0.
    const unseen = [...items.values()].filter(({ rank }) => !seen.has(positionToNumber(rank as string)));
    const records = unseen.map(({ sk, body }) => ({ id: sk, content: withoutStock(JSON.parse(body as string)) }));
    zeroed += (await write(records)).changed;
  }
}

async function* unseenIds(table: Table, crbId: string, seen: SeenPositions): AsyncGenerator<string[]> {
  for await (const part of streamInventoryInStock(table, crbId)) {
    yield part.filter(({ rank }) => !seen.has(rank)).map(({ id }) => id);
  }
}

/** Joins and cuts lists into parts of `size` ids; the last part may be shorter. */
async function* inParts(lists: Iterable<string[]> | AsyncIterable<string[]>, size: number): AsyncGenerator<string[]> {
  let pending: string[] = [];
  for await (const list of lists) {
    pending.push(...list);
    while (pending.length >= size) {
      yield pending.slice(0, size);
      pending = pending.slice(size);
    }
  }
  if (pending.length > 0) yield pending;
}
