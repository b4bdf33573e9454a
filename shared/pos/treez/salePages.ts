import * as z from "zod";
import { localDay } from "../../replication/localTime.ts";
import type { PullPage, RejectedPosRecord } from "../connector.ts";
import type { PosSale } from "../posRecords.ts";
import { warnOfOddSums } from "../reading/oddSums.ts";
import { type PageWalk, pageWalk, walkFromStart } from "../reading/pageWalk.ts";
import { posPath } from "../reading/posPath.ts";
import { parted, readRow } from "../reading/readRow.ts";
import {
  daysAfter,
  parseState,
  readFrom,
  readUpTo,
  unsettledSince,
  usableWatermark,
  watermark,
  watermarkAfter,
} from "../reading/readSpan.ts";
import { ticket } from "./answers.ts";
import { fateOf, saleRecord } from "./sales.ts";
import { nextPage, offsetInstant, pageSize, type TreezPull } from "./treezPull.ts";

/** No shop has sold anything before. */
const firstDay = "2010-01-01";
/** A day has few tickets, so several pages are handed on at once: so many tickets, or what came of so many requests. */
const enoughRows = 200;
const mostRequests = 20;

const position = z.object({
  /** null until Treez has answered */
  upTo: z.iso.datetime().nullable(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  /** in the history: the day, yyyy-MM-dd by the shop's clock, and how many days after it had no ticket */
  day: z.iso.date(),
  emptyDays: z.number(),
  pages: pageWalk,
});
type Position = z.output<typeof position>;

/**
 * Sales, page by page. At first by the day on which tickets were closed, newest first, until so long nothing was sold;
 * then those changed since the last pull. Changed tickets come newest first: while they are read, new ones push older
 * ones back, which only repeats them, and one that changes again is dated after this pull's beginning, so that the next
 * pull finds it.
 */
export async function salePage(pull: TreezPull<"sale">, quietDays: number): Promise<PullPage<"sale">> {
  let state = parseState(position, pull.request.position) ?? beginning(pull);
  const rows: unknown[] = [];
  for (let requests = 1; ; requests++) {
    const page = await nextTickets(pull, state);
    rows.push(...page.rows);
    const upTo = state.upTo ?? readUpTo(pull.request, page.date);
    const { mark } = state;
    const unsettled = state.upTo ? state.unsettled : unsettledSince(pull.request, { upTo, mark });
    const next = following({ ...state, upTo, unsettled }, page.rows.length === 0, page.next, quietDays);
    if (next && rows.length < enoughRows && requests < mostRequests) {
      state = next;
      continue;
    }
    return {
      ...(await recordsOf(pull, rows)),
      total: null,
      next: next ? { position: JSON.stringify(next) } : { watermark: watermarkAfter({ upTo, mark, unsettled }) },
      complete: false,
    };
  }
}

function beginning({ request: { now, since, settled }, connection: { timezone } }: TreezPull<"sale">): Position {
  return {
    upTo: null,
    mark: usableWatermark(since, now, settled),
    // A day more, for a clock that is ahead.
    day: localDay(daysAfter(now, 1), timezone),
    emptyDays: 0,
    pages: walkFromStart(pageSize),
  };
}

function nextTickets({ api, connection: { timezone } }: TreezPull<"sale">, { mark, day, pages }: Position) {
  const since = mark && offsetInstant(readFrom(mark.upTo), timezone);
  return nextPage(
    api,
    pages,
    (page, size) =>
      since
        ? posPath`/ticket/lastUpdated/after/${since}/page/${page}/pagesize/${size}`
        : posPath`/ticket/closedate/${day}/page/${page}/pagesize/${size}`,
    ({ ticketList }) => ticketList,
    (row) => String((row as { ticket_id?: unknown } | null)?.ticket_id),
  );
}

/** Where to go on after a page; undefined at the end. */
function following(state: Position, isEmpty: boolean, pages: PageWalk | null, quietDays: number): Position | undefined {
  if (pages) return { ...state, pages };
  const emptyDays = isEmpty && state.pages.offset === 0 ? state.emptyDays + 1 : 0;
  if (state.mark || emptyDays >= quietDays || state.day < firstDay) return undefined;
  const day = daysAfter(`${state.day}T00:00:00Z`, -1).toISOString().slice(0, 10);
  return { ...state, day, emptyDays, pages: walkFromStart(pageSize) };
}

async function recordsOf({ request, connection }: TreezPull<"sale">, raw: readonly unknown[]) {
  const tickets = parted(raw.map((row) => readRow(ticket, row, (field) => field("ticket_id"))));
  const cancelled = tickets.rows.filter((row) => fateOf(row) === "cancelled").map(({ ticket_id }) => ticket_id);
  const stored = cancelled.length > 0 ? await request.known?.(cancelled) : undefined;
  const records: PosSale[] = [];
  const rejected: RejectedPosRecord[] = [...tickets.rejected];
  for (const row of tickets.rows) {
    const fate = fateOf(row);
    if (fate === "none" || (fate === "cancelled" && !stored?.has(row.ticket_id))) continue;
    const record = saleRecord(row);
    if (record) records.push(record);
    else rejected.push({ posId: row.ticket_id, field: "date_closed", reason: "no_instant" });
  }
  warnOfOddSums(connection.posType, records);
  return { records, rejected };
}
