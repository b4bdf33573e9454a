import type { RecordKind } from "../../../api/kinds.ts";
import { type Connection, PosError, type PosStore, type PullRequest } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import { interactiveLimits, type PosCall, type PosClient } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { requireCredential } from "../../framework/toPosError.ts";
import { type Identity, identity } from "./responses.ts";

/** The settings for all calls to Dutchie. */
export interface DutchieService {
  client: PosClient;
  /** this service's own key, sent as the password; empty if Dutchie has issued no key */
  integratorKey: string;
  /** timeout in milliseconds for a list, which Dutchie returns without pages */
  reportTimeout: number;
}

/** Maximum size of a list that is held in memory as a whole. */
const maxListBytes = 64 * 1024 * 1024;

/** The API of Dutchie for one API key, which gives access to one Dutchie location. */
export class DutchieApi {
  /** the kind of sales that the key is for */
  readonly kind: "medical" | "rec";
  readonly #api: JsonApi;
  readonly #reportTimeout: number;

  constructor(
    { client, integratorKey, reportTimeout }: DutchieService,
    crbId: string,
    kind: "medical" | "rec",
    key: string,
  ) {
    this.kind = kind;
    this.#reportTimeout = reportTimeout;
    const authorization = `Basic ${Buffer.from(`${key}:${integratorKey}`).toString("base64")}`;
    this.#api = new JsonApi({
      client,
      rateLimitBucket: `${crbId} ${kind}`,
      headers: { authorization },
      wholeStatuses: [200],
    });
  }

  /**
   * Reads the key's location.
   *
   * @throws PosError "credentialsRefused" also if the location no longer exists, because its key is then invalid
   */
  async identity(options: Partial<PosCall> = {}): Promise<{ store: Identity; date: Date | null }> {
    try {
      const { body, date } = await this.#api.read(identity, posPath`/whoami`, {}, options);
      return { store: body, date };
    } catch (error) {
      if (!(error instanceof PosError)) throw error;
      const { failure, code = "" } = error;
      throw code === "404" || failure === "notPermitted" ? new PosError("credentialsRefused", { code }) : error;
    }
  }

  /**
   * Reads a list of at most 64 MB.
   *
   * @param make converts each row
   */
  async rows<Row>(
    path: PosPath,
    query: Query,
    make: (row: unknown) => Row,
    options: Partial<PosCall> = {},
  ): Promise<Row[]> {
    const rows: Row[] = [];
    const begin = () => void rows.splice(0);
    await this.eachRow(path, query, (row) => rows.push(make(row)), begin, { maxBytes: maxListBytes, ...options });
    return rows;
  }

  /** Reads a list row by row as it arrives; see `JsonApi.eachRow`. */
  async eachRow(
    path: PosPath,
    query: Query,
    take: (row: unknown) => void,
    begin: () => void,
    options: Partial<PosCall> = {},
  ): Promise<void> {
    await this.#api.eachRow(path, null, take, begin, { query, timeoutMs: this.#reportTimeout, ...options });
  }
}

/** One API per key of a connection. The key for adult use comes first. */
export function apisOf(service: DutchieService, { crbId, credentials }: Connection): DutchieApi[] {
  const keys = [
    ["rec", credentials.recApiKey],
    ["medical", credentials.medApiKey],
  ] as const;
  const given = keys.filter(([, key]) => key !== undefined);
  return given.map(([kind, key]) => new DutchieApi(service, crbId, kind, requireCredential(key)));
}

export interface DutchieStore {
  api: DutchieApi;
  store: Identity;
}

/** The context of all pages of one pull. */
export interface DutchiePull<Kind extends RecordKind> {
  connection: Connection;
  request: PullRequest<Kind>;
  stores: readonly DutchieStore[];
  /** the time on Dutchie's clock in its first response */
  date: Date | null;
}

/** The part of a cache key that names the locations of a pull, for data that these locations share. */
export function locationsOf({ connection, stores }: DutchiePull<RecordKind>): string {
  return [connection.crbId, ...stores.map(({ store }) => store.locationid)].join(" ");
}

/**
 * Reads the location of each key. Dutchie must accept every key. If two keys are for the same location, only one key is
 * used.
 *
 * @throws PosError "credentialsRefused" also if the keys belong to two companies, because customers of two companies
 * must not be mixed
 */
export async function storesOf(
  apis: readonly DutchieApi[],
  isWaitedFor: boolean,
): Promise<{ stores: DutchieStore[]; date: Date | null }> {
  const options = isWaitedFor ? interactiveLimits : {};
  const found = await Promise.all(apis.map(async (api) => ({ api, ...(await api.identity(options)) })));
  const [first] = found;
  if (!first || found.some(({ store }) => store.lspid !== first.store.lspid)) {
    throw new PosError("credentialsRefused", { code: "companies" });
  }
  const ids = found.map(({ store }) => store.locationid);
  const stores = found.filter(({ store }, at) => ids.indexOf(store.locationid) === at);
  return { stores, date: first.date };
}

export function posStore({ locationid, locationname, doingbusinessas, ...place }: Identity): PosStore {
  return {
    id: locationid,
    name: locationname ?? doingbusinessas ?? `Location ${locationid}`,
    address: address(place.address, place.city, [place.state, place.postalcode]),
  };
}
