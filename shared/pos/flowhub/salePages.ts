import * as z from "zod";
import { localDay } from "../../time/localTime.ts";
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
import { historyUpTo, nextOrders, type OrderWalk, ordersSince, orderWalk, wholeHistory } from "./orderWalk.ts";
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
  /** whether this pull reads a part of the older history again: not at all, next, or now */
  older: z.enum(["no", "next", "now"]),
});
type Position = z.output<typeof position>;

/**
 * Sales, page by page: at first all of them, then those of the last days again and again, since Flowhub does not tell
 * which orders have changed; each night those of the last weeks, and of one month of the history before, the next older
 * one each time and from the beginning again when there is none. The watermark's `full` is when it was last night, and
 * `older` the day up to which the history is read in the next one.
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
    next: after(pull, state, next),
    complete: false,
  };
}

/** Where to go on after a page, whose walk goes on or is at its end. */
function after({ timezone }: FlowhubPull<"sale">, state: Position, next: OrderWalk | null): PullPage<"sale">["next"] {
  const position = (more: Partial<Position>) => ({
    position: JSON.stringify({ ...state, ...more } satisfies Position),
  });
  const { mark, walk, older } = state;
  if (older === "next" && mark && !next) {
    const to = mark.older ?? localDay(daysAfter(state.upTo, -daysAgainAtNight), timezone);
    return position({ older: "now", walk: historyUpTo(to, pageSize) });
  }
  if (older !== "now" || !mark) return next ? position({ walk: next }) : lastPage(state);
  const isMonthRead = !next || (next.to !== walk.to && next.emptyDays === 0);
  return isMonthRead ? lastPage({ ...state, mark: { ...mark, older: next?.to } }) : position({ walk: next });
}

function beginning({ request, date, timezone }: FlowhubPull<"sale">): Position {
  const upTo = readUpTo(request, date);
  const mark = usableWatermark(request.since, request.now, request.settled);
  const unsettled = unsettledSince(request, { upTo, mark });
  if (!mark) return { upTo, mark, unsettled, walk: wholeHistory(upTo, timezone, pageSize), older: "no" };
  const isNight = Date.parse(upTo) - Date.parse(mark.full) >= night;
  const from = daysAfter(mark.upTo, isNight ? -daysAgainAtNight : -daysAgain);
  return {
    upTo,
    unsettled,
    mark: isNight ? { ...mark, full: upTo } : mark,
    walk: ordersSince(from, upTo, timezone, pageSize),
    older: isNight ? "next" : "no",
  };
}
