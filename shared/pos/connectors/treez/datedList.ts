import * as z from "zod";
import type { RecordKind } from "../../../api/kinds.ts";
import { addDays } from "../../../time/addDays.ts";
import { localDay } from "../../../time/localTime.ts";
import type { PullPage } from "../../connector.ts";
import { makeRecords, type RowReader } from "../../framework/makeRecords.ts";
import { type PageTraversal, pageTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import {
  computeReadEnd,
  computeReadStart,
  createLastPage,
  daysAfter,
  findIncompleteSince,
  parseState,
  usableWatermark,
  watermark,
} from "../../framework/readRange.ts";
import { remainingMs } from "../../framework/remainingMs.ts";
import type { TreezApi } from "./treezApi.ts";
import { type ListPages, offsetInstant, pageSize, readTreezPage, type TreezPull } from "./treezPull.ts";

/** A list that can be read by day or by change. */
export interface DatedList extends Pick<ListPages, "rowsIn" | "idField"> {
  /** days of history per request */
  sliceDays: number;
  /** how many days back Treez reports changes; unlimited by default */
  maxDaysBack?: number;
  /** @param since an instant in the format of `offsetInstant` */
  changes(since: string, api: TreezApi): PosPath;
  /** The rows from one day to another. Days are yyyy-MM-dd in the store's time zone. */
  history(from: string, to: string): Pick<ListPages, "path" | "query">;
}

/**
 * The customers, by day of sign-up. Adjacent slices have one day in common. Treez does not document their order, so the
 * traversal checks that each page continues the previous one.
 */
export const customers: DatedList = {
  sliceDays: 30,
  changes: (since) => posPath`/customer/lastUpdated/after/${since}`,
  history: (from, to) => ({ path: posPath`/customer/signup/from/${from}/to/${to}` }),
  rowsIn: ({ data }) => data,
  idField: "customer_id",
};

/**
 * The tickets, by closing day. Treez lists changed tickets newest first, so a ticket that changes during the pull shifts
 * older tickets to later pages. Rows then repeat, but no row is missed. The changed ticket gets a date of change after the
 * pull's start, so the next pull finds it.
 */
export const tickets: DatedList = {
  sliceDays: 1,
  // Treez reports changes for 30 days; one day is subtracted because clocks may differ.
  maxDaysBack: 29,
  changes: (since, { changedTickets }) => below(changedTickets, posPath`/${since}`),
  history: (_, day) => ({ path: posPath`/ticket/closedate/${day}`, query: { hide_empty_tickets: true } }),
  rowsIn: ({ ticketList }) => ticketList,
  idField: "ticket_id",
};

/** No store has records before this day. */
const firstDay = "2010-01-01";
/** A slice may have few rows, so one page of a pull combines requests up to one of these limits. */
const enoughRows = 200;
const maxSteps = 20;

/** The position of a pull. */
const walk = z.object({
  /** null until Treez has responded */
  upTo: z.iso.datetime().nullable(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  /** in the history: the last day of the slice, and the number of empty days after it */
  to: z.iso.date(),
  emptyDays: z.number(),
  pages: pageTraversal,
});
type Walk = z.output<typeof walk>;

/** Reads the next page of a list as records. */
export async function datedRecords<Row, Kind extends RecordKind>(
  pull: TreezPull<Kind>,
  list: DatedList,
  reader: RowReader<Row, Kind>,
): Promise<PullPage<Kind>> {
  const { rows, next } = await nextRows(pull, list);
  const found = await makeRecords(pull.request, rows, { posIdOf: list.idField, ...reader });
  return { ...found, total: null, next, complete: false };
}

/**
 * Reads the next rows. The first pull reads the history in slices, newest first, until `quietDays` days in a row have
 * no records. Later pulls read the changes. The page ends early at the deadline.
 */
async function nextRows<Kind extends RecordKind>(
  pull: TreezPull<Kind>,
  list: DatedList,
): Promise<Pick<PullPage<Kind>, "next"> & { rows: unknown[] }> {
  const { api, request, clock, quietDays } = pull;
  let state = stateOf(pull, list);
  const rows: unknown[] = [];
  for (let steps = 1; ; steps++) {
    const page = await readTreezPage(api, pagesOf(pull, list, state), state.pages);
    rows.push(...page.rows);
    const { mark } = state;
    const upTo = state.upTo ?? computeReadEnd(request, page.date);
    const unsettled = state.upTo ? state.unsettled : findIncompleteSince(request, { upTo, mark });
    const next = following(list, { ...state, upTo, unsettled }, page.rows.length === 0, page.next, quietDays);
    if (!next) return { rows, next: createLastPage({ upTo, mark, unsettled }) };
    if (rows.length >= enoughRows || steps >= maxSteps || remainingMs(request, clock) <= 0) {
      return { rows, next: { position: JSON.stringify(next) } };
    }
    state = next;
  }
}

/** The position of the pull, or its start. It reads everything if Treez no longer reports all its changes. */
function stateOf({ request, connection, clock }: TreezPull<RecordKind>, { maxDaysBack }: DatedList): Walk {
  const known = parseState(walk, request.position);
  const mark = known ? known.mark : usableWatermark(request.since, request.now, request.caughtUpTo);
  const isInReach = !mark || maxDaysBack === undefined || daysAfter(mark.upTo, maxDaysBack) > clock.now();
  if (known && isInReach) return known;
  return {
    upTo: null,
    mark: isInReach ? mark : null,
    // The history is read backwards from one day after the pull's time, because the clock of the POS may be ahead.
    to: localDay(daysAfter(request.now, 1), connection.timezone),
    emptyDays: 0,
    pages: readFromStart(pageSize),
  };
}

function pagesOf({ api, connection }: TreezPull<RecordKind>, list: DatedList, { mark, to }: Walk): ListPages {
  const { rowsIn, idField, sliceDays } = list;
  const bounds = mark
    ? { path: list.changes(offsetInstant(computeReadStart(mark.upTo), connection.timezone), api) }
    : list.history(addDays(to, -sliceDays), to);
  return { ...bounds, rowsIn, idField };
}

/** The position after a page; undefined at the end. */
function following(
  { sliceDays }: DatedList,
  state: Walk,
  isEmpty: boolean,
  pages: PageTraversal | null,
  quietDays: number,
): Walk | undefined {
  if (pages) return { ...state, pages };
  const emptyDays = isEmpty && state.pages.offset === 0 ? state.emptyDays + sliceDays : 0;
  if (state.mark || emptyDays >= quietDays || state.to < firstDay) return undefined;
  return { ...state, to: addDays(state.to, -sliceDays), emptyDays, pages: readFromStart(pageSize) };
}
