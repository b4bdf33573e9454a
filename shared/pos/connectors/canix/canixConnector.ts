import type { RecordKind } from "../../../api/kinds.ts";
import type { Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { withoutObserver } from "../../framework/observer.ts";
import { oncePerPull } from "../../framework/oncePerPull.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { type StorePull, storeConnector } from "../../framework/storeConnector.ts";
import { CanixApi } from "./canixApi.ts";
import { customerRecord, facilityOf, inventoryRecords, isGone, isHere, productRecord, roomRecord } from "./records.ts";
import { customer, item, room, salesOrder, stockPackage } from "./responses.ts";
import { isUndone, saleRecords } from "./sales.ts";

const storeOf = ({ store }: StorePull<CanixApi, RecordKind>) => ({ ids: [store.id], idOf: facilityOf });
const weekly = 7;

/** Canix (docs/pos/canix.md). A key is for a company; the connection's location is one of its facilities. */
export function canixConnector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  // The ids of the facility's locations; empty if the key may not read locations.
  const locations = oncePerPull(({ api, store }: StorePull<CanixApi, "inventory">) =>
    withoutObserver(() => readFirstPermitted([() => api.locationIds(store.id), async () => new Set<string>()])),
  );
  return storeConnector("Canix", options, (connection) => new CanixApi(client, connection), {
    location: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/locations`, pull.store.id, "parameter", 0), {
        schema: room,
        store: storeOf(pull),
        make: (row) => [roomRecord(row)],
      }),
    product: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/items`, pull.store.id, "parameter", weekly), {
        schema: item,
        store: storeOf(pull),
        make: (row) => [productRecord(row)],
      }),
    // Customers belong to the whole company. The list lacks inactive customers.
    customer: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/customers`, pull.store.id, "none", weekly), {
        schema: customer,
        make: (row) => [customerRecord(row)],
      }),
    // Canix does not document a facility filter for packages, so each package must show by its facility or location that it
    // belongs to the connection's facility. Packages of other facilities are dropped, and packages that do not show their
    // facility are rejected. In both cases the list does not count as complete.
    inventory: async (pull) => {
      const known = await locations(pull);
      const isSure = (row: unknown) => isHere(row, pull.store.id, known);
      const list = { ...pull.api.list(posPath`/packages`, pull.store.id, "condition", 0), isSure };
      return pagedRecords(pull, list, {
        schema: stockPackage,
        store: storeOf(pull),
        make: (row) => (isSure(row) ? inventoryRecords(row) : { field: "facility_id", reason: "unknown_facility" }),
        undoes: isGone,
      });
    },
    sale: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/sales_orders`, pull.store.id, "condition", weekly), {
        schema: salesOrder,
        store: storeOf(pull),
        make: (row) => saleRecords(row, pull.connection.timezone),
        undoes: isUndone,
      }),
  });
}
