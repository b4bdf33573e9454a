import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { Clock } from "../../time/clock.ts";
import { checkDeadline, OutOfTimeError } from "../../time/deadline.ts";
import type { Item, Table } from "../client.ts";
import { inventoryDayKey, snapshotProgressKey } from "../keys/inventory.ts";
import { locationInventoryList } from "../keys/orderedLists.ts";
import { loadDayIndexes } from "../orderedList/dayIndexItems.ts";
import { type Fence, transactFenced } from "../orderedList/fence.ts";
import { retryOnConflict } from "../retryOnConflict.ts";
import { buildSnapshot } from "./buildSnapshot.ts";
import { SnapshotItems } from "./snapshotItems.ts";
import { loadSnapshotProgress, noProgress, type SnapshotProgress, snapshotProgressItem } from "./snapshotProgress.ts";
import { stockedLocations } from "./stockedLocations.ts";

/**
 * Maximum number of snapshot items per transaction. It is lower than DynamoDB's limit, because each item may have
 * several KB.
 */
const statesAtOnce = 50;

/** The inventory whose daily snapshots are kept, the fence, and the time limits. */
export interface KeepingContext {
  table: Table;
  crbId: string;
  fence: Fence;
  clock: Clock;
  /** after this time the worker stops and leaves the rest to the next worker */
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
 * Stores a daily snapshot for every location whose inventory has changed since its last snapshot. Call it before the
 * first write to a CRB's inventory on a new local day, after the inventory of the locations has got all earlier
 * changes. After an interruption, another call continues and stores the same snapshots.
 *
 * @param day the CRB-local day that ends, see `inventoryDay`; undefined before the first replication
 * @param today the CRB-local day that begins, yyyy-MM-dd
 * @throws LeaseLostError if another worker has the lease; OutOfTimeError at the deadline, after progress was stored, or
 *   at the cut-off
 */
export async function keepDailySnapshots(
  context: KeepingContext,
  day: string | undefined,
  today: string,
): Promise<void> {
  const { table, crbId, fence, clock, deadline, cutOff } = context;
  const pending: Item[] = [];
  const commit = (...more: TransactWriteItem[]) => {
    const writes = [...pending.splice(0).map((item) => table.putWrite(item)), ...more];
    return retryOnConflict(clock, () => transactFenced(table, fence, writes), { deadline: cutOff });
  };
  const left = day ? await loadSnapshotProgress(table, crbId) : undefined;
  const locations = day ? await stockedLocations(table, crbId) : [];
  for (const locationId of locations) {
    if (pending.length === statesAtOnce || (pending.length > 0 && deadline && clock.now() >= deadline)) {
      await commit();
      checkDeadline(clock, deadline);
    }
    let begun = left?.location === locationId ? left : undefined;
    // A read can be stale, because another worker may have acquired the lease and be writing. After a stale read, the
    // snapshot of this location is built from the beginning.
    const state = await retryOnConflict(
      clock,
      () => {
        const from = begun;
        begun = undefined;
        return stateOf(context, locationId, day as string, from);
      },
      { deadline: cutOff },
    );
    if (!state) continue;
    pending.push(state.item);
    if (state.isWhole) continue;
    await commit();
    throw new OutOfTimeError();
  }
  const isLeft = left ? [table.deleteWrite(snapshotProgressKey(crbId))] : [];
  await commit(table.putWrite({ ...inventoryDayKey(crbId), day: today }), ...isLeft);
}

/**
 * Builds a location's daily snapshot and returns its item. Returns the item of the build's progress if the deadline
 * comes first; undefined if the last snapshot is still current.
 *
 * @param begun the progress of an interrupted build
 */
async function stateOf(
  { table, crbId, clock, deadline, cutOff }: KeepingContext,
  locationId: string,
  day: string,
  begun: SnapshotProgress | undefined,
): Promise<{ isWhole: boolean; item: Item } | undefined> {
  const list = locationInventoryList(crbId, locationId);
  const items = new SnapshotItems(table, crbId, locationId);
  const [dayIndexes, latest] = await Promise.all([loadDayIndexes(table, list.orders.rank), items.latest(day)]);
  const version = dayIndexes.reduce((sum, dayIndex) => sum + dayIndex.version, 0);
  const generation = dayIndexes.at(-1)?.generation;
  // The previous snapshot is not continued in a rebuilt list, because a position may now belong to another record.
  const before = latest?.generation === generation ? latest : undefined;
  if (version === (before?.version ?? 0)) return undefined;
  const source = { table, list, items, dayIndexes, clock, deadline: cutOff };
  const isOver = () => deadline !== undefined && clock.now() >= deadline;
  const from = begun?.version === version && begun.generation === generation ? begun : noProgress;
  const { isWhole, ...made } = await buildSnapshot(source, before, from, isOver);
  const item = isWhole
    ? items.stateItem({ day, version, generation, newest: made.newest, nodes: made.nodes })
    : snapshotProgressItem(crbId, { ...made, location: locationId, version, generation });
  return { isWhole, item };
}
