import type * as z from "zod";
import { type Connection, PosError } from "../../connector.ts";
import type { AsyncCache } from "../../framework/asyncCache.ts";
import { credentialsFingerprint } from "../../framework/credentialsFingerprint.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { ListPage, PagedList } from "../../framework/pagedList.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import type { SourceSelection } from "../../framework/sourceSelection.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { isSourceUnavailable, requireCredential } from "../../framework/toPosError.ts";
import { page, venueInfo } from "./responses.ts";
import { type Venue, venueOf } from "./venue.ts";

/** The largest page that public client code requests. */
export const pageSize = 250;
/** The whole history of a shop. Version 3 requires days for customers, and does not say which date it compares. */
const allDays = { start_date: "2000-01-01", end_date: "2099-12-31" };

const lists = {
  customers: posPath`/customers`,
  inventories: posPath`/inventories`,
  manifest_items: posPath`/manifest_items`,
  sales_histories: posPath`/sales_histories`,
};
type ListName = keyof typeof lists;

/** The state that all venues share. */
export interface PosabitService {
  client: PosClient;
  /** empty if POSaBIT has issued no token; then only version 2 is used */
  integratorToken: string;
  /** remembers for each list of a venue which version of the API has the list */
  versions: SourceSelection;
  /** venues by credentials; null if POSaBIT does not describe the venue */
  venues: AsyncCache<DatedVenue | null>;
}

/** A venue, and the time on POSaBIT's clock. */
type DatedVenue = Venue & { date: Date | null };

interface Version {
  api: JsonApi;
  info: PosPath;
  lists: PosPath;
}

/** The API of POSaBIT for one venue: version 3 with a token of this service, version 2 for lists that it lacks. */
export class PosabitApi implements StoreApi {
  readonly #service: PosabitService;
  readonly #versions: readonly Version[];
  readonly #mark: string;

  constructor(service: PosabitService, connection: Connection) {
    const { client, integratorToken } = service;
    const token = requireCredential(connection.credentials.apiToken);
    const basic = Buffer.from(`${integratorToken}:${token}`).toString("base64");
    const api = (authorization: string) =>
      new JsonApi({ client, rateLimitBucket: connection.crbId, headers: { authorization } });
    const version3 = { api: api(`Basic ${basic}`), info: posPath`/v3/info`, lists: posPath`/v3/venue` };
    const version2 = { api: api(`Bearer ${token}`), info: posPath`/v2/venue/info`, lists: posPath`/v2/venue` };
    this.#service = service;
    this.#versions = integratorToken === "" ? [version2] : [version3, version2];
    this.#mark = credentialsFingerprint(connection);
  }

  /** Verifies the token by reading the description of the venue, or else a page with one customer. */
  async stores(options: Partial<PosCall>): Promise<Stores> {
    this.#service.venues.forget(this.#mark);
    const venue = await this.venue(options);
    const { name, address, date } = venue ?? {
      name: "Venue",
      address: null,
      ...(await this.#page("customers", allDays, 0, 1, options)),
    };
    return { stores: [{ id: "venue", name, address }], hasUnreadable: false, date };
  }

  /** POSaBIT's description of the venue, kept for 15 minutes; null if there is no description. */
  venue(options: Partial<PosCall> = {}): Promise<DatedVenue | null> {
    return this.#service.venues.get(this.#mark, async () => {
      try {
        const { body, date } = await this.#read("info", venueInfo, ({ info }) => info, {}, options);
        return { ...venueOf(body), date };
      } catch (error) {
        if (error instanceof PosError && isElsewhere(error)) return null;
        throw error;
      }
    });
  }

  /** @param fullEveryDays see PagedList */
  list(name: ListName, fullEveryDays: number): PagedList {
    return {
      size: pageSize,
      fullEveryDays,
      idField: "id",
      // Every row certainly belongs to the token's venue. An empty list does not count as complete; see `PagedList`.
      isSure: () => true,
      fetch: (since, index, size) =>
        this.page(name, index, size, since ? { "q[updated_at_gt]": since.toISOString() } : {}),
    };
  }

  /** @param index of the page, from 0 */
  page(name: ListName, index: number, size: number, query: Query = {}): Promise<ListPage> {
    return this.#page(name, { ...query, ...(name === "customers" && allDays) }, index, size, {});
  }

  /** @throws PosError "notUnderstood" also if a page's rows and its counts contradict each other */
  async #page(name: ListName, query: Query, index: number, size: number, options: Partial<PosCall>) {
    const paged = { page: index + 1, per_page: size, ...query };
    const pathOf = ({ lists: base }: Version) => below(base, lists[name]);
    const { body, date } = await this.#read(name, page, pathOf, paged, options);
    const { rows, total, pages } = body;
    // For an empty list, some systems state one page, which has no rows.
    const isContradictory = rows.length === 0 ? index < pages && total !== 0 : pages === 0 && total === null;
    if (isContradictory) throw new PosError("notUnderstood", { code: "page" });
    // Pages may be shorter than requested, so the number of pages alone does not show the end.
    const isLast = rows.length === 0 || (pages <= index + 1 && index * size + rows.length >= (total ?? 0));
    return { rows, total, isLast, date };
  }

  /** @throws PosError "notUnderstood" also if one version of the API accepts the token but responds in an unknown form */
  async #read<Body>(
    name: string,
    schema: z.ZodType<Body>,
    pathOf: (version: Version) => PosPath,
    query: Query,
    options: Partial<PosCall>,
  ) {
    let misfit: PosError | undefined;
    const sources = this.#versions.map((version) => async () => {
      try {
        return await version.api.read(schema, pathOf(version), query, options);
      } catch (error) {
        if (error instanceof PosError && isMisfit(error)) misfit = error;
        throw error;
      }
    });
    try {
      return await this.#service.versions.read(`${this.#mark} ${name}`, sources, isElsewhere);
    } catch (error) {
      // One version accepted the token, so its failure is reported instead of the other version's rejection.
      throw misfit && error instanceof PosError && isElsewhere(error) ? misfit : error;
    }
  }
}

/** Whether a version of the API rejects a venue's token or lacks a list. */
export function isClosed(error: PosError): boolean {
  return error.failure === "credentialsRefused" || isSourceUnavailable(error);
}

const isMisfit = ({ failure, code }: PosError) => failure === "notUnderstood" && code === "envelope";

/** Whether the other version of the API may have the list. */
const isElsewhere = (error: PosError) => isClosed(error) || isMisfit(error);
