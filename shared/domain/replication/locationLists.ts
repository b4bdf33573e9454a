import type { Connection } from "../../pos/connector.ts";
import type { Item } from "../../store/client.ts";
import { type Inventory, recordStockedLocation, stockedLocations } from "../../store/inventory.ts";
import { outboxPartition } from "../../store/keys/inventory.ts";
import { locationInventoryList, recordKey, recordList } from "../../store/keys/orderedLists.ts";
import { transactFenced } from "../../store/orderedList/fence.ts";
import { type RecordToWrite, RecordWriter } from "../../store/orderedList/recordWriter.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { localDay } from "../../time/localTime.ts";
import { inventoryDay, keepDailySnapshots } from "../inventory/keepDailySnapshots.ts";
import type { DerivedLists, RunContext } from "./runContext.ts";

/** The parts of a run's context that `LocationLists` needs. */
type InventoryContext = Omit<RunContext, "connection"> & { connection: Pick<Connection, "crbId" | "timezone"> };

/** Number of outbox items that are processed together. One page of POS records needs fewer outbox items than this. */
const itemsAtOnce = 4;

/**
 * The inventory lists of the locations of a CRB, derived from the CRB's inventory. An update reads the present state of each
 * record that the outbox names. It deletes an outbox item after it has processed the item's records, so the next run finishes
 * an interrupted update. Order and repetition do not matter, because only the present state of a record counts.
 */
export class LocationLists implements DerivedLists {
  readonly #context: InventoryContext;
  readonly #writers = new Map<string, RecordWriter>();
  /** The locations that had inventory before the first write of this run. */
  #stocked: ReadonlySet<string> | undefined;
  /** The local day on which the current inventory began; see `inventoryDay`. */
  #day: string | undefined;

  constructor(context: InventoryContext) {
    this.#context = context;
  }

  /**
   * Before the first change of a local day, stores the daily snapshot of each location.
   *
   * @throws ServiceError "unavailable" if this machine's clock is wrong
   */
  async beforeChange(): Promise<void> {
    const { table, connection, clock } = this.#context;
    const { crbId, timezone } = connection;
    this.#day ??= await inventoryDay(table, crbId);
    const today = localDay(clock.now(), timezone);
    if (this.#day && this.#day >= today) return;
    // A stored day never moves back. If this machine's clock were ahead, the days in between would get no daily snapshots.
    table.checkClock();
    await this.updateLists();
    await keepDailySnapshots({ ...this.#context, crbId }, this.#day, today);
    this.#day = today;
  }

  /** @throws OutOfTimeError at the deadline, but only after at least one step */
  async updateLists(): Promise<void> {
    const { table, connection, clock, deadline } = this.#context;
    for (let isFirst = true; ; isFirst = false) {
      const outbox = outboxPartition(connection.crbId);
      const items = await table.queryPartition(outbox, { consistent: true, limit: itemsAtOnce });
      if (items.length === 0) return;
      if (!isFirst) checkDeadline(clock, deadline);
      await this.#followItems(items as (Item & { ids: string[] })[]);
    }
  }

  async #followItems(items: readonly (Item & { ids: string[] })[]): Promise<void> {
    const { table, connection, fence, clock, cutOff } = this.#context;
    const inventory = recordList(connection.crbId, "inventory");
    const keys = items.flatMap(({ ids }) => ids).map((id) => recordKey(inventory, id));
    const stored = await table.batchGet(keys, { consistent: true, attributes: ["body", "hash"] });
    const records = [...stored.values()].map(({ body }) => JSON.parse(body as string) as Inventory);
    // Update one location at a time, because all transactions check the same fence item, and DynamoDB rejects concurrent
    // transactions on one item.
    for (const [locationId, ofLocation] of byLocation(records)) {
      const writer = await this.#writerOf(locationId);
      await writer.write(ofLocation);
    }
    const deletes = items.map(({ pk, sk }) => table.deleteWrite({ pk, sk }));
    await retryOnConflict(clock, () => transactFenced(table, fence, deletes), { deadline: cutOff });
  }

  async #writerOf(locationId: string): Promise<RecordWriter> {
    const { table, connection, fence, clock, cutOff } = this.#context;
    const { crbId } = connection;
    const known = this.#writers.get(locationId);
    if (known) return known;
    this.#stocked ??= await stockedLocations(table, crbId);
    if (!this.#stocked.has(locationId)) await recordStockedLocation(table, crbId, locationId);
    const list = locationInventoryList(crbId, locationId);
    const writer = new RecordWriter(table, list, { fence, clock, deadline: cutOff });
    this.#writers.set(locationId, writer);
    return writer;
  }
}

/** Derives the records of each location from inventory records. */
export function byLocation(records: readonly Inventory[]): Map<string, RecordToWrite[]> {
  const dates = { svc_created_date: null, svc_updated_date: null };
  const lists = new Map<string, RecordToWrite[]>();
  for (const { location_data: places = [], ...record } of records) {
    for (const { location_id, quantity } of places) {
      const ofLocation = lists.get(location_id) ?? [];
      ofLocation.push({ id: record.id as string, content: { ...record, ...dates, quantity } });
      lists.set(location_id, ofLocation);
    }
  }
  return lists;
}
