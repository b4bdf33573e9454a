import * as z from "zod";
import { localDay } from "../../time/localTime.ts";
import { type ListPage, rejectPrematureEnd } from "./pagedList.ts";
import { continueTraversal, type FetchPage, pageTraversal, readFromStart } from "./pageTraversal.ts";
import { daysAfter } from "./readRange.ts";
import { traverseRows } from "./rowTraversal.ts";

/** No shop has sold anything before. */
const firstDay = "2010-01-01";

/** A list that a POS gives by days, and those of a window of days in numbered pages. */
export interface DayList {
  /** how many days are asked for at once, beside the last one */
  windowDays: number;
  /** the field that tells rows apart */
  idField: string;
  /** as of PagedList */
  countsRows?: boolean;
  /**
   * Reads one page.
   *
   * @param from first and last day, yyyy-MM-dd by the store's clock, both included
   * @param index as of PagedList
   */
  fetch(from: string, to: string, index: number, size: number): Promise<ListPage>;
}

/** Where a walk over days stands, newest first: in a window of them, at a page of it. */
export const dayTraversal = z.object({
  /** the day at which it ends; null where it goes back until so long there was nothing */
  first: z.iso.date().nullable(),
  /** last day of the window */
  to: z.iso.date(),
  /** so many days had nothing at all, in a history */
  emptyDays: z.number(),
  pageSize: z.number(),
  pages: pageTraversal,
});
export type DayTraversal = z.output<typeof dayTraversal>;

/** All up to an instant. A day more, for whatever differs between clocks and zones. */
export function wholeHistory(upTo: string, timezone: string, pageSize: number): DayTraversal {
  return historyUpTo(localDay(daysAfter(upTo, 1), timezone), pageSize);
}

/** All up to a day, by the store's clock. */
export function historyUpTo(to: string, pageSize: number): DayTraversal {
  return { first: null, to, emptyDays: 0, pageSize, pages: readFromStart(pageSize) };
}

/** What is of the days between two instants, and a day more on both sides. */
export function daysSince(from: Date, upTo: string, timezone: string, pageSize: number): DayTraversal {
  return { ...wholeHistory(upTo, timezone, pageSize), first: shiftDay(localDay(from, timezone), -1) };
}

/**
 * Reads the next page.
 *
 * @param quietDays a history ends where so many days there was nothing
 * @returns rows; the next position, null at the end
 * @throws PosError "notUnderstood" for an empty page that states a total beyond it
 */
export async function readNextDayPage(
  list: DayList,
  walk: DayTraversal,
  quietDays: number,
): Promise<{ rows: unknown[]; next: DayTraversal | null }> {
  const { first, to, pageSize } = walk;
  const start = shiftDay(to, -list.windowDays);
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
  // The day at which windows meet is in both.
  return { rows, next: isEnd ? null : { ...walk, to: from, emptyDays, pages: readFromStart(pageSize) } };
}

/** Adds days to a day, both yyyy-MM-dd. */
export function shiftDay(day: string, days: number): string {
  return daysAfter(`${day}T00:00:00Z`, days).toISOString().slice(0, 10);
}
