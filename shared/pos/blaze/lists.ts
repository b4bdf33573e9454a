import type { RecordKind } from "../../kinds.ts";
import type { PosError } from "../connector.ts";
import type { PosLocation } from "../posRecords.ts";
import { firstPermitted } from "../reading/firstPermitted.ts";
import type { Query } from "../reading/jsonApi.ts";
import type { PagedList } from "../reading/pagedList.ts";
import { type PosPath, posPath } from "../reading/posPath.ts";
import { daysAfter } from "../reading/readSpan.ts";
import type { StorePull } from "../reading/storeConnector.ts";
import { timeLeft } from "../reading/timeLeft.ts";
import { batch, room } from "./answers.ts";
import type { BlazeApi } from "./blazeApi.ts";
import { roomRecord } from "./records.ts";

/** What the pages of one pull have in common. */
export type BlazePull<Kind extends RecordKind> = StorePull<BlazeApi, Kind>;

const pageSize = 100;

/** A list that is read as a whole each time. */
const wholeList = (api: BlazeApi, path: PosPath): PagedList => ({
  size: pageSize,
  fullEveryDays: 0,
  idField: "id",
  countsRows: true,
  fetch: (_, skip, size) => api.page(path, {}, skip, size),
});

export const products = (api: BlazeApi) => wholeList(api, posPath`/products`);
export const inventories = (api: BlazeApi) => wholeList(api, posPath`/store/inventory/inventories`);

/** Members by the time of their change; that these dates are meant is seen only, so all come once a week. */
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

/** Blaze's inventories, which are rooms to us, by id; none where Blaze does not give them. */
export async function readRooms(pull: BlazePull<"inventory">): Promise<Map<string, PosLocation>> {
  const rooms = new Map<string, PosLocation>();
  await eachIfGiven(pull, posPath`/store/inventory/inventories`, {}, (raw) => {
    const row = room.safeParse(raw).data;
    if (row) rooms.set(row.id, roomRecord(row));
  });
  return rooms;
}

/** What one unit costs, in dollars, by product: that of its latest batch; nothing where Blaze gives none. */
export async function readCosts(pull: BlazePull<"product">): Promise<Map<string, string>> {
  const latest = new Map<string, { cost: string; created: number }>();
  for (const status of ["RECEIVED", "READY_FOR_SALE"]) {
    await eachIfGiven(pull, posPath`/store/batches`, { status }, (raw) => {
      const { productId = null, costPerUnit = null, created = null } = batch.safeParse(raw).data ?? {};
      const isOlder = (created ?? 0) < (latest.get(productId ?? "")?.created ?? 0);
      if (productId !== null && costPerUnit !== null && !isOlder) {
        latest.set(productId, { cost: costPerUnit, created: created ?? 0 });
      }
    });
  }
  return new Map([...latest].map(([product, { cost }]) => [product, cost]));
}

/**
 * Hands on the rows of a list that only adds to records: where it moves meanwhile, the next pull reads it anew. It is read
 * for half of the time that is left at most, so that the records themselves always come.
 */
async function eachIfGiven(
  { api, request, clock }: BlazePull<RecordKind>,
  path: PosPath,
  query: Query,
  take: (row: unknown) => void,
) {
  const least = timeLeft(request, clock) / 2;
  const read = async () => {
    const ids = new Set<unknown>();
    for (let skip = 0; timeLeft(request, clock) >= least; ) {
      const { rows } = await api.page(path, query, skip, pageSize);
      const isNew = rows.some((row) => !ids.has((row as { id?: unknown } | null)?.id));
      if (!isNew) return;
      for (const row of rows) {
        ids.add((row as { id?: unknown } | null)?.id);
        take(row);
      }
      skip += rows.length;
    }
  };
  await firstPermitted([read, async () => {}], isRefused);
}

/** Whether Blaze does not give something that was asked for, which says nothing about the rest. */
export function isRefused({ failure, code = "" }: PosError): boolean {
  return failure === "notPermitted" || (failure === "notUnderstood" && /^4\d\d$/.test(code));
}
