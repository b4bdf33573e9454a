import { type Connection, PosError } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { PagedList } from "../../framework/pagedList.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import { daysAfter } from "../../framework/readRange.ts";
import { idFieldsOf, partitionRows, readRow } from "../../framework/readRow.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { requireCredential } from "../../framework/toPosError.ts";
import { facilityOf } from "./records.ts";
import { facility, rows } from "./responses.ts";

const base = posPath`/api/v1`;
/** Canix's maximum. */
const pageSize = 2000;

/** How a request names the facility. */
type Facility = "parameter" | "condition" | "none";

/** Canix, as a key reaches it: a whole company. */
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
    const { rows: found, rejected } = partitionRows(body.map((row) => readRow(facility, row, (field) => field("id"))));
    const stores = found.map(({ id, name, address: place }) => {
      const { street = null, street2 = null, city = null, state = null, postal_code = null } = place;
      return { id, name: name ?? `Facility ${id}`, address: address(street, street2, city, [state, postal_code]) };
    });
    return { stores, hasUnreadable: rejected.length > 0, date };
  }

  /** The ids of a facility's locations. */
  async locationIds(facilityId: string): Promise<ReadonlySet<string>> {
    const { fetch } = this.list(posPath`/locations`, facilityId, "parameter", 0);
    const own = new StoreRows(facilityId);
    const all = new Set<string>();
    const ids = new Set<string>();
    for (let offset = 0; ; ) {
      const page = (await fetch(null, offset, pageSize)).rows;
      const sizeBefore = all.size;
      for (const field of page.map(idFieldsOf)) {
        const id = field("id");
        if (id === null) continue;
        all.add(id);
        if (own.has(facilityOf(field))) ids.add(id);
      }
      if (all.size === sizeBefore) return ids;
      offset += page.length;
    }
  }

  /**
   * A list in the order of its ids, so that new rows come at its end.
   *
   * @param fullEveryDays see PagedList
   */
  list(path: PosPath, facilityId: string, by: Facility, fullEveryDays: number): PagedList {
    // The id becomes part of a condition.
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
          // One more day: no source shows finer bounds or says which clock counts.
          ...(since ? [`updated_at >= '${daysAfter(since, -1).toISOString().slice(0, 10)}'`] : []),
        ];
        const query: Query = {
          limit,
          offset,
          order_by: "id asc",
          ...(by === "parameter" && { facility_id: facilityId }),
          ...(conditions.length > 0 && { where: conditions.join(" AND ") }),
        };
        const { body } = await this.#api.read(rows, below(base, path), query);
        return { rows: body, isLast: body.length === 0 };
      },
    };
  }
}
