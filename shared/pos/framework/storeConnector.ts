import type { RecordKind } from "../../api/kinds.ts";
import { lacks } from "../../api/pos/posTypes.ts";
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
import { AsyncCache } from "./asyncCache.ts";
import { credentialsFingerprint } from "./credentialsFingerprint.ts";
import { withoutObserver } from "./observer.ts";
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

/** A POS as one connection's credentials reach it. */
export interface StoreApi {
  /** The call that verifies the credentials. Here a 403 counts as a rejection of the credentials. */
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
  /** for the request's deadline */
  clock: Clock;
}

/** How to read each kind of records. Kinds that the POS does not have (`lacks` in posTypes.ts) are absent. */
export type Readers<Api> = { [Kind in RecordKind]?: (pull: StorePull<Api, Kind>) => Promise<PullPage<Kind>> };

/**
 * The connector of a POS that is read for one store and lists its stores in one call. That call also verifies the credentials.
 *
 * @param open throws PosError "credentialsRefused" if the form of the credentials is invalid
 */
export function storeConnector<Api extends StoreApi>(
  { clock = systemClock }: { clock?: Clock },
  open: (connection: Connection) => Api,
  readers: Readers<Api>,
): Connector {
  // Each process reads the stores once per pull.
  const known = new AsyncCache<Stores>(8, 15 * 60_000);

  return {
    verify: async (connection) => {
      const found = await storesOf(open(connection), interactiveLimits);
      // Without a store a pull would have nothing to read.
      if (found.stores.length === 0) throw unreadable();
      // The connection must name one of several stores.
      return found.stores.length > 1
        ? found.stores.map((store) => ({ ...store, isOneOfSeveral: true as const }))
        : found.stores;
    },
    async pull<Kind extends RecordKind>(connection: Connection, request: PullRequest<Kind>) {
      const api = open(connection);
      return verifyOnRejection(
        async () => {
          const key = `${connection.crbId} ${request.kind} ${request.now.toISOString()} ${credentialsFingerprint(connection)}`;
          const found = await known.get(key, () => storesOf(api, {}));
          const store = storeOf(found, connection.locationId);
          if (lacks(connection.posType, request.kind))
            return noRecords(createLastPage(planReadRange(request, found.date, 0)));
          const read: Readers<Api>[Kind] = readers[request.kind];
          // An empty result by mistake would remove the stored records.
          if (!read)
            throw new TypeError(
              `${connection.posType} has no reader for its ${request.kind} records: add one, or list the kind in posTypes.ts.`,
            );
          const isOnly = found.stores.length === 1 && !found.hasUnreadable;
          return read({ api, connection, request, store, isOnly, date: found.date, clock });
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
 * @throws PosError "locationGone" if the store is missing, or if none of several is named; "notUnderstood" if it may be one
 * that could not be parsed
 */
function storeOf({ stores, hasUnreadable }: Stores, locationId: string | null): PosStore {
  const [first, ...others] = stores;
  const found =
    locationId === null ? (others.length === 0 ? first : undefined) : stores.find(({ id }) => id === locationId);
  if (found) return found;
  throw hasUnreadable ? unreadable() : new PosError("locationGone");
}

const unreadable = () => new PosError("notUnderstood", { code: "store" });
