import * as z from "zod";
import { addDays } from "../../time/addDays.ts";
import { localDay } from "../../time/localTime.ts";
import type { PullPage, PullRequest } from "../connector.ts";
import {
  type DayList,
  type DayTraversal,
  daysSince,
  dayTraversal,
  historyUpTo,
  readNextDayPage,
  wholeHistory,
} from "./dayTraversal.ts";
import { makeRecords, type RowReader } from "./makeRecords.ts";
import { createLastPage, daysAfter, parseState, planReadRange, rangeFields } from "./readRange.ts";
import type { StorePull } from "./storeConnector.ts";

/** Days that the nightly reading covers. It finds changes of older sales, such as voids and refunds. */
const daysAgainAtNight = 35;
/** Days of the older history that a nightly reading covers at least. */
const month = 28;
/** Minimum interval between two nightly readings, in milliseconds. */
const night = 20 * 60 * 60_000;

/** Sales by day, from a POS that does not report changed sales. */
export interface SaleDays extends DayList {
  /** maximum of rows per page */
  pageSize: number;
  /** number of days that every pull reads again */
  rereadDays: number;
}

const position = z.object({
  ...rangeFields,
  walk: dayTraversal,
  /** whether this pull also reads a month of the older history: `no`; `next`, after the recent days; or `now` */
  older: z.enum(["no", "next", "now"]),
  /** the day with which the reading of the older history begins, yyyy-MM-dd; absent before it begins */
  olderFrom: z.iso.date().optional(),
});
type Position = z.output<typeof position>;

interface SalePull {
  request: PullRequest<"sale">;
  /** the time of the POS's first response, by the POS's clock */
  date: Date | null;
  /** time zone of the days, IANA name */
  timezone: string;
}

/**
 * Reads the next page of a pull of sales. The first pull reads all sales; later pulls read the most recent days
 * (`rereadDays`) again. Once a night, a pull reads the last five weeks and about one month of the older history. Each
 * night continues with the next older month. After the oldest month, the next night starts again with the newest month.
 *
 * The watermark's `full` is the time of the last nightly reading. `older` is the day up to which the next nightly
 * reading reads the older history.
 *
 * @param quietDays a traversal of the history ends after this many consecutive days without sales
 */
export async function nextRereadDays(
  pull: SalePull,
  list: SaleDays,
  quietDays: number,
): Promise<Pick<PullPage<"sale">, "next"> & { rows: unknown[] }> {
  const state = parseState(position, pull.request.position) ?? beginning(pull, list);
  const { rows, next } = await readNextDayPage(list, state.walk, quietDays);
  return { rows, next: after(pull, list, state, next) };
}

/** Reads the next page of a pull of sales as records; see `nextRereadDays` and `pagedRecords`. */
export async function dailySales<Row>(
  { request, date, connection: { timezone }, quietDays }: StorePull<unknown, "sale">,
  list: SaleDays,
  reader: RowReader<Row, "sale">,
): Promise<PullPage<"sale">> {
  const { rows, next } = await nextRereadDays({ request, date, timezone }, list, quietDays);
  const found = await makeRecords(request, rows, { posIdOf: list.idField, ...reader });
  return { ...found, total: null, next, complete: false };
}

/** The position after a page; `next` is null at the end of its traversal. */
function after(
  { timezone }: SalePull,
  { pageSize }: SaleDays,
  state: Position,
  next: DayTraversal | null,
): PullPage<"sale">["next"] {
  const position = (more: Partial<Position>) => ({
    position: JSON.stringify({ ...state, ...more } satisfies Position),
  });
  const { mark, walk, older } = state;
  if (older === "next" && mark && !next) {
    const to = mark.older ?? localDay(daysAfter(state.upTo, -daysAgainAtNight), timezone);
    return position({ older: "now", olderFrom: to, walk: historyUpTo(to, pageSize) });
  }
  if (older !== "now" || !mark) return next ? position({ walk: next }) : createLastPage(state);
  const isWindowRead = next !== null && next.to !== walk.to && next.emptyDays === 0;
  const isMonthRead = !next || (isWindowRead && next.to <= addDays(state.olderFrom ?? next.to, -month));
  return isMonthRead ? createLastPage({ ...state, mark: { ...mark, older: next?.to } }) : position({ walk: next });
}

function beginning({ request, date, timezone }: SalePull, { pageSize, rereadDays }: SaleDays): Position {
  const { upTo, mark, unsettled } = planReadRange(request, date, null);
  if (!mark) return { upTo, mark, unsettled, walk: wholeHistory(upTo, timezone, pageSize), older: "no" };
  const isNight = Date.parse(upTo) - Date.parse(mark.full) >= night;
  const from = daysAfter(mark.upTo, isNight ? -daysAgainAtNight : -rereadDays);
  return {
    upTo,
    unsettled,
    mark: isNight ? { ...mark, full: upTo } : mark,
    walk: daysSince(from, upTo, timezone, pageSize),
    older: isNight ? "next" : "no",
  };
}
