import type { Connection, Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { newestFirstPage } from "../../framework/newestFirst.ts";
import { PosClient } from "../../framework/posClient.ts";
import { posPath } from "../../framework/posPath.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { inventoryPage, readLocations, readMenu } from "./lists.ts";
import { MeadowApi } from "./meadowApi.ts";
import { customerRecord, productRecords } from "./records.ts";
import { customer } from "./responses.ts";
import { salePages } from "./salePages.ts";

export interface MeadowOptions extends ConnectorOptions {
  /** this service's own key at Meadow, a secret */
  consumerKey?: string;
  /** base address of the menu; by default the base address of the other lists */
  menuUrl?: string;
}

/** Meadow (docs/pos/meadow.md). A key is for one organization, which is one shop. */
export function meadowConnector(options: MeadowOptions): Connector {
  const { consumerKey = "", menuUrl = options.url, listPageSize } = options;
  const client = new PosClient(options);
  const service = { client, menuClient: new PosClient({ ...options, url: menuUrl }), consumerKey };
  const lists = new WholeLists(listPageSize);
  return storeConnector("Meadow", options, (connection: Connection) => new MeadowApi(service, connection), {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, (behind) => readMenu(pull, behind, productRecords)),
    customer: (pull) =>
      newestFirstPage(pull, ({ since }) => [
        {
          from: since,
          idField: "id",
          dateField: "updatedAt",
          fetch: (after) =>
            pull.api.rows(posPath`/api/v1/customers`, {
              sortBy: "updatedAt",
              ...(after !== null && { startingAfter: after }),
            }),
          reader: { schema: customer, make: (row) => [customerRecord(row, pull.request.now)] },
        },
      ]),
    inventory: (pull) => inventoryPage(pull, lists),
    sale: salePages(),
  });
}
