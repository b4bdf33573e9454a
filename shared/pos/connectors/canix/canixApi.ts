import { type Connection, PosError } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { PagedList } from "../../framework/pagedList.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import { daysAfter } from "../../framework/readRange.ts";
import { posIdIn, readRows } from "../../framework/readRow.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { requireCredential } from "../../framework/toPosError.ts";
import { facilityOf } from "./records.ts";
import { facility, rows } from "./responses.ts";

const base = posPath`/api/v1`;
/** Canix's maximum number of rows per page. */
const pageSize = 2000;

/** How a request names the facility: in a query parameter, in a condition of the filter, or not at all. */
type Facility = "parameter" | "condition" | "none";

/** The API of Canix for one key, which gives access to a whole company. */
export class CanixApi implements StoreApi {
  readonly #api: JsonApi;

  constructor(client: PosClient, { crbId, credentials }: Connection) {
    this.#api = new JsonApi({
      client,
      rateLimitBucket: crbId,
      headers: { "x-api-key": requireCredential(credentials.key) },
    });
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    const query = { limit: pageSize, offset: 0, order_by: "id asc" };
    const { body, date } = await this.#api.read(rows, below(base, posPath`/facilities`), query, options);
    const { rows: stores, rejected } = readRows(facility, body, "id", ({ id, name, address: place }) => {
      const { street = null, street2 = null, city = null, state = null, postal_code = null } = place;
      return { id, name: name ?? `Facility ${id}`, address: address(street, street2, city, [state, postal_code]) };
    });
    return { stores, hasUnreadable: rejected.length > 0, date };
  }

  /** Reads the ids of a facility's locations. */
  async locationIds(facilityId: string): Promise<ReadonlySet<string>> {
    const { fetch } = this.list(posPath`/locations`, facilityId, "parameter", 0);
    const own = new StoreRows({ ids: [facilityId], idOf: facilityOf });
    const all = new Set<string>();
    const ids = new Set<string>();
    for (let offset = 0; ; ) {
      const page = (await fetch(null, offset, pageSize)).rows;
      const sizeBefore = all.size;
      for (const row of page) {
        const id = posIdIn(row, "id");
        if (id === null) continue;
        all.add(id);
        if (own.has(row)) ids.add(id);
      }
      if (all.size === sizeBefore) return ids;
      offset += page.length;
    }
  }

  /**
   * A list ordered by id, so that new rows are added at its end.
   *
   * @param fullEveryDays see PagedList
   */
  list(path: PosPath, facilityId: string, by: Facility, fullEveryDays: number): PagedList {
    // Only digits are allowed, because the id is inserted into the text of a condition.
    if (!/^\d{1,18}$/.test(facilityId)) throw new PosError("locationGone");
    return {
      size: pageSize,
      fullEveryDays,
      isOrdered: true,
      idField: "id",
      countsRows: true,
      fetch: async (since, offset, limit) => {
        const conditions = [
          ...(by === "condition" ? [`facility_id=${facilityId}`] : []),
          // The filter starts one day earlier, because no source shows a filter with a time of day or states the time
          // zone of a day.
          ...(since ? [`updated_at >= '${daysAfter(since, -1).toISOString().slice(0, 10)}'`] : []),
        ];
        const query: Query = {
          limit,
          offset,
          order_by: "id asc",
          ...(by === "parameter" && { facility_id: facilityId }),
          ...(conditions.length > 0 && { where: conditions.join(" AND ") }),
        };
        return { rows: (await this.#api.read(rows, below(base, path), query)).body };
      },
    };
  }
}
