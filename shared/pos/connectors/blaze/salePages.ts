import type { PullPage, RejectedPosRecord } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { isPathPart, posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { nextRereadDays, type SaleDays } from "../../framework/rereadRecentDays.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { isSourceUnavailable } from "../../framework/toPosError.ts";
import type { BlazeApi } from "./blazeApi.ts";
import { type BlazePull, shopOf } from "./lists.ts";
import { listed, transaction } from "./responses.ts";
import { isSale, isUndone, saleRecords } from "./sales.ts";

/** Sales by day, at most a week per request. It is not documented which date is compared, or in which time zone. */
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

/** Reads a page of sales. If the list lacks the lines of a sale, reads this sale by id. */
export async function salePage(pull: BlazePull<"sale">): Promise<PullPage<"sale">> {
  const { api, request, date, connection, quietDays } = pull;
  const { timezone } = connection;
  const { rows, next } = await nextRereadDays({ request, date, timezone }, saleDays(api), quietDays);
  const whole: unknown[] = [];
  const unread: RejectedPosRecord[] = [];
  const own = new StoreRows(shopOf(pull));
  for (const row of rows) {
    if (!own.has(row)) continue;
    const found = listed.safeParse(row).data;
    const lacksItems = found && isSale(found) && !found.deleted && !found.cart?.items && isPathPart(found.id);
    if (!lacksItems) whole.push(row);
    else {
      const read = async () => void whole.push(await api.transaction(found.id));
      const reject = async () => void unread.push({ posId: found.id, field: "cart.items", reason: "not_given" });
      await readFirstPermitted([read, reject], isSourceUnavailable);
    }
  }
  const reader = { schema: transaction, make: saleRecords, undoes: isUndone };
  const { records, rejected } = await makeRecords(request, whole, reader);
  return { records, rejected: [...rejected, ...unread], foreign: own.foreign, total: null, next, complete: false };
}

/** Formats a day in American order: `03/10/2026` for 2026-03-10. */
function american(day: string): string {
  return day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1");
}
