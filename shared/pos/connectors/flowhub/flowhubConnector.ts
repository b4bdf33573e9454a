import { tzOffset } from "@date-fns/tz";
import type { RecordKind } from "../../../api/kinds.ts";
import type { KindsOf } from "../../../api/pos/posTypes.ts";
import { systemClock } from "../../../time/clock.ts";
import { type Connection, type Connector, PosError, type PullPage, type PullRequest } from "../../connector.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { oncePerPull } from "../../framework/oncePerPull.ts";
import { PosClient } from "../../framework/posClient.ts";
import { isPathPart } from "../../framework/posPath.ts";
import { verifyOnRejection } from "../../framework/toPosError.ts";
import { WholeLists } from "../../framework/wholeList.ts";
import { CustomerPages } from "./customerPages.ts";
import { FlowhubApi, type FlowhubPull, posStore, type Stores } from "./flowhubApi.ts";
import { StockLists } from "./lists.ts";
import type { Store } from "./responses.ts";
import { salePage } from "./salePages.ts";

/** Flowhub (docs/pos/flowhub.md). The credentials are for all stores of a client; data of other stores is dropped. */
export function flowhubConnector(options: ConnectorOptions): Connector {
  const { quietDays = 365, listPageSize, clock = systemClock } = options;
  const client = new PosClient(options);
  const lists = new WholeLists(listPageSize);
  const stock = new StockLists();
  const customers = new CustomerPages();
  const storesOfPull = oncePerPull(({ api }: Pick<FlowhubPull<RecordKind>, "api" | "connection" | "request">) =>
    api.stores(false),
  );

  const readers: { [Kind in KindsOf<"Flowhub">]: (pull: FlowhubPull<Kind>) => Promise<PullPage<Kind>> } = {
    location: (pull) => lists.page(pull.connection, pull.request, () => stock.locations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, (behind) => stock.products(pull, behind)),
    customer: (pull) => customers.page(pull, quietDays),
    inventory: (pull) => lists.page(pull.connection, pull.request, (behind) => stock.inventory(pull, behind)),
    sale: (pull) => salePage(pull, quietDays),
  };

  return {
    async verify(connection) {
      const found = await new FlowhubApi(client, connection).stores(true);
      const { locationId } = connection;
      // Fails only if an unreadable store has this id. A mistyped location must be reported as not found, even if other
      // stores are unreadable.
      if (mayBeUnreadable(found, locationId, (id) => id === locationId)) throw unreadable();
      return found.stores.map(posStore);
    },
    async pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>) {
      const api = new FlowhubApi(client, connection);
      return verifyOnRejection(
        async () => {
          const found = await storesOfPull({ api, connection, request });
          const { date } = found;
          const store = storeOf(found, connection.locationId);
          const timezone = knownZone(store.timeZone) ?? connection.timezone;
          return readers[request.kind]({ api, connection, request, store, timezone, date, clock });
        },
        () => api.stores(false),
      );
    },
  };
}

/** @throws PosError "locationGone"; "notUnderstood" if the store may exist but cannot be parsed */
function storeOf(found: Stores, locationId: string | null): Store {
  // The store existed when it was connected. It counts as gone only if none of the unreadable stores may be this store.
  if (mayBeUnreadable(found, locationId, (id) => id === locationId || id === null)) throw unreadable();
  const store = findStore(found, locationId);
  if (!store || !isPathPart(store.locationId) || !isPathPart(store.importId)) throw new PosError("locationGone");
  return store;
}

function findStore({ stores }: Stores, locationId: string | null): Store | undefined {
  return stores.find((store) => store.locationId === locationId || store.importId === locationId);
}

/** Whether the store was not found, but an unreadable store has a matching id. */
function mayBeUnreadable(found: Stores, locationId: string | null, fits: (id: string | null) => boolean): boolean {
  if (locationId === null || findStore(found, locationId)) return false;
  return found.unreadable.some((ids) => ids.some(fits));
}

const unreadable = () => new PosError("notUnderstood", { code: "store" });

/** The time zone if its name is valid, else null. Aliases such as `US/Mountain` are valid. */
function knownZone(name: string | null): string | null {
  return name !== null && !Number.isNaN(tzOffset(name, new Date(0))) ? name : null;
}
