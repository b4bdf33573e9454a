import type { RejectedPosRecord } from "../../connector.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { computeReadStart, createLastPage, planReadRange } from "../../framework/readRange.ts";
import { addRejected, mapRow, partitionRows, readRow } from "../../framework/readRow.ts";
import type { WholeList } from "../../framework/wholeList.ts";
import type { PosInventory, PosLocation, PosProduct } from "../../posRecords.ts";
import { type DutchieStore, posStore } from "./dutchieApi.ts";
import type { DutchiePull } from "./dutchiePull.ts";
import { inventoryRecord, keyOf, roomRecord, roomsOf, storeAsLocation } from "./inventory.ts";
import { productRecord } from "./products.ts";
import { inventoryRow, product, room } from "./responses.ts";

// Lists that Dutchie returns in one piece. Without pages, nothing can be missed between them.

const fullEveryDays = 7;

type Rooms = ReturnType<typeof partitionRows<PosLocation>>;
const noRooms: Rooms = { rows: [], rejected: [] };

/**
 * Products changed since the last pull. With two keys it always reads and merges all products. Both locations have most
 * products, each with its own price, and a change at one must not bring its price to the other.
 */
export async function readProducts(pull: DutchiePull<"product">, behind: string | null): Promise<WholeList<"product">> {
  const reach = planReadRange(pull.request, pull.date, pull.stores.length > 1 ? 0 : fullEveryDays);
  const changed = reach.mark && { fromLastModifiedDateUTC: computeReadStart(reach.mark.upTo).toISOString() };
  const records = new NextRecords<PosProduct>(behind);
  const rejected: RejectedPosRecord[] = [];
  for (const { api } of pull.stores) {
    const before = rejected.length;
    const begin = () => void rejected.splice(before);
    const take = (raw: unknown) => {
      const found = readRow(product, raw, (field) => field("productId"));
      if ("row" in found) records.add(found.row.productId, productRecord(found.row, api.kind));
      else addRejected(rejected, found.rejected);
    };
    await readFirstPermitted([
      () => api.eachRow(posPath`/reporting/products`, { ...changed }, take, begin),
      () => api.eachRow(posPath`/products`, { ...changed }, take, begin),
    ]);
  }
  return { ...records.take(), rejected, complete: false, ...createLastPage(reach) };
}

/** The whole stock. The second source lacks products that are not sold online, so its result is never complete. */
export async function readInventory(
  pull: DutchiePull<"inventory">,
  behind: string | null,
): Promise<WholeList<"inventory">> {
  const records = new NextRecords<PosInventory>(behind);
  const rejected: RejectedPosRecord[] = [];
  let complete = true;
  for (const { api, store } of pull.stores) {
    const location = store.locationid;
    // The pull of rooms reports rooms that break the schema. Here only their names are missing.
    const { rows: known } = await readFirstPermitted([() => readRooms({ api, store }), async () => noRooms]);
    const rooms = new Map(known.map((record) => [record.pos_location_id, record]));
    const query = { includeRoomQuantities: true };
    const before = rejected.length;
    const begin = () => void rejected.splice(before);
    const take = (raw: unknown) => {
      const read = readRow(inventoryRow, raw, keyOf(location, "inventoryId"));
      const found = "row" in read ? inventoryRecord(read.row, location, rooms) : read;
      if ("row" in found) records.add(found.row.pos_inventory_id, found.row);
      else addRejected(rejected, found.rejected);
    };
    await readFirstPermitted([
      () => api.eachRow(posPath`/reporting/inventory`, query, take, begin),
      () => {
        complete = false;
        return api.eachRow(posPath`/inventory`, query, take, begin);
      },
    ]);
  }
  return { ...records.take(), rejected, complete, ...createLastPage(planReadRange(pull.request, pull.date, 0)) };
}

/** The rooms of each location; the location itself if it has none. */
export async function readLocations(pull: DutchiePull<"location">): Promise<WholeList<"location">> {
  const records: PosLocation[] = [];
  const rejected = [];
  for (const { api, store } of pull.stores) {
    const rooms = await readFirstPermitted([
      () => readRooms({ api, store }),
      () => readRoomsOfInventory({ api, store }),
      async () => noRooms,
    ]);
    const hasNone = rooms.rows.length === 0 && rooms.rejected.length === 0;
    records.push(...(hasNone ? [storeAsLocation(store.locationid, posStore(store).name)] : rooms.rows));
    rejected.push(...rooms.rejected);
  }
  return { records, rejected, complete: true, ...createLastPage(planReadRange(pull.request, pull.date, 0)) };
}

async function readRooms({ api, store: { locationid } }: DutchieStore): Promise<Rooms> {
  const take = (row: unknown) =>
    mapRow(readRow(room, row, keyOf(locationid, "roomId")), (found) => roomRecord(found, locationid));
  return partitionRows(await api.rows(posPath`/room/rooms`, {}, take));
}

/** The pull of inventory reports a package that breaks the schema. Rooms that only this package names are added later. */
async function readRoomsOfInventory({ api, store }: DutchieStore): Promise<Rooms> {
  const query = { includeRoomQuantities: true };
  const take = (row: unknown) => readRow(inventoryRow, row, (field) => field("inventoryId"));
  const rows = await readFirstPermitted([
    () => api.rows(posPath`/reporting/inventory`, query, take),
    () => api.rows(posPath`/inventory`, query, take),
  ]);
  return { rows: roomsOf(partitionRows(rows).rows, store.locationid), rejected: [] };
}
