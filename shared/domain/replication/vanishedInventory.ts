import type { Table } from "../../store/client.ts";
import { damagedText } from "../../store/damagedRecords.ts";
import { streamInventoryInStock } from "../../store/inventory.ts";
import { recordKey, recordList } from "../../store/keys/orderedLists.ts";
import type { RecordWriter } from "../../store/orderedList/recordWriter.ts";
import { checkDeadline } from "../../time/deadline.ts";
import type { OmittedStock } from "./confirmPull.ts";
import { withoutStock } from "./normalizeInventory.ts";
import type { RunContext } from "./runContext.ts";
import type { SeenPositions } from "./seenPositions.ts";

const recordsPerWrite = 250;

/** The inventory records that have a quantity although a pull has not named them. */
export interface VanishedInventory extends OmittedStock {
  /**
   * Sets these records to quantity 0 at all their locations.
   *
   * @param write writes inventory records
   * @throws OutOfTimeError at the deadline, but only after some records were written; the next run sets the remaining records
   */
  setToZero(write: RecordWriter["write"]): Promise<void>;
}

/** Number of ids in a sample. Ids are hashes, so the smallest ones are a random choice that every pull makes alike. */
const sampleSize = 64;

/**
 * Counts the inventory records with a quantity, and the records among them that a pull has not named. Call it after the pull's
 * last write. The count is exact, because the index entries are read consistently and no other worker writes during the lease.
 *
 * @param seen positions of all records that the pull named, from its beginning to its end
 * @param waitingSample the sample of the result that waits for confirmation
 * @param maxKeptIds maximum number of ids kept in memory; if there are more, `setToZero` reads the index entries again
 */
export async function findVanished(
  context: RunContext,
  seen: SeenPositions,
  waitingSample: readonly string[] = [],
  maxKeptIds = 20_000,
): Promise<VanishedInventory> {
  const { table, connection } = context;
  let inStock = 0;
  let vanished = 0;
  const kept: string[] = [];
  const waiting = new Set(waitingSample);
  const ofWaitingSample = { inStock: 0, vanished: 0 };
  let sample: string[] = [];
  for await (const part of streamInventoryInStock(table, connection.crbId)) {
    inStock += part.length;
    for (const [id, { rank }] of part) {
      if (waiting.has(id)) ofWaitingSample.inStock++;
      if (seen.has(rank)) continue;
      vanished++;
      if (waiting.has(id)) ofWaitingSample.vanished++;
      if (sample.length < sampleSize || id < (sample.at(-1) as string)) {
        sample = [...sample, id].sort().slice(0, sampleSize);
      }
      if (kept.length < maxKeptIds) kept.push(id);
    }
  }
  const ids = () => (vanished > kept.length ? unseenIds(table, connection.crbId, seen) : [kept]);
  return {
    inStock,
    vanished,
    sample,
    ofWaitingSample,
    setToZero: (write) => zeroVanished(context, write, seen, ids()),
  };
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
    const items = await table.batchGet(keys, { consistent: true, attributes: ["rank", "body", "hash"] });
    // Check the stored record, not its index entry, so that a record that the pull named is never set to 0.
    const readable = [...items.values()].filter(({ body }) => body !== damagedText);
    const unseen = readable.filter(({ rank }) => !seen.has(rank as string));
    const records = unseen.map(({ sk, body }) => ({ id: sk, content: withoutStock(JSON.parse(body as string)) }));
    zeroed += (await write(records)).changed;
  }
}

async function* unseenIds(table: Table, crbId: string, seen: SeenPositions): AsyncGenerator<string[]> {
  for await (const part of streamInventoryInStock(table, crbId)) {
    yield part.filter(([, { rank }]) => !seen.has(rank)).map(([id]) => id);
  }
}

/** Joins the lists and yields their ids in parts of `size`; the last part may be shorter. */
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
