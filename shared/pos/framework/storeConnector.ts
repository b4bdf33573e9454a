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
  /** whether there are others, that could not be read */
  hasUnreadable: boolean;
  /** what the POS's clock showed */
  date: Date | null;
}

/** A POS as one connection's credentials reach it. */
export interface StoreApi {
  /** The call that verifies the credentials. A status of 403 means here that they are refused. */
  stores(options: Partial<PosCall>): Promise<Stores>;
}

/** What the pages of one pull have in common. */
export interface StorePull<Api, Kind extends RecordKind> {
  api: Api;
  connection: Connection;
  request: PullRequest<Kind>;
  /** the store of the connection */
  store: PosStore;
  /** whether the credentials reach no other store */
  isOnly: boolean;
  /** what the POS's clock showed first */
  date: Date | null;
  /** by which the deadline of the request counts */
  clock: Clock;
}

/** How each kind of records is read. Those that the POS does not have (`lacks` in posTypes.ts) are left out. */
export type Readers<Api> = { [Kind in RecordKind]?: (pull: StorePull<Api, Kind>) => Promise<PullPage<Kind>> };

/**
 * The connector of a POS that tells its stores by one call, which verifies the credentials too, and that is read for one
 * of them.
 *
 * @param open throws PosError "credentialsRefused" for what can be no credentials
 */
export function storeConnector<Api extends StoreApi>(
  { clock = systemClock }: { clock?: Clock },
  open: (connection: Connection) => Api,
  readers: Readers<Api>,
): Connector {
  // The stores are asked for once in a pull, by each process that is at it.
  const known = new AsyncCache<Stores>(8, 15 * 60_000);

  return {
    verify: async (connection) => {
      const found = await storesOf(open(connection), interactiveLimits);
      // Without one a pull would have nothing to read.
      if (found.stores.length === 0) throw unreadable();
      // Which of several is read must be told.
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
          // Nothing told by mistake would take what is stored.
          if (!read) throw new TypeError(`${connection.posType} neither reads nor lacks its ${request.kind} records.`);
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

/** @throws PosError "locationGone" also where none is named of several; "notUnderstood" where it may be one unread */
function storeOf({ stores, hasUnreadable }: Stores, locationId: string | null): PosStore {
  const [first, ...others] = stores;
  const found =
    locationId === null ? (others.length === 0 ? first : undefined) : stores.find(({ id }) => id === locationId);
  if (found) return found;
  throw hasUnreadable ? unreadable() : new PosError("locationGone");
}

const unreadable = () => new PosError("notUnderstood", { code: "store" });
