import type { RecordKind } from "../../../api/kinds.ts";
import type { KindsOf } from "../../../api/pos/posTypes.ts";
import { type Connection, type Connector, PosError, type PullPage, type PullRequest } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { oncePerPull } from "../../framework/oncePerPull.ts";
import { PosClient } from "../../framework/posClient.ts";
import { verifyOnRejection } from "../../framework/toPosError.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { customerPages } from "./customerPages.ts";
import { apisOf, type DutchiePull, posStore, storesOf } from "./dutchieApi.ts";
import { readInventory, readLocations, readProducts } from "./lists.ts";
import { salePage } from "./salePages.ts";

export interface DutchieOptions extends ConnectorOptions {
  /** this service's own key, if Dutchie has issued one */
  integratorKey?: string;
  /** timeout in milliseconds for a list, which Dutchie returns without pages; 180,000 by default */
  reportTimeout?: number;
}

/**
 * Dutchie POS (docs/pos/dutchie.md): the POS type `Dutchie` has retail transactions, and `Dutchie Wholesale` has orders. A
 * connection has one or two API keys, each for one Dutchie location. The connector reads everything once per key.
 */
export function dutchieConnector(options: DutchieOptions): Connector {
  const { integratorKey = "", reportTimeout = 180_000, quietDays = 365, listPageSize } = options;
  const service = { client: new PosClient(options), integratorKey, reportTimeout };
  const lists = new WholeLists(listPageSize);
  const stores = (connection: Connection, isWaitedFor: boolean) => storesOf(apisOf(service, connection), isWaitedFor);
  const storesOfPull = oncePerPull(({ connection }: { connection: Connection; request: PullRequest<RecordKind> }) =>
    stores(connection, false),
  );

  const readers: { [Kind in KindsOf<"Dutchie">]: (pull: DutchiePull<Kind>) => Promise<PullPage<Kind>> } = {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, (behind) => readProducts(pull, behind)),
    customer: customerPages(),
    inventory: (pull) => lists.page(pull.connection, pull.request, (behind) => readInventory(pull, behind)),
    sale: (pull) => salePage(pull, quietDays),
  };

  return {
    async verify(connection) {
      const found = await stores(connection, true);
      return found.stores.map(({ store }) => posStore(store));
    },
    pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>) {
      return verifyOnRejection(
        async () => {
          const found = await storesOfPull({ connection, request });
          const { locationId } = connection;
          if (locationId !== null && !found.stores.some(({ store }) => store.locationid === locationId)) {
            throw new PosError("locationGone");
          }
          return readers[request.kind]({ connection, request, ...found });
        },
        () => stores(connection, false),
      );
    },
  };
}
