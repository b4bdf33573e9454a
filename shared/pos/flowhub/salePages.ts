import * as z from "zod";
import type { PullPage, RejectedPosRecord } from "../connector.ts";
import type { PosSale } from "../posRecords.ts";
import { parted, readRow } from "../reading/readRow.ts";
import {
  daysAfter,
  lastPage,
  parseState,
  readUpTo,
  unsettledSince,
  usableWatermark,
  watermark,
} from "../reading/readSpan.ts";
import { order } from "./answers.ts";
import type { FlowhubPull } from "./flowhubPull.ts";
import { unitsOf } from "./orderMoney.ts";
import { nextOrders, ordersSince, orderWalk, wholeHistory } from "./orderWalk.ts";
import { fateOf, saleRecord } from "./sales.ts";

const pageSize = 500;
/** What changes about an order (it is voided, cancelled, refunded) is found as long as its day is read again. */
const daysAgain = 3;
const daysAgainAtNight = 35;
/** Between two readings of the longer time. */
const night = 20 * 60 * 60_000;

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  walk: orderWalk,
});
type Position = z.output<typeof position>;

/**
 * Sales, page by page: at first all of them, then those of the last days again and again, since Flowhub does not tell
 * which orders have changed. The watermark's `full` is when the longer time was last read.
 */
export async function salePage(pull: FlowhubPull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  const state = parseState(position, pull.request.position) ?? beginning(pull);
  const { rows, next } = await nextOrders(pull, state.walk, quietDays);
  const orders = parted(rows.map((row) => readRow(order, row, (field) => field("id"))));
  const cancelled = orders.rows.filter((row) => fateOf(row) === "cancelled").map(({ id }) => id);
  const stored = cancelled.length > 0 ? await pull.request.known?.(cancelled) : undefined;
  const records: PosSale[] = [];
  const rejected: RejectedPosRecord[] = [...orders.rejected];
  const sold = orders.rows.filter((row) => fateOf(row) === "sale");
  const units = new Map(unitsOf(pull.connection.posType, sold).map((unit, at) => [sold[at], unit]));
  for (const row of orders.rows) {
    const fate = fateOf(row);
    if (fate === "none" || (fate === "cancelled" && !stored?.has(row.id))) continue;
    // Of what was voided or cancelled no amounts are kept.
    const unit = fate === "sale" ? units.get(row) : "dollars";
    const record = unit && saleRecord(row, unit);
    if (record) records.push(record);
    else if (!unit) rejected.push({ posId: row.id, field: "totals", reason: "unclear_unit" });
    else rejected.push({ posId: row.id, field: "completedOn", reason: "no_instant" });
  }
  return {
    records,
    rejected,
    total: null,
    next: next ? { position: JSON.stringify({ ...state, walk: next } satisfies Position) } : lastPage(state),
    complete: false,
  };
}

function beginning({ request, date, timezone }: FlowhubPull<"sale">): Position {
  const upTo = readUpTo(request, date);
  const mark = usableWatermark(request.since, request.now, request.settled);
  const unsettled = unsettledSince(request, { upTo, mark });
  if (!mark) return { upTo, mark, unsettled, walk: wholeHistory(upTo, timezone, pageSize) };
  const isNight = Date.parse(upTo) - Date.parse(mark.full) >= night;
  const from = daysAfter(mark.upTo, isNight ? -daysAgainAtNight : -daysAgain);
  return {
    upTo,
    unsettled,
    mark: isNight ? { ...mark, full: upTo } : mark,
    walk: ordersSince(from, upTo, timezone, pageSize),
  };
}
