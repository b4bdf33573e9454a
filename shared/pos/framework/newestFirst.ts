import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { PosError, type PullPage, type PullRequest } from "../connector.ts";
import { utcInstant } from "./conversions/instants.ts";
import { makeRecords, type RowReader } from "./makeRecords.ts";
import { computeReadStart, createLastPage, daysAfter, parseState, planReadRange, watermark } from "./readRange.ts";
import { id } from "./wireFields.ts";

/** So long ago the last time was that what may have changed unseen was read again. */
const night = 20 * 60 * 60_000;
/** So many days of that are read again. */
const rereadDays = 35;
/** Pages that may be newer than the one before, as when the last row changed and moved. In random order every other one is. */
const maxUnordered = (pages: number) => 2 + pages / 10;

/** A list that a POS gives newest first, each page behind the last row of the one before. */
export interface NewestFirst<Row, Kind extends RecordKind> {
  /** how far it is read back; null for all of it */
  from: Date | null;
  /** the field by which the next page is asked for, and that of the date by which the list is ordered */
  idField: string;
  dateField: string;
  /** @param after the last row's id, null for the first page */
  fetch(after: string | null): Promise<unknown[]>;
  reader: RowReader<Row, Kind>;
}

/** How far the lists of a pull are read back. */
export interface ReadBackRange {
  /** what is new since then; null for all that there is */
  since: Date | null;
  /** once a night: what may have changed unseen, from then on; null at other times */
  again: Date | null;
}

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  isNight: z.boolean(),
  /** which of the lists, and behind which of its rows */
  list: z.number(),
  after: z.string().nullable(),
  /** date of the last row that was read; pages of the list so far, and how many of them were newer than the one before */
  lastDate: z.string().nullable(),
  pages: z.number(),
  unordered: z.number(),
});
type Position = z.output<typeof position>;

/**
 * Reads the next page of one list after the other. What is new stands before the first page: it repeats nothing, and
 * moves nothing behind it. A row that changes and moves there is dated after the pull's beginning: the next pull reads it.
 *
 * The watermark's `full` is when it was last night.
 *
 * @param listsOf the lists of a pull, the same for the same instants
 * @throws PosError "notUnderstood" for a page that does not tell what comes behind it, and for a list in another order
 */
export async function newestFirstPage<Kind extends RecordKind>(
  { request, date }: { request: PullRequest<Kind>; date: Date | null },
  // biome-ignore lint/suspicious/noExplicitAny: each list has rows of its own, which only its reader sees
  listsOf: (back: ReadBackRange) => readonly NewestFirst<any, Kind>[],
): Promise<PullPage<Kind>> {
  const state = parseState(position, request.position) ?? beginning(request, date);
  const { mark, upTo, isNight, after } = state;
  const since = mark && computeReadStart(mark.upTo);
  const lists = listsOf({ since, again: isNight ? daysAfter(upTo, -rereadDays) : null });
  const list = lists[state.list];
  if (!list) return { records: [], rejected: [], total: null, next: createLastPage(state), complete: false };
  const rows = await list.fetch(after);
  const { lastId, lastDate } = lastOf(rows, list);
  const isNewer = lastDate !== null && state.lastDate !== null && lastDate > state.lastDate;
  const pages = state.pages + 1;
  const unordered = state.unordered + (isNewer ? 1 : 0);
  if (unordered > maxUnordered(pages)) throw new PosError("notUnderstood", { code: "unordered" });
  const isPast = list.from !== null && lastDate !== null && new Date(lastDate) < list.from;
  // The last row again and none behind it ends a list as none does; others without a new id would end it too soon.
  const isEnd = isPast || rows.length === 0 || (rows.length === 1 && lastId !== null && lastId === after);
  if (!isEnd && (lastId === null || lastId === after)) throw new PosError("notUnderstood", { code: "page" });
  const next = isEnd
    ? { ...state, ...listStart, list: state.list + 1 }
    : { ...state, after: lastId, lastDate: lastDate ?? state.lastDate, pages, unordered };
  const isOver = isEnd && state.list + 1 >= lists.length;
  return {
    ...(await makeRecords(request, rows, list.reader)),
    total: null,
    next: isOver ? createLastPage(state) : { position: JSON.stringify(next satisfies Position) },
    complete: false,
  };
}

/** The last row that has an id, behind which the next page begins: what follows it comes again. */
function lastOf(rows: readonly unknown[], { idField, dateField }: { idField: string; dateField: string }) {
  const fields = (row: unknown) => row as Readonly<Record<string, unknown>> | null;
  const idOf = (row: unknown) => id.safeParse(fields(row)?.[idField]).data ?? null;
  const last = rows.findLast((row) => idOf(row) !== null);
  return { lastId: idOf(last ?? null), lastDate: utcInstant(String(fields(last)?.[dateField] ?? "")) };
}

function beginning(request: PullRequest<RecordKind>, date: Date | null): Position {
  const { mark, ...reach } = planReadRange(request, date, null);
  const isNight = mark !== null && Date.parse(reach.upTo) - Date.parse(mark.full) >= night;
  return { ...reach, mark: mark && isNight ? { ...mark, full: reach.upTo } : mark, isNight, list: 0, ...listStart };
}

const listStart = { after: null, lastDate: null, pages: 0, unordered: 0 };
