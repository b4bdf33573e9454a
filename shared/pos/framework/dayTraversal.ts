import * as z from "zod";
import { addDays } from "../../time/addDays.ts";
import { localDay } from "../../time/localTime.ts";
import { type ListPage, rejectPrematureEnd } from "./pagedList.ts";
import { continueTraversal, type FetchPage, pageTraversal, readFromStart } from "./pageTraversal.ts";
import { daysAfter } from "./readRange.ts";
import { traverseRows } from "./rowTraversal.ts";

/** Traversals end at this day, because no store has earlier sales. */
const firstDay = "2010-01-01";

/** A POS list that is requested by a range of days (a window), in numbered pages. */
export interface DayList {
  /** number of days from the first day of a window to its last day; a request includes both */
  windowDays: number;
  /** the field with the row's id */
  idField: string;
  /** see PagedList */
  countsRows?: boolean;
  /**
   * Reads one page.
   *
   * @param from first day; `from` and `to` are yyyy-MM-dd by the store's clock, both inclusive
   * @param index see PagedList
   */
  fetch(from: string, to: string, index: number, size: number): Promise<ListPage>;
}

/** The position of a traversal that reads the newest days first: a window and a page in that window. */
export const dayTraversal = z.object({
  /** the first day to read; null to go back in time until enough consecutive days are empty */
  first: z.iso.date().nullable(),
  /** last day of the window */
  to: z.iso.date(),
  /** number of consecutive days without rows so far, if `first` is null */
  emptyDays: z.number(),
  pageSize: z.number(),
  pages: pageTraversal,
});
export type DayTraversal = z.output<typeof dayTraversal>;

/** Starts a traversal of all rows up to a day after the instant, because clocks and time zones differ. */
export function wholeHistory(upTo: string, timezone: string, pageSize: number): DayTraversal {
  return historyUpTo(localDay(daysAfter(upTo, 1), timezone), pageSize);
}

/** Starts a traversal of all rows up to a local day of the store. */
export function historyUpTo(to: string, pageSize: number): DayTraversal {
  return { first: null, to, emptyDays: 0, pageSize, pages: readFromStart(pageSize) };
}

/** Starts a traversal of the days between two instants, plus one day before and one day after them. */
export function daysSince(from: Date, upTo: string, timezone: string, pageSize: number): DayTraversal {
  return { ...wholeHistory(upTo, timezone, pageSize), first: addDays(localDay(from, timezone), -1) };
}

/**
 * Reads the next page.
 *
 * @param quietDays a traversal without a first day ends after this many consecutive days without rows
 * @returns rows; the next position, null at the end
 * @throws PosError "notUnderstood" if an empty page states a total greater than the number of preceding rows
 */
export async function readNextDayPage(
  list: DayList,
  walk: DayTraversal,
  quietDays: number,
): Promise<{ rows: unknown[]; next: DayTraversal | null }> {
  const { first, to, pageSize } = walk;
  const start = addDays(to, -list.windowDays);
  const from = first !== null && first > start ? first : start;
  const idOf = (row: unknown) => String((row as Readonly<Record<string, unknown>> | null)?.[list.idField]);
  const fetch: FetchPage = async (index, size) => {
    const page = await list.fetch(from, to, index, size);
    rejectPrematureEnd(page, list.countsRows ? index : index * size);
    return page;
  };
  const { rows, next } = await (list.countsRows ? traverseRows : continueTraversal)(walk.pages, fetch, idOf);
  if (next) return { rows, next: { ...walk, pages: next } };
  const emptyDays = rows.length === 0 && walk.pages.offset === 0 ? walk.emptyDays + list.windowDays : 0;
  const isEnd = first === null ? emptyDays >= quietDays || from < firstDay : from <= first;
  // Adjacent windows share a day.
  return { rows, next: isEnd ? null : { ...walk, to: from, emptyDays, pages: readFromStart(pageSize) } };
}
