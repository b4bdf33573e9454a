import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { PosError, type PullPage, type PullRequest } from "../connector.ts";
import { utcInstant } from "./conversions/instants.ts";
import { makeRecords, type RowReader } from "./makeRecords.ts";
import { computeReadStart, createLastPage, daysAfter, parseState, planReadRange, rangeFields } from "./readRange.ts";
import { posIdIn } from "./readRow.ts";

/** Minimum interval between two nightly readings, which find changed rows that stay at their old place. */
const night = 20 * 60 * 60_000;
/** Days that the nightly reading covers. */
const rereadDays = 35;
/**
 * Maximum number of pages that may be newer than the page before them, and of rows that may be newer than the row before
 * them. A few are normal, because a row may change and move. In a list in random order, every second one is newer.
 */
const maxUnordered = (count: number) => 2 + count / 10;

/** A POS list in order of date, newest first. The id of a page's last row requests the next page. */
export interface NewestFirst<Row, Kind extends RecordKind> {
  /** the instant back to which the list is read; null to read the whole list */
  from: Date | null;
  /** the field with the row's id, and the field with the date that orders the list */
  idField: string;
  dateField: string;
  /** @param after the last row's id; null for the first page */
  fetch(after: string | null): Promise<unknown[]>;
  reader: RowReader<Row, Kind>;
}

export interface ReadBackRange {
  /** the instant from which records count as new; null to read all records */
  since: Date | null;
  /** the instant back to which the nightly reading goes; null if this pull includes no nightly reading */
  again: Date | null;
}

const position = z.object({
  ...rangeFields,
  isNight: z.boolean(),
  /** the index of the list, and the id of the last row that was read from the list */
  list: z.number(),
  after: z.string().nullable(),
  /** the date of the last row read; the number of pages read; the number of these newer than the one before */
  lastDate: z.string().nullable(),
  pages: z.number(),
  unordered: z.number(),
});
type Position = z.output<typeof position>;

/**
 * Reads the next page, one list after the other. New rows appear before the first page, so later pages neither repeat
 * nor miss rows because of them. A row that changes also moves to the beginning. Its date is then after the pull's
 * start, so the next pull reads it.
 *
 * The watermark's `full` is the time of the last nightly reading.
 *
 * @param listsOf returns the lists of a pull; it must return the same lists for the same range
 * @throws PosError "notUnderstood" if a page has no new id with which to request the next page, or if the list is not
 * ordered by date
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
  const isUnordered = unordered > maxUnordered(pages) || newerRows(rows, list) > maxUnordered(rows.length);
  if (isUnordered) throw new PosError("notUnderstood", { code: "unordered" });
  const isPast = list.from !== null && lastDate !== null && new Date(lastDate) < list.from;
  // The list ends with an empty page, or with a page that holds only the last row again. Any other page without a new
  // id is an error, because the traversal would stop before the end of the list.
  const isEnd = isPast || rows.length === 0 || (rows.length === 1 && lastId !== null && lastId === after);
  if (!isEnd && (lastId === null || lastId === after)) throw new PosError("notUnderstood", { code: "page" });
  const next = isEnd
    ? { ...state, ...listStart, list: state.list + 1 }
    : { ...state, after: lastId, lastDate: lastDate ?? state.lastDate, pages, unordered };
  const isOver = isEnd && state.list + 1 >= lists.length;
  return {
    ...(await makeRecords(request, rows, { posIdOf: list.idField, ...list.reader })),
    total: null,
    next: isOver ? createLastPage(state) : { position: JSON.stringify(next satisfies Position) },
    complete: false,
  };
}

/** The last row that has an id. The next page starts after it, so it repeats the rows without id that follow. */
function lastOf(rows: readonly unknown[], { idField, dateField }: { idField: string; dateField: string }) {
  const idOf = (row: unknown) => posIdIn(row, idField);
  const last = rows.findLast((row) => idOf(row) !== null);
  return { lastId: idOf(last ?? null), lastDate: dateOf(last, dateField) };
}

/** The number of rows that are newer than the row before them. Rows without a date are skipped. */
function newerRows(rows: readonly unknown[], { dateField }: { dateField: string }): number {
  const dates = rows.map((row) => dateOf(row, dateField)).filter((date) => date !== null);
  return dates.filter((date, i) => date > (dates[i - 1] ?? date)).length;
}

const dateOf = (row: unknown, name: string) =>
  utcInstant(String((row as Readonly<Record<string, unknown>> | null | undefined)?.[name] ?? ""));

function beginning(request: PullRequest<RecordKind>, date: Date | null): Position {
  const { mark, ...reach } = planReadRange(request, date, null);
  const isNight = mark !== null && Date.parse(reach.upTo) - Date.parse(mark.full) >= night;
  return { ...reach, mark: mark && isNight ? { ...mark, full: reach.upTo } : mark, isNight, list: 0, ...listStart };
}

const listStart = { after: null, lastDate: null, pages: 0, unordered: 0 };
