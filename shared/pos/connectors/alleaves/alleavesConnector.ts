import { systemClock } from "../../../time/clock.ts";
import type { Connector, PullPage } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { nextRereadDays } from "../../framework/rereadRecentDays.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { createTokenCache } from "../../framework/tokenCache.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { AlleavesApi } from "./alleavesApi.ts";
import { customerRecord } from "./records.ts";
import { customer, order } from "./responses.ts";
import { isUndone, saleRecords } from "./sales.ts";
import { type AlleavesPull, locationOf, readInventory, readLocations, readProducts, unknownLocation } from "./stock.ts";

const pageSize = 100;

/**
 * Alleaves (docs/pos/alleaves.md). A user's credentials give access to a whole company. The connection's location is
 * one of the company's locations.
 */
export function alleavesConnector(options: ConnectorOptions): Connector {
  const { quietDays = 365, listPageSize, clock = systemClock } = options;
  const service = { client: new PosClient(options), tokens: createTokenCache(), clock };
  const lists = new WholeLists(listPageSize);
  const firstPages = new FirstPages();
  const connector = storeConnector("Alleaves", options, (connection) => new AlleavesApi(service, connection), {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, (behind) => readProducts(pull, behind)),
    customer: (pull) => customerPage(pull, firstPages),
    inventory: (pull) => lists.page(pull.connection, pull.request, (behind) => readInventory(pull, behind)),
    sale: (pull) => salePage(pull, firstPages, quietDays),
  });
  return {
    ...connector,
    async verify(connection) {
      // Drops the cached token, so that the check signs in. A cached token would only prove that an earlier sign-in
      // succeeded.
      new AlleavesApi(service, connection).session.signOut();
      return connector.verify(connection);
    },
  };
}

/** The number of the first page (0 or 1) of each list. Each process detects the number once per pull. */
class FirstPages {
  readonly #known = new AsyncCache<0 | 1>(8, 15 * 60_000);

  of({ api, connection, request }: AlleavesPull<"customer"> | AlleavesPull<"sale">): Promise<0 | 1> {
    const key = `${connection.crbId} ${request.kind} ${request.now.toISOString()}`;
    return this.#known.get(key, () => api.firstPage(request.kind === "customer" ? "customers" : "orders"));
  }
}

/** Reads a page of customers of the whole company. Customers have no date of change, so every pull reads all customers. */
async function customerPage(pull: AlleavesPull<"customer">, pages: FirstPages): Promise<PullPage<"customer">> {
  const first = await pages.of(pull);
  return pagedRecords(
    pull,
    {
      size: pageSize,
      fullEveryDays: 0,
      idField: "id_customer",
      fetch: async (_, index, size) => {
        const rows = await pull.api.customers(index + first, size);
        return { rows, isLast: rows.length === 0 };
      },
    },
    { schema: customer, posIdOf: (field) => field("id_customer"), make: (row) => [customerRecord(row)] },
  );
}

/**
 * Reads a page of orders by day of creation. Orders have no date of change, so every pull reads the orders of the last days
 * again.
 */
async function salePage(pull: AlleavesPull<"sale">, pages: FirstPages, quietDays: number): Promise<PullPage<"sale">> {
  const { api, connection, request, date } = pull;
  const first = await pages.of(pull);
  const days = {
    windowDays: 30,
    idField: "id_order",
    pageSize,
    rereadDays: 3,
    fetch: async (startDate: string, endDate: string, index: number, size: number) => {
      const rows = await api.orders(index + first, size, { startDate, endDate });
      return { rows, isLast: rows.length === 0 };
    },
  };
  const { timezone } = connection;
  const { rows, next } = await nextRereadDays({ request, date, timezone }, days, quietDays);
  const found = await makeRecords(request, rows, {
    schema: order,
    posIdOf: (field) => field("id_order"),
    store: locationOf(pull),
    make: (row) => unknownLocation(pull, row) ?? saleRecords(row),
    undoes: isUndone,
  });
  return { ...found, total: null, next, complete: false };
}
