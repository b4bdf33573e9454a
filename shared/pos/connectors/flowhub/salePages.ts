import type { PullPage, RejectedPosRecord } from "../../connector.ts";
import { readRows } from "../../framework/readRow.ts";
import { nextRereadDays } from "../../framework/rereadRecentDays.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import type { PosSale } from "../../posRecords.ts";
import { type FlowhubPull, rowsOfStore } from "./flowhubApi.ts";
import { orderDays } from "./orderDays.ts";
import { unitsOf } from "./orderMoney.ts";
import { order } from "./responses.ts";
import { classifyOrder, saleRecord } from "./sales.ts";

/** Reads a page of sales by the days on which the orders were created. */
export async function salePage(pull: FlowhubPull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  const { rows, next } = await nextRereadDays(pull, { ...orderDays(pull), pageSize: 500, rereadDays: 3 }, quietDays);
  const own = new StoreRows(rowsOfStore(pull.store));
  const ownRows = rows.filter((row) => own.has(row));
  const orders = readRows(order, ownRows, "id");
  const canceled = orders.rows.filter((row) => classifyOrder(row) === "canceled").map(({ id }) => id);
  const stored = canceled.length > 0 ? await pull.request.known?.(canceled) : undefined;
  const records: PosSale[] = [];
  const rejected: RejectedPosRecord[] = [...orders.rejected];
  const sold = orders.rows.filter((row) => classifyOrder(row) === "sale");
  const units = new Map(unitsOf(pull.connection.posType, sold).map((unit, at) => [sold[at], unit]));
  for (const row of orders.rows) {
    const reject = (field: string, reason: string) => void rejected.push({ posId: row.id, field, reason });
    const fate = classifyOrder(row);
    if (fate === "open" || (fate === "canceled" && !stored?.has(row.id))) continue;
    // The amounts of a voided or canceled order are not kept, so their unit does not matter.
    const unit = fate === "sale" ? units.get(row) : "dollars";
    if (fate === "unknown") reject("orderStatus", "unknown_status");
    else if (!unit) reject("totals", "unclear_unit");
    else {
      const made = saleRecord(row, unit);
      if ("reason" in made) reject(made.field, made.reason);
      else records.push(made);
    }
  }
  return { records, rejected, foreign: own.foreign, total: null, next, complete: false };
}
