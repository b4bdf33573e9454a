import type { RecordKind } from "../../../api/kinds.ts";
import type { Connector, PullPage } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { withoutObserver } from "../../framework/observer.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import type { IdField } from "../../framework/readRow.ts";
import { type StorePull, storeConnector } from "../../framework/storeConnector.ts";
import { CanixApi } from "./canixApi.ts";
import { customerRecord, facilityOf, inventoryRecords, isGone, isHere, productRecord, roomRecord } from "./records.ts";
import { customer, item, room, salesOrder, stockPackage } from "./responses.ts";
import { isUndone, saleRecords } from "./sales.ts";

const posIdOf = (field: IdField) => field("id");
const storeOf = ({ store }: StorePull<CanixApi, RecordKind>) => ({ ids: [store.id], idOf: facilityOf });
const weekly = 7;

/**
 * Canix (docs/pos/canix.md). A key gives access to a whole company. The connection's location is one of the company's
 * facilities.
 */
export function canixConnector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  // Each process reads a facility's locations once per pull.
  const locations = new AsyncCache<ReadonlySet<string>>(8, 15 * 60_000);
  return storeConnector("Canix", options, (connection) => new CanixApi(client, connection), {
    location: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/locations`, pull.store.id, "parameter", 0), {
        schema: room,
        posIdOf,
        store: storeOf(pull),
        make: (row) => [roomRecord(row)],
      }),
    product: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/items`, pull.store.id, "parameter", weekly), {
        schema: item,
        posIdOf,
        store: storeOf(pull),
        make: (row) => [productRecord(row)],
      }),
    // Customers belong to the whole company. The list lacks inactive customers.
    customer: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/customers`, pull.store.id, "none", weekly), {
        schema: customer,
        posIdOf,
        make: (row) => [customerRecord(row)],
      }),
    inventory: (pull) => inventoryPage(pull, locations),
    sale: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/sales_orders`, pull.store.id, "condition", weekly), {
        schema: salesOrder,
        posIdOf,
        store: storeOf(pull),
        make: (row) => saleRecords(row, pull.connection.timezone),
        undoes: isUndone,
      }),
  });
}

/**
 * Reads a page of packages. Canix does not document a facility filter for packages, so each package must show by its
 * facility or location that it belongs to the connection's facility. Packages of other facilities are dropped, and
 * packages that do not show their facility are rejected. In both cases the list does not count as complete.
 */
async function inventoryPage(
  pull: StorePull<CanixApi, "inventory">,
  locations: AsyncCache<ReadonlySet<string>>,
): Promise<PullPage<"inventory">> {
  const { api, connection, request, store } = pull;
  const known = await locations.get(`${connection.crbId} ${store.id} ${request.now.toISOString()}`, () =>
    withoutObserver(() => readFirstPermitted([() => api.locationIds(store.id), async () => new Set<string>()])),
  );
  const isSure = (row: unknown) => isHere(row, store.id, known);
  const list = { ...api.list(posPath`/packages`, store.id, "condition", 0), isSure };
  return pagedRecords(pull, list, {
    schema: stockPackage,
    posIdOf,
    store: storeOf(pull),
    make: (row) => (isSure(row) ? inventoryRecords(row) : { field: "facility_id", reason: "unknown_facility" }),
    undoes: isGone,
  });
}
