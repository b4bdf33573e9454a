import type { RecordKind } from "../../../api/kinds.ts";
import { observeGuess } from "../../framework/observer.ts";
import type { PagedList } from "../../framework/pagedList.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { readExtraRows } from "../../framework/readExtraRows.ts";
import { daysAfter } from "../../framework/readRange.ts";
import type { StorePull } from "../../framework/storeConnector.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { isSourceUnavailable } from "../../framework/toPosError.ts";
import type { PosLocation } from "../../posRecords.ts";
import type { BlazeApi } from "./blazeApi.ts";
import { roomRecord } from "./records.ts";
import { batch, room } from "./responses.ts";

export type BlazePull<Kind extends RecordKind> = StorePull<BlazeApi, Kind>;

const pageSize = 100;

/** Selects the rows of the shop. The row of a member names the shop of its sign-up, so members need no selection. */
export const shopOf = ({ store }: BlazePull<RecordKind>) => ({ ids: [store.id], idOf: "shopId" });

/** A list that every pull reads completely. */
const wholeList = (api: BlazeApi, path: PosPath): PagedList => ({
  size: pageSize,
  fullEveryDays: 0,
  idField: "id",
  countsRows: true,
  fetch: (_, skip, size) => api.page(path, {}, skip, size),
});

export const products = (api: BlazeApi) => wholeList(api, posPath`/products`);
export const inventories = (api: BlazeApi) => wholeList(api, posPath`/store/inventory/inventories`);

/** Members by date of change. That the filter compares it was only observed, so once a week all are read. */
export function members({ api, request }: BlazePull<"customer">): PagedList {
  return {
    size: pageSize,
    fullEveryDays: 7,
    idField: "id",
    countsRows: true,
    fetch: (since, skip, size) => {
      const endDate = daysAfter(request.now, 1).getTime();
      return api.page(posPath`/members`, { startDate: since?.getTime() ?? 0, endDate }, skip, size);
    },
  };
}

/** Reads rooms, which Blaze calls inventories, by id. The result is empty if Blaze does not return rooms. */
export async function readRooms(pull: BlazePull<"inventory">): Promise<Map<string, PosLocation>> {
  const rooms = new Map<string, PosLocation>();
  const own = new StoreRows(shopOf(pull));
  const fetch = (_: number, skip: number) => pull.api.page(posPath`/store/inventory/inventories`, {}, skip, pageSize);
  const take = (raw: unknown) => {
    const row = own.has(raw) ? room.safeParse(raw).data : undefined;
    if (row) rooms.set(row.id, roomRecord(row));
  };
  await readExtraRows(pull, fetch, take, isSourceUnavailable);
  return rooms;
}

/** Reads unit costs in dollars by product id, from each product's latest batch; none unless all batches were read. */
export async function readCosts(pull: BlazePull<"product">): Promise<Map<string, string>> {
  const latest = new Map<string, { cost: string; created: string }>();
  const own = new StoreRows(shopOf(pull));
  for (const status of ["RECEIVED", "READY_FOR_SALE"]) {
    const fetch = (_: number, skip: number) => pull.api.page(posPath`/store/batches`, { status }, skip, pageSize);
    const take = (raw: unknown) => {
      if (!own.has(raw)) return;
      const { productId = null, costPerUnit = null, created = null } = batch.safeParse(raw).data ?? {};
      const isOlder = (created ?? "") < (latest.get(productId ?? "")?.created ?? "");
      if (productId !== null && costPerUnit !== null && !isOlder) {
        latest.set(productId, { cost: costPerUnit, created: created ?? "" });
      }
    };
    if (await readExtraRows(pull, fetch, take, isSourceUnavailable)) continue;
    // A batch that was not read may be the latest batch of its product.
    observeGuess("cost of a unit", "left out");
    return new Map();
  }
  return new Map([...latest].map(([product, { cost }]) => [product, cost]));
}
