import type { PullPage, RejectedPosRecord } from "../connector.ts";
import type { PosSale } from "../posRecords.ts";
import { nextDaysAgain } from "../reading/daysAgain.ts";
import { parted, readRow } from "../reading/readRow.ts";
import { order } from "./answers.ts";
import { type FlowhubPull, OwnRows } from "./flowhubPull.ts";
import { orderDays } from "./orderDays.ts";
import { unitsOf } from "./orderMoney.ts";
import { fateOf, saleRecord } from "./sales.ts";

/** Sales, page by page, by the days on which the orders were created. */
export async function salePage(pull: FlowhubPull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  const { rows, next } = await nextDaysAgain(pull, { ...orderDays(pull), pageSize: 500, daysAgain: 3 }, quietDays);
  const own = new OwnRows(pull.store);
  const ownRows = rows.filter((row) => own.hasRow(row));
  const orders = parted(ownRows.map((row) => readRow(order, row, (field) => field("id"))));
  const canceled = orders.rows.filter((row) => fateOf(row) === "canceled").map(({ id }) => id);
  const stored = canceled.length > 0 ? await pull.request.known?.(canceled) : undefined;
  const records: PosSale[] = [];
  const rejected: RejectedPosRecord[] = [...orders.rejected];
  const sold = orders.rows.filter((row) => fateOf(row) === "sale");
  const units = new Map(unitsOf(pull.connection.posType, sold).map((unit, at) => [sold[at], unit]));
  for (const row of orders.rows) {
    const fate = fateOf(row);
    if (fate === "none" || (fate === "canceled" && !stored?.has(row.id))) continue;
    // Of what was voided or canceled no amounts are kept.
    const unit = fate === "sale" ? units.get(row) : "dollars";
    const record = unit && saleRecord(row, unit);
    if (record) records.push(record);
    else if (!unit) rejected.push({ posId: row.id, field: "totals", reason: "unclear_unit" });
    else rejected.push({ posId: row.id, field: "completedOn", reason: "no_instant" });
  }
  return { records, rejected, foreign: own.foreign, total: null, next, complete: false };
}
