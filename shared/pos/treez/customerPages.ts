import * as z from "zod";
import { localDay } from "../../replication/localTime.ts";
import type { PullPage } from "../connector.ts";
import { type PageWalk, pageWalk, walkFromStart } from "../reading/pageWalk.ts";
import { posPath } from "../reading/posPath.ts";
import { mapRow, parted, readRow } from "../reading/readRow.ts";
import {
  daysAfter,
  parseState,
  readFrom,
  readUpTo,
  usableWatermark,
  watermark,
  watermarkAfter,
} from "../reading/readSpan.ts";
import { customer } from "./answers.ts";
import { customerRecord } from "./customers.ts";
import { nextPage, offsetInstant, pageSize, type TreezPull } from "./treezPull.ts";

const sliceDays = 30;
/** No shop had customers before. */
const firstDay = "2010-01-01";

const position = z.object({
  /** null until Treez has answered */
  upTo: z.iso.datetime().nullable(),
  mark: watermark.nullable(),
  /** at first: the last day of the slice of sign-ups, yyyy-MM-dd, and how many days after it nobody signed up */
  to: z.iso.date(),
  emptyDays: z.number(),
  pages: pageWalk,
});
type Position = z.output<typeof position>;

/**
 * Customers, page by page: at first by the day of their sign-up, in slices, newest first, until so long nobody has
 * signed up; then those changed since the last pull. Their order is not documented, so the walk makes sure that pages
 * join.
 */
export async function customerPage(pull: TreezPull<"customer">, quietDays: number): Promise<PullPage<"customer">> {
  const state = parseState(position, pull.request.position) ?? beginning(pull);
  const { rows, next: pages, date } = await nextCustomers(pull, state);
  const upTo = state.upTo ?? readUpTo(pull.request, date);
  const { rows: records, rejected } = parted(
    rows.map((row) =>
      mapRow(
        readRow(customer, row, (field) => field("customer_id")),
        customerRecord,
      ),
    ),
  );
  const next = following({ ...state, upTo }, rows.length === 0, pages, quietDays);
  return {
    records,
    rejected,
    total: null,
    next: next ? { position: JSON.stringify(next) } : { watermark: watermarkAfter({ upTo, mark: state.mark }) },
    complete: false,
  };
}

function beginning({ request: { now, since }, connection: { timezone } }: TreezPull<"customer">): Position {
  return {
    upTo: null,
    mark: usableWatermark(since, now),
    // A day more, for a clock that is ahead.
    to: localDay(daysAfter(now, 1), timezone),
    emptyDays: 0,
    pages: walkFromStart(pageSize),
  };
}

function nextCustomers({ api, connection: { timezone } }: TreezPull<"customer">, { mark, to, pages }: Position) {
  const since = mark && offsetInstant(readFrom(mark.upTo), timezone);
  return nextPage(
    api,
    pages,
    (page, size) =>
      since
        ? posPath`/customer/lastUpdated/after/${since}/page/${page}/pagesize/${size}`
        : posPath`/customer/signup/from/${before(to)}/to/${to}/page/${page}/pagesize/${size}`,
    ({ data }) => data,
    (row) => String((row as { customer_id?: unknown } | null)?.customer_id),
  );
}

/** Where to go on after a page; undefined at the end. The day at which slices meet is in both. */
function following(state: Position, isEmpty: boolean, pages: PageWalk | null, quietDays: number): Position | undefined {
  if (pages) return { ...state, pages };
  const emptyDays = isEmpty && state.pages.offset === 0 ? state.emptyDays + sliceDays : 0;
  if (state.mark || emptyDays >= quietDays || state.to < firstDay) return undefined;
  return { ...state, to: before(state.to), emptyDays, pages: walkFromStart(pageSize) };
}

function before(day: string): string {
  return daysAfter(`${day}T00:00:00Z`, -sliceDays).toISOString().slice(0, 10);
}
