import type { ConnectablePosType } from "../../api/enumerations.ts";
import type { RecordKind } from "../../api/kinds.ts";
import { type KindsOf, lacks } from "../../api/pos/posTypes.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import {
  type Connection,
  type Connector,
  noRecords,
  PosError,
  type PosStore,
  type PullPage,
  type PullRequest,
} from "../connector.ts";
import type { BearerSession } from "./bearerSession.ts";
import type { ConnectorOptions } from "./connectorOptions.ts";
import { withoutObserver } from "./observer.ts";
import { oncePerPull } from "./oncePerPull.ts";
import { interactiveLimits, type PosCall } from "./posClient.ts";
import { createLastPage, planReadRange } from "./readRange.ts";
import { verifyOnRejection } from "./toPosError.ts";

/** The stores that credentials reach. */
export interface Stores {
  stores: PosStore[];
  /** whether some stores could not be parsed */
  hasUnreadable: boolean;
  /** the time on the POS's clock */
  date: Date | null;
}

/** Calls a POS with one connection's credentials. */
export interface StoreApi {
  /** the session, if a sign-in verifies the credentials */
  readonly session?: BearerSession;
  /** the store, if it is the only one and known without a request */
  readonly onlyStore?: PosStore;
  /** The call that verifies the credentials. If the POS responds 403 to this call, it rejects the credentials. */
  stores(options: Partial<PosCall>): Promise<Stores>;
}

/** The context of all pages of one pull. */
export interface StorePull<Api, Kind extends RecordKind> {
  api: Api;
  connection: Connection;
  request: PullRequest<Kind>;
  /** the connection's store */
  store: PosStore;
  /** whether the credentials reach no other store */
  isOnly: boolean;
  /** the time on the POS's clock in its first response */
  date: Date | null;
  /** the clock to compare with the request's deadline */
  clock: Clock;
  /** see ConnectorOptions */
  quietDays: number;
}

type Reader<Api, Kind extends RecordKind> = (pull: StorePull<Api, Kind>) => Promise<PullPage<Kind>>;
/** The functions that read each kind of records that the POS has. */
export type Readers<Api, Name extends ConnectablePosType> = { [Kind in KindsOf<Name>]: Reader<Api, Kind> };

/**
 * Creates the connector of a POS that lists its stores in one call. The call also verifies the credentials. Each pull
 * reads the records of one store.
 *
 * @param posType one of the POS types that the connector reads; all have the same kinds of records
 * @param open throws PosError "credentialsRefused" if the form of the credentials is invalid
 */
export function storeConnector<Api extends StoreApi, Name extends ConnectablePosType>(
  posType: Name,
  { clock = systemClock, quietDays = 365 }: Pick<ConnectorOptions, "clock" | "quietDays">,
  open: (connection: Connection) => Api,
  readers: Readers<NoInfer<Api>, Name>,
): Connector {
  const storesOfPull = oncePerPull(({ api }: { api: Api; connection: Connection; request: PullRequest<RecordKind> }) =>
    storesOf(api, {}),
  );
  return {
    verify: async (connection) => {
      const api = open(connection);
      api.session?.signOut();
      const found = await storesOf(api, interactiveLimits);
      // Without a store, a pull would have no records to read.
      if (found.stores.length === 0) throw unreadable();
      // If there are several stores, the connection must name one.
      return found.stores.length > 1
        ? found.stores.map((store) => ({ ...store, isOneOfSeveral: true as const }))
        : found.stores;
    },
    async pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>) {
      const api = open(connection);
      return verifyOnRejection(
        async () => {
          const found = api.onlyStore
            ? { stores: [api.onlyStore], hasUnreadable: false, date: null }
            : await storesOfPull({ api, connection, request });
          const store = storeOf(found, connection.locationId);
          if (lacks(posType, request.kind)) return noRecords(createLastPage(planReadRange(request, found.date, 0)));
          const { [request.kind]: read } = readers as Record<RecordKind, unknown> as { [K in Kind]: Reader<Api, K> };
          const isOnly = found.stores.length === 1 && !found.hasUnreadable;
          return read({ api, connection, request, store, isOnly, date: found.date, clock, quietDays });
        },
        () => storesOf(api, {}),
      );
    },
  };
}

async function storesOf(api: StoreApi, options: Partial<PosCall>): Promise<Stores> {
  try {
    return await withoutObserver(() => api.stores(options));
  } catch (error) {
    if (!(error instanceof PosError && error.failure === "notPermitted")) throw error;
    throw new PosError("credentialsRefused", { code: error.code ?? "403" });
  }
}

/**
 * @throws PosError "locationGone" if the connection's store is not found, or if there are several stores and the
 * connection names none; "notUnderstood" instead if some stores could not be parsed, because the missing store may be
 * one of them
 */
function storeOf({ stores, hasUnreadable }: Stores, locationId: string | null): PosStore {
  const [first, ...others] = stores;
  const found =
    locationId === null ? (others.length === 0 ? first : undefined) : stores.find(({ id }) => id === locationId);
  if (found) return found;
  throw hasUnreadable ? unreadable() : new PosError("locationGone");
}

const unreadable = () => new PosError("notUnderstood", { code: "store" });
