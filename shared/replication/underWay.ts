import { itemId, type Table } from "../table/client.ts";
import { locationInventoryWriter } from "../table/inventory.ts";
import { locationInventoryList, recordKey, recordList } from "../table/keys.ts";
import type { Fence } from "../table/rankedList/fence.ts";
import type { Clock } from "../time/clock.ts";

/** An inventory record, and the locations whose inventory was about to be written before it. */
export interface UnderWay {
  id: string;
  locations: string[];
}

type Inventory = Record<string, unknown> & { location_data?: { location_id: string; quantity: number }[] };

/** What is about to be written beside these records. */
export const underWayOf = (contents: readonly Record<string, unknown>[]): UnderWay[] =>
  (contents as readonly Inventory[]).map(({ id, location_data: places = [] }) => ({
    id: id as string,
    locations: places.map(({ location_id }) => location_id),
  }));

/**
 * Brings the inventory of locations back to what its records say, where a worker died after writing the one and before
 * writing the other. Left alone, a location would keep what the POS takes back before the next run, since that finds
 * the record itself unchanged.
 */
export async function mendLocations(
  { table, crbId, fence, clock }: { table: Table; crbId: string; fence: Fence; clock: Clock },
  underWay: readonly UnderWay[],
): Promise<void> {
  if (underWay.length === 0) return;
  const list = recordList(crbId, "inventory");
  const placeKey = (id: string, location: string) => recordKey(locationInventoryList(crbId, location), id);
  const keys = underWay.flatMap(({ id, locations }) => [
    recordKey(list, id),
    ...locations.map((location) => placeKey(id, location)),
  ]);
  const items = await table.batchGet(keys, { consistent: true, attributes: ["body"] });
  const bodyAt = (key: ReturnType<typeof recordKey>): Inventory | undefined => {
    const body = items.get(itemId(key))?.body;
    return typeof body === "string" ? JSON.parse(body) : undefined;
  };
  const contents = underWay.flatMap(({ id, locations }) => {
    const written = locations.filter((location) => bodyAt(placeKey(id, location)));
    const record = bodyAt(recordKey(list, id));
    // Of a record that was never written itself, the location's own copy tells what it was to be.
    const { quantity, ...content } = record ?? bodyAt(placeKey(id, written[0] ?? "")) ?? {};
    const quantityAt = (location: string) =>
      record?.location_data?.find(({ location_id }) => location_id === location)?.quantity ?? 0;
    const places = written.map((location) => ({ location_id: location, quantity: quantityAt(location) }));
    const dates = { svc_created_date: null, svc_updated_date: null };
    return written.length
      ? [{ ...content, ...(record ? {} : { total_quantity: 0 }), ...dates, location_data: places }]
      : [];
  });
  await locationInventoryWriter(table, crbId, { fence, clock })(contents);
}
