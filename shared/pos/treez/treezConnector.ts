import type { RecordKind } from "../../kinds.ts";
import { systemClock } from "../../time/clock.ts";
import { type Connection, type Connector, PosError, type PullPage, type PullRequest } from "../connector.ts";
import type { ConnectorOptions } from "../reading/connectorOptions.ts";
import { PosClient } from "../reading/posClient.ts";
import { unlessRefused } from "../reading/refusal.ts";
import { WholeLists } from "../reading/wholeList.ts";
import { customerPage } from "./customerPages.ts";
import { readInventory, readLocations, readProducts } from "./lists.ts";
import { salePage } from "./salePages.ts";
import { newTokens, TreezApi } from "./treezApi.ts";
import type { TreezPull } from "./treezPull.ts";

export interface TreezOptions extends ConnectorOptions {
  /** this service's own id at Treez, a secret */
  clientId?: string;
}

/** Treez, version 2 of its API (docs/pos/treez.md). Its credentials reach one dispensary. */
export function treezConnector(options: TreezOptions): Connector {
  const { clientId = "", quietDays = 365, listPageSize, clock = systemClock } = options;
  const client = new PosClient(options);
  const tokens = newTokens();
  const lists = new WholeLists(listPageSize);

  const readers: { [Kind in RecordKind]: (pull: TreezPull<Kind>) => Promise<PullPage<Kind>> } = {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, () => readProducts(pull)),
    customer: (pull) => customerPage(pull, quietDays),
    inventory: (pull) => lists.page(pull.connection, pull.request, () => readInventory(pull)),
    sale: (pull) => salePage(pull, quietDays),
  };

  return {
    async verify(connection) {
      const api = new TreezApi(client, tokens, connection, clientId);
      await api.verify(true);
      return [api.store];
    },
    async pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>) {
      const api = new TreezApi(client, tokens, connection, clientId);
      const { locationId } = connection;
      if (locationId !== null && locationId !== api.store.id) throw new PosError("locationGone");
      return unlessRefused(
        () => readers[request.kind]({ api, connection, request, clock }),
        () => api.verify(false),
      );
    },
  };
}
