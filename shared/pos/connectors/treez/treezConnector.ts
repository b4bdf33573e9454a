import { systemClock } from "../../../time/clock.ts";
import type { Connection, Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { PosClient } from "../../framework/posClient.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { createTokenCache } from "../../framework/tokenCache.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { customerRecord } from "./customers.ts";
import { customers, datedRecords, tickets } from "./datedList.ts";
import { readInventory, readLocations, readProducts } from "./lists.ts";
import { customer, ticket } from "./responses.ts";
import { isCanceled, saleRecords } from "./sales.ts";
import type { Certificate } from "./treezAccess.ts";
import { TreezApi } from "./treezApi.ts";

export interface TreezOptions extends ConnectorOptions {
  /** this service's own id at Treez, a secret */
  clientId?: string;
  /** a secret; signs requests to version 3 of the API */
  certificate?: Certificate;
  /** base address of version 3; by default the base address of version 2 */
  signedUrl?: string;
}

/** Treez, versions 2 and 3 of its API (docs/pos/treez.md). Its credentials reach one dispensary. */
export function treezConnector(options: TreezOptions): Connector {
  const {
    clientId = "",
    certificate = { id: "", privateKey: "" },
    signedUrl = options.url,
    listPageSize,
    clock = systemClock,
  } = options;
  const client = new PosClient(options);
  const signedClient = new PosClient({ ...options, url: signedUrl });
  const service = { client, tokens: createTokenCache(), clientId, signedClient, certificate, clock };
  const lists = new WholeLists(listPageSize);

  return storeConnector("Treez", options, (connection: Connection) => new TreezApi(service, connection), {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, () => readProducts(pull)),
    customer: (pull) => datedRecords(pull, customers, { schema: customer, make: (row) => [customerRecord(row)] }),
    inventory: (pull) => lists.page(pull.connection, pull.request, () => readInventory(pull)),
    sale: (pull) => datedRecords(pull, tickets, { schema: ticket, make: saleRecords, undoes: isCanceled }),
  });
}
