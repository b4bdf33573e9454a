import type { Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { dailySales } from "../../framework/rereadRecentDays.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { createTokenCache } from "../../framework/tokenCache.ts";
import { CovaApi } from "./covaApi.ts";
import { customerRecord, inventoryRecords, productRecord } from "./records.ts";
import { customer, invoice, product, stock } from "./responses.ts";
import { saleRecords } from "./sales.ts";

export interface CovaOptions extends ConnectorOptions {
  /** address of the accounts that issue the tokens; the address of the API if absent */
  accountsUrl?: string;
}

/** Cova (docs/pos/cova.md). A user has access to a company; the connection's location is one of its own. */
export function covaConnector(options: CovaOptions): Connector {
  const { accountsUrl = options.url } = options;
  const service = { client: new PosClient(options), tokens: createTokenCache(), accountsUrl };
  return storeConnector("Cova", options, (connection) => new CovaApi(service, connection), {
    product: (pull) =>
      pagedRecords(pull, pull.api.products(pull.store.id, 7), {
        schema: product,
        make: (row) => [productRecord(row, pull.store.id)],
      }),
    customer: (pull) =>
      pagedRecords(pull, pull.api.customers(), { schema: customer, make: (row) => [customerRecord(row)] }),
    inventory: (pull) =>
      pagedRecords(pull, pull.api.products(pull.store.id, 1), {
        schema: stock,
        make: (row) => inventoryRecords(row, pull.store.id),
      }),
    // Invoices have no date of change, so every pull reads those of the last days again.
    sale: (pull) =>
      dailySales(pull, pull.api.invoices(pull.store.id), {
        schema: invoice,
        make: saleRecords,
        store: { ids: [pull.store.id], idOf: "SoldAtEntityId" },
      }),
  });
}
