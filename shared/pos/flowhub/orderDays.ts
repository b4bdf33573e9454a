import { PosError } from "../connector.ts";
import type { DayList } from "../reading/dayWalk.ts";
import { posPath } from "../reading/posPath.ts";
import type { FlowhubPull } from "./flowhubPull.ts";

/**
 * The orders of a store by the days of their creation, the oldest of a month first: new ones come at the end, so that
 * pages stay where they are. Orders have no filter by change, and days are all that the filter by creation knows.
 */
export function orderDays({ api, store }: Pick<FlowhubPull<"sale">, "api" | "store">): DayList {
  return {
    windowDays: 30,
    idField: "id",
    async fetch(from, to, index, size) {
      const path = posPath`/v1/orders/findByLocationId/${store.importId}`;
      const query = { created_after: from, created_before: to, page: index + 1, page_size: size, order_by: "asc" };
      const { rows, total } = await api.orders(path, query).catch((error) => {
        throw error instanceof PosError && error.code === "404" ? new PosError("locationGone", { code: "404" }) : error;
      });
      return { rows, isLast: rows.length === 0 || (total !== null && index * size + rows.length >= total) };
    },
  };
}
