import * as z from "zod";
import { localDay } from "../../time/localTime.ts";
import { PosError } from "../connector.ts";
import { pageWalk, walkFromStart, walkOn } from "../reading/pageWalk.ts";
import { posPath } from "../reading/posPath.ts";
import { daysAfter } from "../reading/readSpan.ts";
import type { FlowhubPull } from "./flowhubPull.ts";

/** Days of the history that are asked for at once, and in which nothing was sold when it ends. */
const windowDays = 30;
/** No shop has sold anything before. */
const firstDay = "2010-01-01";

/** Where a walk over the orders of a store stands: in a window of days of their creation, at a page of it. */
export const orderWalk = z.object({
  /** first and last day, yyyy-MM-dd by the store's clock, both included */
  from: z.iso.date(),
  to: z.iso.date(),
  /** whether older windows follow */
  isHistory: z.boolean(),
  /** so many days had no order at all, in the history */
  emptyDays: z.number(),
  pageSize: z.number(),
  pages: pageWalk,
});
export type OrderWalk = z.output<typeof orderWalk>;

/** All orders up to an instant, the newest month first. A day more, for whatever differs between clocks and zones. */
export function wholeHistory(upTo: string, timezone: string, pageSize: number): OrderWalk {
  return historyUpTo(localDay(daysAfter(upTo, 1), timezone), pageSize);
}

/** All orders up to a day, by the store's clock. */
export function historyUpTo(to: string, pageSize: number): OrderWalk {
  return {
    from: shiftDay(to, -windowDays),
    to,
    isHistory: true,
    emptyDays: 0,
    pageSize,
    pages: walkFromStart(pageSize),
  };
}

/** The orders created from so many days before an instant. */
export function ordersSince(from: Date, upTo: string, timezone: string, pageSize: number): OrderWalk {
  return {
    from: shiftDay(localDay(from, timezone), -1),
    to: localDay(daysAfter(upTo, 1), timezone),
    isHistory: false,
    emptyDays: 0,
    pageSize,
    pages: walkFromStart(pageSize),
  };
}

/**
 * Reads the next page of orders, the oldest of a window first: new ones come at the end, so that pages stay where they
 * are. Orders have no filter by change, and days are all that the filter by creation knows.
 *
 * @param quietDays the history ends where so many days nothing was sold
 * @returns rows; the next position, null at the end
 * @throws PosError "locationGone" when the store's orders are not found
 */
export async function nextOrders(
  { api, store }: Pick<FlowhubPull<"sale">, "api" | "store">,
  walk: OrderWalk,
  quietDays: number,
): Promise<{ rows: unknown[]; next: OrderWalk | null }> {
  const fetchPage = async (index: number, size: number) => {
    const { rows, total } = await api.list(
      posPath`/v1/orders/findByLocationId/${store.importId}`,
      { created_after: walk.from, created_before: walk.to, page: index + 1, page_size: size, order_by: "asc" },
      ["orders"],
    );
    return { rows, isLast: rows.length === 0 || (total !== null && index * size + rows.length >= total) };
  };
  const { rows, next } = await walkOn(walk.pages, fetchPage, idOf).catch((error) => {
    throw error instanceof PosError && error.code === "404" ? new PosError("locationGone", { code: "404" }) : error;
  });
  if (next) return { rows, next: { ...walk, pages: next } };
  const emptyDays = rows.length === 0 && walk.pages.offset === 0 ? walk.emptyDays + windowDays : 0;
  if (!walk.isHistory || emptyDays >= quietDays || walk.from < firstDay) return { rows, next: null };
  // The day at which windows meet is in both.
  return {
    rows,
    next: {
      ...walk,
      from: shiftDay(walk.from, -windowDays),
      to: walk.from,
      emptyDays,
      pages: walkFromStart(walk.pageSize),
    },
  };
}

const idOf = (row: unknown) => String((row as { id?: unknown } | null)?.id);

function shiftDay(day: string, days: number): string {
  return daysAfter(`${day}T00:00:00Z`, days).toISOString().slice(0, 10);
}
