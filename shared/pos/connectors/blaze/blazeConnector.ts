import type { RecordKind } from "../../../api/kinds.ts";
import type { Connector } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { pagedRecords } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import type { IdField } from "../../framework/readRow.ts";
import { storeConnector } from "../../framework/storeConnector.ts";
import type { PosLocation } from "../../posRecords.ts";
import { BlazeApi } from "./blazeApi.ts";
import { type BlazePull, inventories, members, products, readCosts, readRooms, shopOf } from "./lists.ts";
import { customerRecord, inventoryRecords, productRecord, roomRecord } from "./records.ts";
import { member, product, room } from "./responses.ts";
import { salePage } from "./salePages.ts";

export interface BlazeOptions extends ConnectorOptions {
  /** this service's own key at Blaze, a secret */
  partnerKey?: string;
}

const posIdOf = (field: IdField) => field("id");
const storeOf = ({ store }: BlazePull<RecordKind>) => ({ ids: [store.id], idOf: shopOf });
const keptMilliseconds = 15 * 60_000;

/** Blaze (docs/pos/blaze.md). A developer key is for one shop. */
export function blazeConnector(options: BlazeOptions): Connector {
  const { partnerKey = "", quietDays = 365 } = options;
  const client = new PosClient(options);
  // Each process reads the unit costs once per pull.
  const costs = new AsyncCache<ReadonlyMap<string, string>>(1, keptMilliseconds);
  const rooms = new AsyncCache<ReadonlyMap<string, PosLocation>>(8, keptMilliseconds);
  return storeConnector("Blaze", options, (connection) => new BlazeApi(client, partnerKey, connection), {
    location: (pull) =>
      pagedRecords(pull, inventories(pull.api), {
        schema: room,
        posIdOf,
        make: (row) => [roomRecord(row)],
        store: storeOf(pull),
      }),
    product: async (pull) => {
      const known = await costs.get(`${pull.connection.crbId} ${pull.request.now.toISOString()}`, () =>
        readCosts(pull),
      );
      const make = (row: Parameters<typeof productRecord>[0]) => [productRecord(row, known)];
      return pagedRecords(pull, products(pull.api), { schema: product, posIdOf, make, store: storeOf(pull) });
    },
    customer: (pull) =>
      pagedRecords(pull, members(pull), { schema: member, posIdOf, make: (row) => [customerRecord(row)] }),
    inventory: async (pull) => {
      const known = await rooms.get(`${pull.connection.crbId} ${pull.request.now.toISOString()}`, () =>
        readRooms(pull),
      );
      const make = (row: Parameters<typeof inventoryRecords>[0]) => inventoryRecords(row, known);
      return pagedRecords(pull, products(pull.api), { schema: product, posIdOf, make, store: storeOf(pull) });
    },
    sale: (pull) => salePage(pull, quietDays),
  });
}
