import { addDays } from "../../../time/addDays.ts";
import type { Connection } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { ListPage, PagedList } from "../../framework/pagedList.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { readRows } from "../../framework/readRow.ts";
import type { SaleDays } from "../../framework/rereadRecentDays.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { requireCredential } from "../../framework/toPosError.ts";
import { facility, page, stated } from "./responses.ts";

/** Flourish's maximum number of rows per page. */
const pageSize = 50;
/** Limit for reading the list of facilities; no company has more facilities. */
const maxFacilities = 5_000;

/** The API of Flourish for one key of a company. A header of each request names one of its facilities. */
export class FlourishApi implements StoreApi {
  readonly #api: JsonApi;

  constructor(client: PosClient, { crbId, credentials, locationId }: Connection) {
    const basic = basicOf(requireCredential(credentials.api_key));
    const headers = { authorization: `Basic ${basic}`, ...(isFacility(locationId) && { FacilityID: locationId }) };
    const statusIn = (body: unknown) => stated.safeParse(body).data?.status ?? null;
    this.#api = new JsonApi({ client, rateLimitBucket: crbId, headers, statusIn });
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    const rows = new Map<string, unknown>();
    // The count in the response is not reliable, so the list is read until a page is empty or repeats earlier rows.
    for (let offset = 0; ; ) {
      const query = { limit: pageSize, offset };
      const { body, date } = await this.#api.read(page, posPath`/v1/facilities`, query, options);
      const before = rows.size;
      for (const row of body.data) rows.set(JSON.stringify(row), row);
      offset += body.data.length;
      if (rows.size > before && rows.size < maxFacilities) continue;
      const { rows: stores, rejected } = readRows(facility, [...rows.values()], "id", (row) => ({
        id: row.id,
        name: row.facility_name ?? row.alias ?? `Facility ${row.id}`,
        address: address(row.address_line_1, row.city, [row.state, row.zip_code]),
      }));
      return { stores, hasUnreadable: rejected.length > 0, date };
    }
  }

  /** @param fullEveryDays see PagedList; 0 for a list without a date filter */
  list(path: PosPath, idField: string, fullEveryDays: number): PagedList {
    return {
      size: pageSize,
      fullEveryDays,
      idField,
      countsRows: true,
      fetch: (since, offset, limit) =>
        this.#page(path, { limit, offset, ...(since && { last_updated_timestamp_start: since.toISOString() }) }),
    };
  }

  /** Retail orders by day of creation, from midnight UTC, because Flourish cannot list them by change. */
  retailOrders(): SaleDays {
    return {
      windowDays: 6,
      pageSize,
      rereadDays: 7,
      idField: "id",
      countsRows: true,
      fetch: (from, to, offset, limit) =>
        this.#page(posPath`/v1/retail-orders`, {
          limit,
          offset,
          created_timestamp_start: `${from}T00:00:00.000Z`,
          created_timestamp_end: `${addDays(to, 1)}T00:00:00.000Z`,
        }),
    };
  }

  async #page(path: PosPath, query: Query): Promise<ListPage> {
    const { data, meta } = (await this.#api.read(page, path, query)).body;
    return { rows: data, total: meta.total };
  }
}

/** Encodes `user:key` for HTTP Basic; keeps a key that is already encoded. */
function basicOf(key: string): string {
  return key.includes(":") ? Buffer.from(key).toString("base64") : key;
}

/** Whether an external id can be sent in a header. */
function isFacility(id: string | null): id is string {
  return id !== null && /^[\x21-\x7e]{1,64}$/.test(id);
}
