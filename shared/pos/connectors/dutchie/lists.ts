import type { RejectedPosRecord } from "../../connector.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { computeReadStart, createLastPage, planReadRange } from "../../framework/readRange.ts";
import { addRejected, mapRow, partitionRows, readRow } from "../../framework/readRow.ts";
import type { WholeList } from "../../framework/wholeList.ts";
import { type PosInventory, type PosLocation, type PosProduct, posLocation } from "../../posRecords.ts";
import { type DutchiePull, type DutchieStore, posStore } from "./dutchieApi.ts";
import { inventoryRecord, keyOf, roomRecord, roomsOf } from "./inventory.ts";
import { productRecord } from "./products.ts";
import { inventoryRow, product, room } from "./responses.ts";

// Dutchie returns each of these lists in one response without pages, so no row can be missed between pages.

const fullEveryDays = 7;

type Rooms = ReturnType<typeof partitionRows<PosLocation>>;
const noRooms: Rooms = { rows: [], rejected: [] };

/**
 * Reads the products changed since the last pull. For a connection with two keys, it always reads all products of both
 * locations and merges them. Most products exist at both locations with different prices, and a change at one location must
 * not replace the stored price with that location's price.
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
      const found = readRow(product, raw, "productId");
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

/** Reads the inventory report, or else the list of inventory, which lacks products that are not sold online. */
export async function readInventory(
  pull: DutchiePull<"inventory">,
  behind: string | null,
): Promise<WholeList<"inventory">> {
  const records = new NextRecords<PosInventory>(behind);
  const rejected: RejectedPosRecord[] = [];
  let complete = true;
  for (const { api, store } of pull.stores) {
    const location = store.locationid;
    // Rooms that do not match the schema are skipped, and inventory then lacks their names. The pull of locations reports
    // such rooms.
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

/** Reads the rooms of each location. If a location has no rooms, returns the location itself. */
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
    const itself = posLocation(`store-${store.locationid}`, posStore(store).name);
    records.push(...(hasNone ? [itself] : rooms.rows));
    rejected.push(...rooms.rejected);
  }
  return { records, rejected, complete: true, ...createLastPage(planReadRange(pull.request, pull.date, 0)) };
}

async function readRooms({ api, store: { locationid } }: DutchieStore): Promise<Rooms> {
  const take = (row: unknown) =>
    mapRow(readRow(room, row, keyOf(locationid, "roomId")), (found) => roomRecord(found, locationid));
  return partitionRows(await api.rows(posPath`/room/rooms`, {}, take));
}

/** Reads the rooms that packages name. Unreadable packages are skipped; the pull of inventory reports them. */
async function readRoomsOfInventory({ api, store }: DutchieStore): Promise<Rooms> {
  const query = { includeRoomQuantities: true };
  const take = (row: unknown) => readRow(inventoryRow, row, "inventoryId");
  const rows = await readFirstPermitted([
    () => api.rows(posPath`/reporting/inventory`, query, take),
    () => api.rows(posPath`/inventory`, query, take),
  ]);
  return { rows: roomsOf(partitionRows(rows).rows, store.locationid), rejected: [] };
}
