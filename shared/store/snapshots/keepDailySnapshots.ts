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

/** Fewer than a transaction takes: each may have grown to some KB. */
const statesAtOnce = 50;

/** Who keeps daily snapshots, under which fence, and until when. */
export interface KeepingContext {
  table: Table;
  crbId: string;
  fence: Fence;
  clock: Clock;
  /** after this the rest is left to the next worker */
  deadline?: Date | undefined;
  /** after this what was begun is cut off, too */
  cutOff?: Date | undefined;
}

/**
 * The CRB-local day on which the present inventory began to be written: it is what stood at the end of that day and,
 * until replication writes on a later one, of every day after it. Undefined before the first replication.
 */
export async function inventoryDay(table: Table, crbId: string): Promise<string | undefined> {
  return (await table.get(inventoryDayKey(crbId), { consistent: true }))?.day as string | undefined;
}

/**
 * To be called before anything is written to a CRB's inventory on a new local day, when that of its locations has followed
 * all that was written before: keeps how the inventory of every location closed that has changed since its last closing
 * state. Cut off in between and called again, it goes on where it was at the deadline, and keeps the same.
 *
 * @param day the CRB-local day that ends, see `inventoryDay`; undefined before the first one
 * @param today the CRB-local day that begins, yyyy-MM-dd
 * @throws LeaseLostError when the fence no longer stands; OutOfTimeError at the deadline, but never before something is kept
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
    // Whoever has taken the lease over may write already: then what was read fits together only when it is read again.
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
 * The item that tells how the inventory of a location closed, or how far that is at the deadline; undefined where the last
 * state still tells it.
 *
 * @param begun what was left of it
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
