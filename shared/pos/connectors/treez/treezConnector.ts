import type { RecordKind } from "../../../api/kinds.ts";
import type { KindsOf } from "../../../api/pos/posTypes.ts";
import { systemClock } from "../../../time/clock.ts";
import { type Connection, type Connector, PosError, type PullPage, type PullRequest } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { PosClient } from "../../framework/posClient.ts";
import { createTokenCache } from "../../framework/tokenCache.ts";
import { verifyOnRejection } from "../../framework/toPosError.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { customerPage } from "./customerPages.ts";
import { readInventory, readLocations, readProducts } from "./lists.ts";
import { salePage } from "./salePages.ts";
import type { Certificate } from "./treezAccess.ts";
import { TreezApi } from "./treezApi.ts";
import type { TreezPull } from "./treezPull.ts";

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
    quietDays = 365,
    listPageSize,
    clock = systemClock,
  } = options;
  const client = new PosClient(options);
  const signedClient = new PosClient({ ...options, url: signedUrl });
  const service = { client, tokens: createTokenCache(), clientId, signedClient, certificate, clock };
  const lists = new WholeLists(listPageSize);

  const readers: { [Kind in KindsOf<"Treez">]: (pull: TreezPull<Kind>) => Promise<PullPage<Kind>> } = {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, () => readProducts(pull)),
    customer: (pull) => customerPage(pull, quietDays),
    inventory: (pull) => lists.page(pull.connection, pull.request, () => readInventory(pull)),
    sale: (pull) => salePage(pull, quietDays),
  };

  return {
    async verify(connection) {
      const api = new TreezApi(service, connection);
      await api.verify(true);
      return [api.store];
    },
    async pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>) {
      const api = new TreezApi(service, connection);
      const { locationId } = connection;
      if (locationId !== null && locationId !== api.store.id) throw new PosError("locationGone");
      return verifyOnRejection(
        () => readers[request.kind]({ api, connection, request, clock }),
        () => api.verify(false),
      );
    },
  };
}
