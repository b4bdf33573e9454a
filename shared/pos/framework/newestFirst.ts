import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { PosError, type PullPage, type PullRequest } from "../connector.ts";
import { utcInstant } from "./conversions/instants.ts";
import { makeRecords, type RowReader } from "./makeRecords.ts";
import { computeReadStart, createLastPage, daysAfter, parseState, planReadRange, watermark } from "./readRange.ts";
import { id } from "./wireFields.ts";

/** Minimum interval of the nightly reading, which finds changes that the list does not show. */
const night = 20 * 60 * 60_000;
/** Days that the nightly reading covers. */
const rereadDays = 35;
/**
 * Maximum of pages newer than the page before, as when the last row changed and moved. In random order every other page is
 * newer.
 */
const maxUnordered = (pages: number) => 2 + pages / 10;

/** A POS list in order of date, newest first; each page follows the last row of the page before. */
export interface NewestFirst<Row, Kind extends RecordKind> {
  /** the instant to which the list is read back; null for all of it */
  from: Date | null;
  /** the fields with the row's id, which requests the next page, and with the date that orders the list */
  idField: string;
  dateField: string;
  /** @param after the last row's id; null for the first page */
  fetch(after: string | null): Promise<unknown[]>;
  reader: RowReader<Row, Kind>;
}

export interface ReadBackRange {
  /** start of the new records; null for all records */
  since: Date | null;
  /** start of the nightly reading; null if this pull has none */
  again: Date | null;
}

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  isNight: z.boolean(),
  /** the index of the list and the id of its last row read */
  list: z.number(),
  after: z.string().nullable(),
  /** date of the last row read; pages of the list so far, and how many were newer than the page before */
  lastDate: z.string().nullable(),
  pages: z.number(),
  unordered: z.number(),
});
type Position = z.output<typeof position>;

/**
 * Reads the next page, one list after the other. New rows come before the first page, so they neither repeat nor shift later
 * rows. A row that changes and moves there has a date after the pull's start: the next pull reads it.
 *
 * The watermark's `full` is the time of the last nightly reading.
 *
 * @param listsOf the lists of a pull, the same for the same instants
 * @throws PosError "notUnderstood" for a page without a position for the next one, and for a list in another order
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
  // The list ends with an empty page or with the last row alone. Any other page without a new id would end it too soon.
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

/** The last row that has an id. The next page starts after it, so rows without id after it repeat. */
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
