import type { Connection, Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { createLastPage, planReadRange } from "../../framework/readRange.ts";
import { prefixed, readRows } from "../../framework/readRow.ts";
import { type StorePull, storeConnector } from "../../framework/storeConnector.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import { type WholeList, WholeLists } from "../../framework/wholeList.ts";
import { isOfObject, type Sender } from "./gateway.ts";
import { entityOf, IntacctApi, newDefinitions } from "./intacctApi.ts";
import { customerRecord, entityPlace, locationRecord, productRecord, warehouseRecord } from "./records.ts";
import { customer, item, location, warehouse } from "./responses.ts";
import { salePage } from "./salePages.ts";
import { newSessions } from "./sessions.ts";

export interface IntacctOptions extends ConnectorOptions {
  /** the credentials that Intacct issued to this service */
  sender?: Sender;
}

const weekly = 7;

/** Sage Intacct (docs/pos/sage-intacct.md). A user is of one company; the connection's location is an entity of it. */
export function intacctConnector(options: IntacctOptions): Connector {
  const { url, sender = { id: "", password: "" }, listPageSize } = options;
  const client = new PosClient(options);
  const service = { client, url, sender, sessions: newSessions(), definitions: newDefinitions() };
  const lists = new WholeLists(listPageSize);
  return storeConnector("Sage Intacct", options, (connection: Connection) => new IntacctApi(service, connection), {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) =>
      pagedRecords(pull, pull.api.list("ITEM", item, weekly), {
        schema: item,
        posIdOf: "ITEMID",
        make: (row) => [productRecord(row)],
        ...entityOf(pull),
      }),
    customer: (pull) =>
      pagedRecords(pull, pull.api.list("CUSTOMER", customer, weekly), {
        schema: customer,
        posIdOf: "CUSTOMERID",
        make: (row) => [customerRecord(row)],
        ...entityOf(pull),
      }),
    sale: salePage,
  });
}

/**
 * Reads the warehouses. If there are no warehouses, reads the locations. If there are no locations either, returns the
 * entity. If the user may not read warehouses, the company may still have warehouses. The result is then not complete,
 * so that replication keeps stored warehouses.
 */
async function readLocations(pull: StorePull<IntacctApi, "location">): Promise<WholeList<"location">> {
  const { api, request, date, store } = pull;
  const all = await readFirstPermitted([() => api.all("WAREHOUSE", warehouse), async () => null], isOfObject);
  const own = new StoreRows(entityOf(pull).store);
  const warehouses = all?.filter((row) => own.has(row));
  const found = warehouses?.length
    ? readRows(warehouse, warehouses, "WAREHOUSEID", warehouseRecord)
    : readRows(location, await api.all("LOCATION", location), prefixed("location-", "LOCATIONID"), locationRecord);
  const records = found.rows.length + found.rejected.length > 0 ? found.rows : [entityPlace(store)];
  const isRead = all !== null;
  return {
    records,
    rejected: found.rejected,
    foreign: own.foreign,
    complete: isRead,
    ...createLastPage(planReadRange(request, date, 0)),
    ...(!isRead && { readAll: false }),
  };
}
