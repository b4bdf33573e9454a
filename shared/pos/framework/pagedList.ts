import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { PosError, type PullPage, type PullRequest } from "../connector.ts";
import { makeRecords, type RowReader } from "./makeRecords.ts";
import { continueTraversal, pageTraversal, readFromStart } from "./pageTraversal.ts";
import { computeReadStart, createLastPage, parseState, planReadRange, watermark } from "./readRange.ts";
import { traverseRows } from "./rowTraversal.ts";
import { id } from "./wireFields.ts";

/** What one request for a page gives. */
export interface ListPage {
  rows: unknown[];
  /** whether the list ends with these */
  isLast: boolean;
  /** how many rows all pages have, when the POS tells */
  total?: number | null;
}

/** A list that a POS gives in numbered pages: all of it, or what changed since an instant. */
export interface PagedList {
  /** rows of a page at most */
  size: number;
  /** days after which everything is read again, never when null; 0 for what can be read as a whole only */
  fullEveryDays: number | null;
  /** whether rows keep their order, such as that of their ids, and new ones come at the end */
  isOrdered?: boolean;
  /** the field that tells rows apart */
  idField: string;
  /** whether a row is no record, so that it may lack an id */
  isNone?(row: unknown): boolean;
  /** whether a row surely is of this list, where a POS may give others too: a list is whole where each is, and some are there */
  isSure?(row: unknown): boolean;
  /** whether pages are asked for by the rows that lie before them, instead of by their number */
  countsRows?: boolean;
  /**
   * Reads one page.
   *
   * @param since null for all that there is
   * @param index of the page, from 0, or how many rows lie before it
   */
  fetch(since: Date | null, index: number, size: number): Promise<ListPage>;
}

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  unsettled: z.iso.datetime().optional(),
  walk: pageTraversal,
  /** rows so far, null once one may have been missed or came again; and how many there are, as the first page tells */
  read: z.number().nullable(),
  total: z.number().nullable(),
});
type Position = z.output<typeof position>;

/** What tells a row apart by one of its fields; null where it has none. */
function fieldId(row: unknown, name: string): string | null {
  return id.safeParse((row as Readonly<Record<string, unknown>> | null)?.[name]).data ?? null;
}

/** The rows of one page, and what is to be said of the pull with it. */
export type PageOfRows = Pick<PullPage<RecordKind>, "next" | "complete" | "total"> & { rows: unknown[] };

/**
 * Makes sure that an empty page is the end of its list.
 *
 * @param rowsBefore rows of the list that lie before the page
 * @throws PosError "notUnderstood" if an empty page states a total beyond it
 */
export function rejectPrematureEnd({ rows, total }: Pick<ListPage, "rows" | "total">, rowsBefore: number): void {
  if (rows.length === 0 && total != null && total > rowsBefore) throw new PosError("notUnderstood", { code: "page" });
}

/**
 * Reads the next page of a list. The walk makes sure that pages join where the list moves meanwhile.
 *
 * A pull of the whole list is complete, so that what it leaves out has vanished, where it surely met every row: nothing
 * moved, and either rows keep their order or as many came as the POS says there are.
 *
 * @throws PosError "notUnderstood" if an empty page states a total beyond it
 */
export async function readListPage(
  request: PullRequest<RecordKind>,
  date: Date | null,
  list: PagedList,
): Promise<PageOfRows> {
  const state = parseState(position, request.position) ?? beginning(request, date, list);
  const { walk, mark } = state;
  const since = mark && computeReadStart(mark.upTo);
  let { total } = state;
  let isSteady = state.read !== null && !walk.isBack;
  const idOf = (row: unknown) => fieldId(row, list.idField) ?? "";
  const { rows, next } = await (list.countsRows ? traverseRows : continueTraversal)(
    walk,
    async (index, size) => {
      const page = await list.fetch(since, index, size);
      rejectPrematureEnd(page, list.countsRows ? index : index * size);
      const statedTotal = page.total ?? null;
      // Behind the last page some systems state a total of 0.
      if (walk.offset === 0) total ??= statedTotal;
      else if (page.rows.length > 0 && statedTotal !== total) isSteady = false;
      return page;
    },
    idOf,
  );
  // One without an id may be any of those that the table has.
  const ids = rows.filter((row) => !list.isNone?.(row)).map(idOf);
  const repeats = new Set(ids).size < ids.length || ids.some((id) => id === "" || walk.tail.includes(id));
  const isUnsure = rows.some((row) => list.isSure?.(row) === false);
  const read = isSteady && !repeats && !isUnsure && !next?.isBack ? (state.read ?? 0) + rows.length : null;
  const isProven = !list.isSure || read !== 0;
  const isWhole = mark === null && read !== null && isProven && (list.isOrdered || total === read);
  return {
    rows,
    total: mark === null ? total : null,
    next: next
      ? { position: JSON.stringify({ ...state, walk: next, read, total } satisfies Position) }
      : createLastPage(state),
    complete: !next && isWhole,
  };
}

/**
 * Hands on the rows of all pages of a list that is read as a whole, page by page; some rows may come again.
 *
 * @returns whether these surely are all that there are
 */
export async function readAllPages(
  { request, date }: { request: PullRequest<RecordKind>; date: Date | null },
  list: PagedList,
  take: (rows: readonly unknown[]) => void,
): Promise<boolean> {
  const ids = new Set<string | null>();
  let read = 0;
  for (let position: string | null = null; ; ) {
    const { rows, next, complete } = await readListPage({ ...request, since: null, position }, date, list);
    take(rows);
    for (const row of rows) ids.add(fieldId(row, list.idField));
    read += rows.length;
    // A row that comes in two pages may stand in the place of one that comes in none.
    if (!("position" in next)) return complete && ids.size === read;
    position = next.position;
  }
}

/** One page of a list as records. */
export async function pagedRecords<Row, Kind extends RecordKind>(
  { request, date }: { request: PullRequest<Kind>; date: Date | null },
  list: PagedList,
  reader: RowReader<Row, Kind>,
): Promise<PullPage<Kind>> {
  const { rows, ...page } = await readListPage(request, date, list);
  return { ...page, ...(await makeRecords(request, rows, reader)) };
}

function beginning(request: PullRequest<RecordKind>, date: Date | null, list: PagedList): Position {
  const reach = planReadRange(request, date, list.fullEveryDays);
  return { ...reach, walk: readFromStart(list.size), read: 0, total: null };
}
