import type { PullPage, RejectedPosRecord } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { isPathPart, posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { idFieldsOf } from "../../framework/readRow.ts";
import { nextRereadDays, type SaleDays } from "../../framework/rereadRecentDays.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { isSourceUnavailable } from "../../framework/toPosError.ts";
import type { BlazeApi } from "./blazeApi.ts";
import { type BlazePull, shopOf } from "./lists.ts";
import { listed, transaction } from "./responses.ts";
import { isSale, isUndone, saleRecords } from "./sales.ts";

/** By day, a week at most. Blaze does not document which date and which clock count. */
function saleDays(api: BlazeApi): SaleDays {
  return {
    windowDays: 6,
    pageSize: 50,
    rereadDays: 7,
    idField: "id",
    countsRows: true,
    fetch: (from, to, skip, size) =>
      api.page(posPath`/transactions`, { startDate: american(from), endDate: american(to) }, skip, size),
  };
}

/** Reads a page of sales. It reads a sale by id if the list lacks parts of it. */
export async function salePage(pull: BlazePull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  const { api, request, date, connection, store } = pull;
  const { timezone } = connection;
  const { rows, next } = await nextRereadDays({ request, date, timezone }, saleDays(api), quietDays);
  const whole: unknown[] = [];
  const unread: RejectedPosRecord[] = [];
  const own = new StoreRows(store.id);
  for (const row of rows) {
    if (!own.has(shopOf(idFieldsOf(row)))) continue;
    const found = listed.safeParse(row).data;
    const lacksItems = found && isSale(found) && !found.deleted && !found.cart?.items && isPathPart(found.id);
    if (!lacksItems) whole.push(row);
    else {
      const read = async () => void whole.push(await api.transaction(found.id));
      const reject = async () => void unread.push({ posId: found.id, field: "cart.items", reason: "not_given" });
      await readFirstPermitted([read, reject], isSourceUnavailable);
    }
  }
  const reader = { schema: transaction, posIdOf: (field: (name: string) => string | null) => field("id") };
  const { records, rejected } = await makeRecords(request, whole, { ...reader, make: saleRecords, undoes: isUndone });
  return {
    records,
    rejected: [...rejected, ...unread],
    foreign: own.foreign,
    total: null,
    next,
    complete: false,
  };
}

/** `03/10/2026` for 2026-03-10. */
function american(day: string): string {
  return day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1");
}
