import type { Connector } from "../connector.ts";
import type { ConnectorOptions } from "../reading/connectorOptions.ts";
import { pagedRecords } from "../reading/pagedList.ts";
import { PosClient } from "../reading/posClient.ts";
import { posPath } from "../reading/posPath.ts";
import type { IdField } from "../reading/readRow.ts";
import { storeConnector } from "../reading/storeConnector.ts";
import { customer, item, room, salesOrder, stockPackage } from "./answers.ts";
import { CanixApi } from "./canixApi.ts";
import { customerRecord, inventoryRecord, isGone, productRecord, roomRecord } from "./records.ts";
import { isUndone, saleRecords } from "./sales.ts";

const posIdOf = (field: IdField) => field("id");
/** So often all is read again. */
const weekly = 7;

/** Canix (docs/pos/canix.md). A key reaches a whole company; the connection's location is one of its facilities. */
export function canixConnector(options: ConnectorOptions): Connector {
  const client = new PosClient(options);
  return storeConnector(options, (connection) => new CanixApi(client, connection), {
    location: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/locations`, pull.store.id, "parameter", 0), {
        schema: room,
        posIdOf,
        make: (row) => [roomRecord(row)],
      }),
    product: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/items`, pull.store.id, "parameter", weekly), {
        schema: item,
        posIdOf,
        make: (row) => [productRecord(row)],
      }),
    // Of the whole company; the list leaves out those who are not active any more.
    customer: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/customers`, pull.store.id, "none", weekly), {
        schema: customer,
        posIdOf,
        make: (row) => [customerRecord(row)],
      }),
    inventory: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/packages`, pull.store.id, "condition", 0), {
        schema: stockPackage,
        posIdOf,
        make: (row) => [inventoryRecord(row)],
        undoes: isGone,
      }),
    sale: (pull) =>
      pagedRecords(pull, pull.api.list(posPath`/sales_orders`, pull.store.id, "condition", weekly), {
        schema: salesOrder,
        posIdOf,
        make: (row) => saleRecords(row, pull.connection.timezone),
        undoes: isUndone,
      }),
  });
}
