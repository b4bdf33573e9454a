import * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { PosError, type PullPage, type PullRequest } from "../connector.ts";
import { makeRecords, type RowReader } from "./makeRecords.ts";
import { continueTraversal, pageTraversal, readFromStart } from "./pageTraversal.ts";
import { computeReadStart, createLastPage, parseState, planReadRange, rangeFields } from "./readRange.ts";
import { posIdIn } from "./readRow.ts";
import { traverseRows } from "./rowTraversal.ts";

export interface ListPage {
  rows: unknown[];
  /** whether this is certainly the last page; an empty page is the last one in any case */
  isLast?: boolean;
  /** the number of rows on all pages, if the POS reports it */
  total?: number | null;
}

/** A POS list in numbered pages. A pull reads the whole list, or the rows that changed since an instant. */
export interface PagedList {
  /** maximum of rows per page */
  size: number;
  /** days after which a pull reads the whole list again; null for never; 0 if the POS can return only the whole list */
  fullEveryDays: number | null;
  /** whether rows keep their order, for example by id, and new rows come at the end */
  isOrdered?: boolean;
  /** the field with the row's id */
  idField: string;
  /** whether a row is not a record, so that it may lack an id */
  isNone?(row: unknown): boolean;
  /**
   * whether a row certainly belongs to this list; needed if the POS may return rows of other lists, too. A pull is
   * complete only if the list has rows and all of them certainly belong to it.
   */
  isSure?(row: unknown): boolean;
  /** whether `fetch` takes the number of preceding rows instead of the page number */
  countsRows?: boolean;
  /**
   * Reads one page.
   *
   * @param since null for all rows
   * @param index page number from 0, or the number of preceding rows (`countsRows`)
   */
  fetch(since: Date | null, index: number, size: number): Promise<ListPage>;
}

const position = z.object({
  ...rangeFields,
  walk: pageTraversal,
  /** `read`: rows so far; null once one may be missed or repeated. `total`: as the first page states it */
  read: z.number().nullable(),
  total: z.number().nullable(),
});
type Position = z.output<typeof position>;

/** The rows of one page, with the fields of `PullPage` that the list determines. */
export type PageOfRows = Pick<PullPage<RecordKind>, "next" | "complete" | "total"> & { rows: unknown[] };

/**
 * Makes sure that an empty page is the end of its list.
 *
 * @param rowsBefore number of rows that precede the page
 * @throws PosError "notUnderstood" if an empty page states a total greater than `rowsBefore`
 */
export function rejectPrematureEnd({ rows, total }: Pick<ListPage, "rows" | "total">, rowsBefore: number): void {
  if (rows.length === 0 && total != null && total > rowsBefore) throw new PosError("notUnderstood", { code: "page" });
}

/**
 * Reads the next page of a list. The traversal makes sure that no row is missed if the list shifts between two pages.
 *
 * A pull of the whole list is complete only if it certainly read every row. This requires that no row has shifted. In
 * addition, the list must keep the order of its rows, or the number of rows must equal the total that the POS states.
 * The service removes stored records that a complete pull does not contain.
 *
 * @throws PosError "notUnderstood" if an empty page states a total greater than the number of preceding rows
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
  const idOf = (row: unknown) => posIdIn(row, list.idField) ?? "";
  const { rows, next } = await (list.countsRows ? traverseRows : continueTraversal)(
    walk,
    async (index, size) => {
      const page = await list.fetch(since, index, size);
      rejectPrematureEnd(page, list.countsRows ? index : index * size);
      const statedTotal = page.total ?? null;
      // Some systems state a total of 0 after the last page.
      if (walk.offset === 0) total ??= statedTotal;
      else if (page.rows.length > 0 && statedTotal !== total) isSteady = false;
      return page;
    },
    idOf,
  );
  // A row without an id may be any stored record, so the pull cannot show which stored records are absent.
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
 * Reads all pages of a list and passes on the rows of each page. Rows may repeat.
 *
 * @returns whether the list certainly has no other rows
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
    for (const row of rows) ids.add(posIdIn(row, list.idField));
    read += rows.length;
    // If a row repeats, the list may have shifted, and the traversal may have missed another row.
    if (!("position" in next)) return complete && ids.size === read;
    position = next.position;
  }
}

/** Reads the next page of a list as records. By default, the field with the row's id holds the record's id, too. */
export async function pagedRecords<Row, Kind extends RecordKind>(
  { request, date }: { request: PullRequest<Kind>; date: Date | null },
  list: PagedList,
  reader: RowReader<Row, Kind>,
): Promise<PullPage<Kind>> {
  const { rows, ...page } = await readListPage(request, date, list);
  return { ...page, ...(await makeRecords(request, rows, { posIdOf: list.idField, ...reader })) };
}

function beginning(request: PullRequest<RecordKind>, date: Date | null, list: PagedList): Position {
  const reach = planReadRange(request, date, list.fullEveryDays);
  return { ...reach, walk: readFromStart(list.size), read: 0, total: null };
}
