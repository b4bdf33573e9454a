import type { Connection, Connector } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { oncePerPull } from "../../framework/oncePerPull.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import { BlazeApi } from "./blazeApi.ts";
import { inventories, members, products, readCosts, readRooms, shopOf } from "./lists.ts";
import { customerRecord, inventoryRecords, productRecord, roomRecord } from "./records.ts";
import { member, type Product, product, room } from "./responses.ts";
import { salePage } from "./salePages.ts";

export interface BlazeOptions extends ConnectorOptions {
  /** this service's own key at Blaze, a secret */
  partnerKey?: string;
}

/** Blaze (docs/pos/blaze.md). A developer key is for one shop. */
export function blazeConnector(options: BlazeOptions): Connector {
  const { partnerKey = "" } = options;
  const client = new PosClient(options);
  const costs = oncePerPull(readCosts, 1);
  const rooms = oncePerPull(readRooms);
  return storeConnector("Blaze", options, (connection: Connection) => new BlazeApi(client, partnerKey, connection), {
    location: (pull) =>
      pagedRecords(pull, inventories(pull.api), {
        schema: room,
        make: (row) => [roomRecord(row)],
        store: shopOf(pull),
      }),
    product: async (pull) => {
      const known = await costs(pull);
      const make = (row: Product) => [productRecord(row, known)];
      return pagedRecords(pull, products(pull.api), { schema: product, make, store: shopOf(pull) });
    },
    customer: (pull) => pagedRecords(pull, members(pull), { schema: member, make: (row) => [customerRecord(row)] }),
    inventory: async (pull) => {
      const known = await rooms(pull);
      const make = (row: Product) => inventoryRecords(row, known);
      return pagedRecords(pull, products(pull.api), { schema: product, make, store: shopOf(pull) });
    },
    sale: salePage,
  });
}
