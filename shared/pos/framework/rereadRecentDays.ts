import * as z from "zod";
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
import { createLastPage, daysAfter, parseState, planReadRange, watermark } from "./readRange.ts";

/** What changes about a sale (it is voided, canceled, refunded) is found as long as its day is read again. */
const daysAgainAtNight = 35;
/** Between two readings of the longer time. */
const night = 20 * 60 * 60_000;

/** Sales by days, of which the POS does not tell which have changed. */
export interface SaleDays extends DayList {
  /** rows of a page at most */
  pageSize: number;
  /** so many days are read again at each pull */
  rereadDays: number;
}

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  walk: dayTraversal,
  /** whether this pull reads a part of the older history again: not at all, next, or now */
  older: z.enum(["no", "next", "now"]),
});
type Position = z.output<typeof position>;

/** A pull of sales by days. */
interface SalePull {
  request: PullRequest<"sale">;
  /** of the POS's first answer */
  date: Date | null;
  /** in which days are meant, IANA */
  timezone: string;
}

/**
 * Reads on: at first all sales, then those of the last days again and again; each night those of the last weeks, and of
 * one month of the history before, the next older one each time and from the beginning again when there is none. The
 * watermark's `full` is when it was last night, and `older` the day up to which the history is read in the next one.
 *
 * @param quietDays the history ends where so many days nothing was sold
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

/** Where to go on after a page, whose walk goes on or is at its end. */
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
    return position({ older: "now", walk: historyUpTo(to, pageSize) });
  }
  if (older !== "now" || !mark) return next ? position({ walk: next }) : createLastPage(state);
  const isMonthRead = !next || (next.to !== walk.to && next.emptyDays === 0);
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
