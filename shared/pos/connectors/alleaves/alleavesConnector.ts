import { systemClock } from "../../../time/clock.ts";
import type { Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { oncePerPull } from "../../framework/oncePerPull.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { dailySales } from "../../framework/rereadRecentDays.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { createTokenCache } from "../../framework/tokenCache.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { AlleavesApi } from "./alleavesApi.ts";
import { customerRecord } from "./records.ts";
import { customer, order } from "./responses.ts";
import { isUndone, saleRecords } from "./sales.ts";
import { type AlleavesPull, locationOf, readInventory, readLocations, readProducts, unknownLocation } from "./stock.ts";

const pageSize = 100;

/** Alleaves (docs/pos/alleaves.md). A user has access to a company; the connection's location is one of its own. */
export function alleavesConnector(options: ConnectorOptions): Connector {
  const { listPageSize, clock = systemClock } = options;
  const service = { client: new PosClient(options), tokens: createTokenCache(), clock };
  const lists = new WholeLists(listPageSize);
  const firstPage = oncePerPull(({ api, request }: AlleavesPull<"customer"> | AlleavesPull<"sale">) =>
    api.firstPage(request.kind === "customer" ? "customers" : "orders"),
  );
  return storeConnector("Alleaves", options, (connection) => new AlleavesApi(service, connection), {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, (behind) => readProducts(pull, behind)),
    // Customers belong to the whole company. They have no date of change, so every pull reads all customers.
    customer: async (pull) => {
      const first = await firstPage(pull);
      const list = {
        size: pageSize,
        fullEveryDays: 0,
        idField: "id_customer",
        fetch: async (_: Date | null, index: number, size: number) => ({
          rows: await pull.api.customers(index + first, size),
        }),
      };
      return pagedRecords(pull, list, { schema: customer, make: (row) => [customerRecord(row)] });
    },
    inventory: (pull) => lists.page(pull.connection, pull.request, (behind) => readInventory(pull, behind)),
    // Orders have no date of change, so every pull reads the orders of the last days again.
    sale: async (pull) => {
      const first = await firstPage(pull);
      const days = {
        windowDays: 30,
        idField: "id_order",
        pageSize,
        rereadDays: 3,
        fetch: async (startDate: string, endDate: string, index: number, size: number) => ({
          rows: await pull.api.orders(index + first, size, { startDate, endDate }),
        }),
      };
      return dailySales(pull, days, {
        schema: order,
        store: locationOf(pull),
        make: (row) => unknownLocation(pull, row) ?? saleRecords(row),
        undoes: isUndone,
      });
    },
  });
}
