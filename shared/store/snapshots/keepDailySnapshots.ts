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

/** Less than the limit of a transaction, because each item may have grown to some KB. */
const statesAtOnce = 50;

/** The inventory whose daily snapshots are kept, the fence, and the time limits. */
export interface KeepingContext {
  table: Table;
  crbId: string;
  fence: Fence;
  clock: Clock;
  /** after this time the rest is left to the next worker */
  deadline?: Date | undefined;
  /** after this time work in progress is interrupted, too */
  cutOff?: Date | undefined;
}

/**
 * The CRB-local day on which the current inventory began. The current inventory is also that of every later day, until
 * replication writes on one of them. undefined before the first replication.
 */
export async function inventoryDay(table: Table, crbId: string): Promise<string | undefined> {
  return (await table.get(inventoryDayKey(crbId), { consistent: true }))?.day as string | undefined;
}

/**
 * Keeps a daily snapshot of every location whose inventory has changed since its last one. Call it before the first
 * write to a CRB's inventory on a new local day, once the inventory of the locations has all earlier changes. After an
 * interruption, another call continues and keeps the same snapshots.
 *
 * @param day the CRB-local day that ends, see `inventoryDay`; undefined before the first one
 * @param today the CRB-local day that begins, yyyy-MM-dd
 * @throws LeaseLostError if another worker has the lease; OutOfTimeError at the deadline, but never before something is
 *   kept
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
    // Another worker that has acquired the lease may write already. After a stale read, this location starts from its
    // beginning.
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
 * Builds the item of a location's daily snapshot, or of its progress at the deadline. undefined if the last snapshot is
 * still current.
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
  // In a rebuilt list, a position may belong to another record than in the previous snapshot.
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
