import * as z from "zod";
import type { RecordKind } from "../../../api/kinds.ts";
import { localDay } from "../../../time/localTime.ts";
import type { PullPage } from "../../connector.ts";
import { type PageTraversal, pageTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import type { PosPath } from "../../framework/posPath.ts";
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

/** A list that is asked for by days, or by what changed in it. */
export interface DatedList extends Pick<ListPages, "rowsIn" | "idField"> {
  /** days of its history that are asked for at once */
  sliceDays: number;
  /** how many days back changes are told; as many as one likes unless given */
  maxDaysBack?: number;
  /** @param since as `offsetInstant` writes it */
  changes(since: string, api: TreezApi): PosPath;
  /** What is of the days from one up to another, yyyy-MM-dd by the shop's clock. */
  history(from: string, to: string): Pick<ListPages, "path" | "query">;
}

/** No shop was there before. */
const firstDay = "2010-01-01";
/** A slice may hold little, so several pages are handed on at once: so many rows, or what came of so many steps. */
const enoughRows = 200;
const maxSteps = 20;

/** Where a pull stands. */
const walk = z.object({
  /** null until Treez has answered */
  upTo: z.iso.datetime().nullable(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  /** in the history: the last day of the slice, and how many days after it there was nothing */
  to: z.iso.date(),
  emptyDays: z.number(),
  pages: pageTraversal,
});
type Walk = z.output<typeof walk>;

/**
 * Reads on: at first the history in slices, newest first, until so long there was nothing; then what changed since the
 * last pull. It ends early where the time is over.
 */
export async function nextRows<Kind extends RecordKind>(
  pull: TreezPull<Kind>,
  list: DatedList,
  quietDays: number,
): Promise<Pick<PullPage<Kind>, "next"> & { rows: unknown[] }> {
  const { api, request, clock } = pull;
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

/** Where the pull is, or its beginning; one that went on too late for the changes it is after reads everything. */
function stateOf({ request, connection, clock }: TreezPull<RecordKind>, { maxDaysBack }: DatedList): Walk {
  const known = parseState(walk, request.position);
  const mark = known ? known.mark : usableWatermark(request.since, request.now, request.caughtUpTo);
  const isInReach = !mark || maxDaysBack === undefined || daysAfter(mark.upTo, maxDaysBack) > clock.now();
  if (known && isInReach) return known;
  return {
    upTo: null,
    mark: isInReach ? mark : null,
    // A day more, for a clock that is ahead.
    to: localDay(daysAfter(request.now, 1), connection.timezone),
    emptyDays: 0,
    pages: readFromStart(pageSize),
  };
}

function pagesOf({ api, connection }: TreezPull<RecordKind>, list: DatedList, { mark, to }: Walk): ListPages {
  const { rowsIn, idField, sliceDays } = list;
  const asked = mark
    ? { path: list.changes(offsetInstant(computeReadStart(mark.upTo), connection.timezone), api) }
    : list.history(daysBefore(to, sliceDays), to);
  return { ...asked, rowsIn, idField };
}

/** Where to go on after a page; undefined at the end. */
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
  return { ...state, to: daysBefore(state.to, sliceDays), emptyDays, pages: readFromStart(pageSize) };
}

function daysBefore(day: string, days: number): string {
  return daysAfter(`${day}T00:00:00Z`, -days).toISOString().slice(0, 10);
}
