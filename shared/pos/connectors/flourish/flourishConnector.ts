import type { Connection, Connector, PullPage } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { pagedRecords, readListPage } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { posPath } from "../../framework/posPath.ts";
import { type IdField, readRows } from "../../framework/readRow.ts";
import { dailySales } from "../../framework/rereadRecentDays.ts";
import { type StorePull, storeConnector } from "../../framework/storeConnector.ts";
import { FlourishApi } from "./flourishApi.ts";
import {
  customerRecord,
  facilityPlace,
  inventoryRecords,
  isCanceled,
  isGone,
  placeOf,
  productRecord,
  saleRecords,
} from "./records.ts";
import { customer, destination, item, order, retailOrder, stock } from "./responses.ts";
import { isNoRetailSale, personRecord, retailSaleRecords } from "./retail.ts";

const weekly = 7;

/**
 * Flourish (docs/pos/flourish.md). A key gives access to all facilities of a company. The connection's location is one
 * of these facilities. The connection's business type decides whether companies and their orders are read, or persons
 * and theirs.
 */
export function flourishConnector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  return storeConnector("Flourish", options, (connection: Connection) => new FlourishApi(client, connection), {
    location: readLocations,
    product: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/v1/items`, "id", weekly), {
        schema: item,
        make: (row) => [productRecord(row)],
      }),
    customer: (pull) =>
      pull.connection.businessType === "retail"
        ? pagedRecords(pull, pull.api.list(posPath`/v1/customers`, "id", weekly), {
            schema: customer,
            make: (row) => [personRecord(row)],
          })
        : // A buyer may lack a date of change, so every pull reads all buyers.
          pagedRecords(pull, pull.api.list(posPath`/v1/destinations`, "id", 0), {
            schema: destination,
            make: (row) => [customerRecord(row)],
          }),
    inventory: (pull) =>
      pagedRecords(pull, stockList(pull.api), {
        schema: stock,
        make: (row) => inventoryRecords(row, pull.store),
        undoes: isGone,
      }),
    sale: (pull) =>
      pull.connection.businessType === "retail"
        ? dailySales(pull, pull.api.retailOrders(), {
            schema: retailOrder,
            make: retailSaleRecords,
            undoes: isNoRetailSale,
            store: ownFacility(pull, "facility_id"),
          })
        : pagedRecords(pull, pull.api.list(posPath`/v1/outbound-orders`, "id", weekly), {
            schema: order,
            make: saleRecords,
            undoes: isCanceled,
            // If the facility's id cannot be sent in a header, Flourish returns the orders of the whole company. So the
            // rows are filtered here.
            store: ownFacility(pull, "origin_facility.id", "origin_facility_id"),
          }),
  });
}

/** The facility of an order, in the first of the fields that holds an id. */
const ownFacility = ({ store }: StorePull<FlourishApi, "sale">, ...fields: readonly string[]) => ({
  ids: [store.id],
  idOf: (field: IdField) => fields.map(field).find((id) => id !== null) ?? null,
});

/** Reads the places named in the rows of stock. If there are no rows, returns the facility as its only place. */
async function readLocations(pull: StorePull<FlourishApi, "location">): Promise<PullPage<"location">> {
  const { api, request, date, store } = pull;
  const { rows, ...page } = await readListPage(request, date, stockList(api));
  // Rows that do not match the schema are skipped; the pull of inventory reports them. A place that only such a row names
  // is added once the row is readable.
  const { rows: places } = readRows(stock, rows, "inventory_id", (row) => placeOf(row, store));
  if (rows.length === 0 && request.position === null) places.push(facilityPlace(store));
  const records = [...new Map(places.map((place) => [place.pos_location_id, place])).values()];
  return { ...page, records, rejected: [], total: null };
}

/** The list of stock. Rows of shipped stock have no id and are not records. */
const stockList = (api: FlourishApi) => ({
  ...api.list(posPath`/v1/inventory`, "inventory_id", 0),
  isNone: (row: unknown) => (row as { inventory_id?: unknown } | null)?.inventory_id === null,
});
