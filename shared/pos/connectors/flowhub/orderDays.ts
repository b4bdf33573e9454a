import { addDays } from "../../../time/addDays.ts";
import { PosError } from "../../connector.ts";
import type { DayList } from "../../framework/dayTraversal.ts";
import { posPath } from "../../framework/posPath.ts";
import type { FlowhubPull } from "./flowhubApi.ts";

/**
 * The orders of a store by day of creation, in windows of 30 days. A window starts with its oldest order, and new orders
 * are added at its end, so that pages do not shift. Flowhub has no filter by date of change, and its filter by date of
 * creation takes days without a time. The list may hold orders of other stores.
 */
export function orderDays({ api, store }: Pick<FlowhubPull<"sale">, "api" | "store">): DayList {
  return {
    windowDays: 30,
    idField: "id",
    async fetch(from, to, index, size) {
      const path = posPath`/v1/orders/findByLocationId/${store.importId}`;
      // Sources disagree whether a day begins at midnight in the store's time zone or in UTC, and whether the last day is
      // included. West of UTC, the evening of a day belongs to the next day in UTC, so the query ends one day later.
      const days = { created_after: from, created_before: addDays(to, 1) };
      const query = { ...days, page: index + 1, page_size: size, order_by: "asc" };
      const { rows, total } = await api.orders(path, query).catch((error) => {
        throw error instanceof PosError && error.code === "404" ? new PosError("locationGone", { code: "404" }) : error;
      });
      return { rows, total, isLast: total !== null && index * size + rows.length >= total };
    },
  };
}
