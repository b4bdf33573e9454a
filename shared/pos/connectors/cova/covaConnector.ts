import type { Connector, PullPage } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import type { IdField } from "../../framework/readRow.ts";
import { nextRereadDays } from "../../framework/rereadRecentDays.ts";
import { type StorePull, storeConnector } from "../../framework/storeConnector.ts";
import { createTokenCache } from "../../framework/tokenCache.ts";
import { CovaApi } from "./covaApi.ts";
import { customerRecord, inventoryRecords, productRecord } from "./records.ts";
import { customer, invoice, product, stock } from "./responses.ts";
import { saleRecords } from "./sales.ts";

export interface CovaOptions extends ConnectorOptions {
  /** address of the accounts that issue the tokens; the address of the API if absent */
  accountsUrl?: string;
}

const posIdOf = (field: IdField) => field("Id");
const productIdOf = (field: IdField) => field("ProductId");

/**
 * Cova (docs/pos/cova.md). A user's credentials give access to a whole company. The connection's location is one of the
 * company's locations.
 */
export function covaConnector(options: CovaOptions): Connector {
  const { quietDays = 365, accountsUrl = options.url } = options;
  const service = { client: new PosClient(options), tokens: createTokenCache(), accountsUrl };
  const connector = storeConnector("Cova", options, (connection) => new CovaApi(service, connection), {
    product: (pull) =>
      pagedRecords(pull, pull.api.products(pull.store.id, 7), {
        schema: product,
        posIdOf: productIdOf,
        make: (row) => [productRecord(row, pull.store.id)],
      }),
    customer: (pull) =>
      pagedRecords(pull, pull.api.customers(), { schema: customer, posIdOf, make: (row) => [customerRecord(row)] }),
    inventory: (pull) =>
      pagedRecords(pull, pull.api.products(pull.store.id, 1), {
        schema: stock,
        posIdOf: productIdOf,
        make: (row) => inventoryRecords(row, pull.store.id),
      }),
    sale: (pull) => salePage(pull, quietDays),
  });
  return {
    ...connector,
    async verify(connection) {
      new CovaApi(service, connection).session.signOut();
      return connector.verify(connection);
    },
  };
}

/** Reads a page of invoices by day. They have no date of change, so every pull reads those of the last days again. */
async function salePage(pull: StorePull<CovaApi, "sale">, quietDays: number): Promise<PullPage<"sale">> {
  const { api, connection, request, date, store } = pull;
  const { rows, next } = await nextRereadDays(
    { request, date, timezone: connection.timezone },
    api.invoices(store.id),
    quietDays,
  );
  const found = await makeRecords(request, rows, {
    schema: invoice,
    posIdOf,
    make: saleRecords,
    store: { ids: [store.id], idOf: (field) => field("SoldAtEntityId") },
  });
  return { ...found, total: null, next, complete: false };
}
