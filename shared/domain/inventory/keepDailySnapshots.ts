import { createHash } from "node:crypto";
import { maxLagMs, type Table } from "../../store/client.ts";
import { stockedLocations } from "../../store/inventory.ts";
import { dailySnapshotKey, inventoryDayKey, snapshotPartition } from "../../store/keys/inventory.ts";
import { locationInventoryList, type OrderedList } from "../../store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../store/orderedList/dayIndex.ts";
import { checkFence, type Fence, transactFenced } from "../../store/orderedList/fence.ts";
import { countRecords, selectDays } from "../../store/orderedList/planPage.ts";
import { readPage } from "../../store/orderedList/readPage.ts";
import { RetryPolicy, retryOnConflict, retryOnOutage, StaleReadError } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { loadSnapshotBucket, readLatestSnapshot, snapshotKey } from "./dailySnapshots.ts";
import { packSnapshot } from "./snapshotFile.ts";

const recordsPerRead = 250;
/** No caller waits for a response, so pauses can be longer. */
const maxPauseMs = 5_000;

/** The inventory whose daily snapshots are kept, the fence, and the time limits. */
interface KeepingContext {
  table: Table;
  crbId: string;
  fence: Fence;
  clock: Clock;
  /** after this time the worker begins no other file, and leaves the rest to the next worker */
  deadline?: Date | undefined;
  /** after this time retries and reads in progress are interrupted, too */
  cutOff?: Date | undefined;
}

/**
 * Reads the CRB-local day on which the current inventory began; undefined before the first replication. Until
 * replication writes on a later day, the current inventory is also the inventory of all later days.
 */
export async function inventoryDay(table: Table, crbId: string): Promise<string | undefined> {
  return (await table.get(inventoryDayKey(crbId), { consistent: true }))?.day as string | undefined;
}

/**
 * Stores a file for every location whose inventory has changed since its last snapshot. Call it before the first write
 * to a CRB's inventory on a new local day, after the inventory of the locations has got all earlier changes. After an
 * interruption, another call stores the files that are missing.
 *
 * @param day the CRB-local day that ends, see `inventoryDay`; undefined before the first replication
 * @param today the CRB-local day that begins, yyyy-MM-dd
 * @throws LeaseLostError if another worker has the lease; OutOfTimeError at the deadline, but only after at least one
 *   file, or at the cut-off; ServiceError "unavailable" if the table or the bucket cannot be reached
 */
export async function keepDailySnapshots(
  context: KeepingContext,
  day: string | undefined,
  today: string,
): Promise<void> {
  const { table, crbId, clock, deadline, cutOff } = context;
  let stored = 0;
  for (const locationId of day ? await stockedLocations(table, crbId) : []) {
    if (stored > 0) checkDeadline(clock, deadline);
    // A read can be stale, because another worker may have acquired the lease and be writing.
    const keep = () => keepDailySnapshot(context, locationId, day as string);
    if (await retryOnConflict(clock, keep, { deadline: cutOff })) stored++;
  }
  await commit(context, { ...inventoryDayKey(crbId), day: today });
}

/**
 * Stores the file of one location, then the item that names it.
 *
 * @returns false if the last snapshot is still current, and nothing was stored
 */
async function keepDailySnapshot(context: KeepingContext, locationId: string, day: string): Promise<boolean> {
  const { table, crbId, fence, clock, cutOff: deadline } = context;
  const list = locationInventoryList(crbId, locationId);
  const [state, latest] = await Promise.all([
    loadState(table, list),
    readLatestSnapshot(table, crbId, locationId, day),
  ]);
  const { version, generation, total } = state;
  if (version === (latest?.version ?? 0) && generation === latest?.generation) return false;
  const { content, metadata } = await packSnapshot(total, streamRecords(context, list, total));
  const after = await loadState(table, list);
  if (after.version !== version || after.generation !== generation) throw new StaleReadError(list.pk);
  // A purge ends the leases before it removes the files.
  await checkFence(table, fence);
  // Only one state of a list has this name: a restored table has another name, and a rebuilt list another generation.
  // So a worker that loses its lease now, or works a second time, stores nothing but the state of the name.
  const name = createHash("sha256")
    .update(JSON.stringify([table.name, generation, version]))
    .digest("base64url");
  const file = `${day}-${name.slice(0, 16)}.ndjson.gz`;
  const bucket = await loadSnapshotBucket();
  const put = () => bucket.storeOnce(snapshotKey(crbId, locationId, file), content, metadata);
  await retryOnOutage(clock, put, { maxPauseMs, deadline });
  await commit(context, { ...dailySnapshotKey(snapshotPartition(crbId, locationId), day), version, generation, file });
  return true;
}

/** The version and generation of a list, and the number of its records, all of one state. */
async function loadState(table: Table, list: OrderedList) {
  const dayIndexes = await loadDayIndexes(table, list.orders.rank);
  return {
    version: dayIndexes.reduce((sum, dayIndex) => sum + dayIndex.version, 0),
    generation: dayIndexes.at(-1)?.generation,
    total: countRecords(selectDays(dayIndexes, {})),
  };
}

/** Reads all records of a list that has no concurrent writers, newest first. */
async function* streamRecords(
  { table, clock, cutOff: deadline }: KeepingContext,
  list: OrderedList,
  total: number,
): AsyncGenerator<string[]> {
  for (let offset = 0; offset < total; offset += recordsPerRead) {
    checkDeadline(clock, deadline);
    const limit = Math.min(recordsPerRead, total - offset);
    const page = () => readPage(table, list, { offset, limit });
    const read = () => retryOnOutage(clock, page, { maxPauseMs, deadline });
    // If the index does not show all records yet, the page is read again. The records cannot have moved.
    const tries = new RetryPolicy(clock, { maxPauseMs, minTotalMs: maxLagMs, deadline });
    let { records } = await read();
    while (records.length < limit) {
      await tries.pause();
      ({ records } = await read());
    }
    yield records;
  }
}

function commit(
  { table, fence, clock, cutOff }: KeepingContext,
  item: Parameters<Table["putWrite"]>[0],
): Promise<void> {
  return retryOnConflict(clock, () => transactFenced(table, fence, [table.putWrite(item)]), { deadline: cutOff });
}
