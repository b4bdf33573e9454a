import { type Connection, PosError } from "../connector.ts";
import type { BestSource } from "../reading/bestSource.ts";
import { credentialsMark } from "../reading/credentialsMark.ts";
import { JsonApi, type Query } from "../reading/jsonApi.ts";
import type { ListPage, PagedList } from "../reading/pagedList.ts";
import type { PosCall, PosClient } from "../reading/posClient.ts";
import { below, type PosPath, posPath } from "../reading/posPath.ts";
import { credentialOf, isNotGiven } from "../reading/refusal.ts";
import type { StoreApi, Stores } from "../reading/storeConnector.ts";
import { page } from "./answers.ts";

/** The most rows that were seen to be asked for at once. */
export const pageSize = 250;
/** Wider than any shop's history: version 3 wants days with customers, of which nobody tells what they limit. */
const allDays = { start_date: "2000-01-01", end_date: "2099-12-31" };

const lists = {
  customers: posPath`/customers`,
  inventories: posPath`/inventories`,
  manifest_items: posPath`/manifest_items`,
  sales_histories: posPath`/sales_histories`,
};
type ListName = keyof typeof lists;

/** What this service has with POSaBIT, the same for all venues. */
export interface PosabitService {
  client: PosClient;
  /** empty where POSaBIT has given none: then version 2 alone is asked */
  integratorToken: string;
  /** by which version of the API a venue's lists are read */
  versions: BestSource;
}

/** One venue, as its token reaches it: by version 3 of the API where this service has a token too, else by version 2. */
export class PosabitApi implements StoreApi {
  readonly #versions: readonly { base: PosPath; api: JsonApi }[];
  readonly #best: BestSource;
  readonly #mark: string;

  constructor({ client, integratorToken, versions }: PosabitService, connection: Connection) {
    const token = credentialOf(connection.credentials.apiToken);
    const basic = Buffer.from(`${integratorToken}:${token}`).toString("base64");
    const version = (base: PosPath, authorization: string) => ({
      base,
      api: new JsonApi({ client, lane: connection.crbId, headers: { authorization } }),
    });
    this.#versions = [
      ...(integratorToken === "" ? [] : [version(posPath`/v3/venue`, `Basic ${basic}`)]),
      version(posPath`/v2/venue`, `Bearer ${token}`),
    ];
    this.#best = versions;
    this.#mark = credentialsMark(connection);
  }

  /** POSaBIT tells nothing of the venue; the smallest page of customers proves the token. */
  async stores(options: Partial<PosCall>): Promise<Stores> {
    const { date } = await this.#page("customers", allDays, 0, 1, options);
    return { stores: [{ id: "venue", name: "Venue", address: null }], hasUnreadable: false, date };
  }

  /** @param fullEveryDays as of PagedList */
  list(name: ListName, fullEveryDays: number): PagedList {
    return {
      size: pageSize,
      fullEveryDays,
      idField: "id",
      // Every row is; but a list without any proves nothing.
      isSure: () => true,
      fetch: (since, index, size) =>
        this.page(name, index, size, since ? { "q[updated_at_gt]": since.toISOString() } : {}),
    };
  }

  /** @param index of the page, from 0 */
  page(name: ListName, index: number, size: number, query: Query = {}): Promise<ListPage> {
    return this.#page(name, { ...query, ...(name === "customers" && allDays) }, index, size, {});
  }

  /** @throws PosError "notUnderstood" also where a page's rows and its counts cannot both be true */
  async #page(name: ListName, query: Query, index: number, size: number, options: Partial<PosCall>) {
    const asked = { page: index + 1, per_page: size, ...query };
    const sources = this.#versions.map(
      ({ base, api }) =>
        () =>
          api.read(page, below(base, lists[name]), asked, options),
    );
    const { body, date } = await this.#best.read(`${this.#mark} ${name}`, sources, isElsewhere);
    const { rows, total, pages } = body;
    // Some systems have one page of nothing.
    const isOdd = rows.length === 0 ? index < pages && total !== 0 : pages === 0 && total === null;
    if (isOdd) throw new PosError("notUnderstood", { code: "page" });
    // Pages may be shorter than those by which they are counted. What comes behind the last one is not known.
    const isLast = rows.length === 0 || (pages <= index + 1 && index * size + rows.length >= (total ?? 0));
    return { rows, total, isLast, date };
  }
}

/** Whether a version of the API does not let a venue's token in, or has no such list: the other one may. */
export function isElsewhere(error: PosError): boolean {
  return error.failure === "credentialsRefused" || isNotGiven(error);
}
