import type { RecordKind } from "../../../api/kinds.ts";
import type { PullPage, RejectedPosRecord } from "../../connector.ts";
import type { RecordsOrRejection } from "../../framework/makeRecords.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { withoutObserver } from "../../framework/observer.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { createLastPage, planReadRange } from "../../framework/readRange.ts";
import { addRejected, readRow, readRows } from "../../framework/readRow.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import type { WholeList, WholeLists } from "../../framework/wholeList.ts";
import { type PosLocation, type PosRecords, posIdOf } from "../../posRecords.ts";
import { type RoomsById, roomRecord, stockRecords } from "./inventory.ts";
import { type MeadowPull, organizationOf } from "./meadowApi.ts";
import { isOfPackages, packagePage } from "./packagePages.ts";
import { type Product, product, type Room, room } from "./responses.ts";

// Meadow returns the lists of products and rooms in one response without pages, so no row can be missed between pages.

/** Reads the rooms, called inventory locations, which include vehicles. Without rooms, returns the shop itself. */
export async function readLocations(pull: MeadowPull<"location">): Promise<WholeList<"location">> {
  const { rows, rejected } = await readRooms(pull);
  const { id, name } = pull.store;
  const records = rows.length + rejected.length > 0 ? rows : [roomRecord({ id, name, type: null })];
  return { records, rejected, complete: true, ...createLastPage(planReadRange(pull.request, pull.date, 0)) };
}

/** Reads a page of stock by package, or by product if there are no packages or the key may not read them. */
export async function inventoryPage(pull: MeadowPull<"inventory">, lists: WholeLists): Promise<PullPage<"inventory">> {
  const { request } = pull;
  // Rooms that do not match the schema are skipped, and inventory then lacks their names. The pull of locations reports
  // such rooms.
  const { rows: known } = await withoutObserver(() =>
    readFirstPermitted([() => readRooms(pull), async () => ({ rows: [], rejected: [] })]),
  );
  const rooms: RoomsById = new Map(known.map((record) => [record.pos_location_id, record]));
  const byProduct = () =>
    lists.page(pull.connection, request, (behind) => readMenu(pull, behind, (row) => stockRecords(row, rooms)));
  if (request.position !== null && !isOfPackages(request)) return byProduct();
  const byPackage = () => packagePage(pull, rooms);
  // The first page of a pull chooses between packages and products. Later pages keep the choice.
  if (isOfPackages(request)) return (await byPackage()) ?? byProduct();
  return readFirstPermitted([async () => (await byPackage()) ?? byProduct(), byProduct]);
}

/** Reads the records of all products, active or not. */
export async function readMenu<Kind extends RecordKind>(
  pull: MeadowPull<Kind>,
  behind: string | null,
  make: (row: Product) => RecordsOrRejection<PosRecords[Kind]>,
): Promise<WholeList<Kind>> {
  const { api, request, date } = pull;
  const records = new NextRecords<PosRecords[Kind]>(behind);
  const rejected: RejectedPosRecord[] = [];
  let own = new StoreRows(organizationOf(pull));
  await api.eachProduct(
    (raw) => {
      if (!own.has(raw)) return;
      const found = readRow(product, raw, "id");
      if ("rejected" in found) return addRejected(rejected, found.rejected);
      const made = make(found.row);
      if ("reason" in made) addRejected(rejected, { posId: found.row.id, ...made });
      else for (const record of made) records.add(posIdOf(request.kind, record), record);
    },
    () => {
      rejected.splice(0);
      own = new StoreRows(organizationOf(pull));
    },
  );
  const { foreign } = own;
  // The options of an unreadable product are unknown, so the list is then not complete. A key is for one organization, so a
  // menu with rows of another organization is not reliable and does not count as complete.
  const complete = rejected.length === 0 && foreign === 0;
  return { ...records.take(), rejected, foreign, complete, ...createLastPage(planReadRange(request, date, 0)) };
}

async function readRooms({ api }: Pick<MeadowPull<RecordKind>, "api">) {
  return readRows<Room, PosLocation>(room, await api.rows(posPath`/api/v1/inventory-locations`), "id", roomRecord);
}
