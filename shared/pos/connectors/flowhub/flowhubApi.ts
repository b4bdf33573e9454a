import * as z from "zod";
import type { RecordKind } from "../../../api/kinds.ts";
import type { Clock } from "../../../time/clock.ts";
import { type Connection, PosError, type PosStore, type PullRequest } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import { interactiveLimits, type PosClient } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { readRows } from "../../framework/readRow.ts";
import { requireCredential } from "../../framework/toPosError.ts";
import { type Store, store } from "./responses.ts";

interface List {
  rows: unknown[];
  /** number of rows in all pages, if Flowhub states it */
  total: number | null;
}

/** The stores of a client, from one response. */
export interface Stores {
  stores: Store[];
  /** the known ids (`locationId` and `importId`) of each store that could not be parsed */
  unreadable: (string | null)[][];
  /** the time on Flowhub's clock */
  date: Date | null;
}

/** The API of Flowhub for one pair of credentials, which gives access to all stores of a client of Flowhub. */
export class FlowhubApi {
  readonly #api: JsonApi;

  /** @throws PosError "credentialsRefused" if the form of the credentials is invalid */
  constructor(client: PosClient, { crbId, credentials: { clientId, key } }: Connection) {
    const headers = { clientId: requireCredential(clientId), key: requireCredential(key) };
    this.#api = new JsonApi({ client, rateLimitBucket: crbId, headers });
  }

  /**
   * The stores that the credentials give access to.
   *
   * @param isWaitedFor whether a user waits for the response
   * @throws PosError "credentialsRefused" also for status 403, because this call verifies the credentials
   */
  async stores(isWaitedFor: boolean): Promise<Stores> {
    const options = isWaitedFor ? interactiveLimits : {};
    const answer = await this.#api.read(z.unknown(), posPath`/v0/clientsLocations`, {}, options).catch((error) => {
      const isClosed = error instanceof PosError && error.failure === "notPermitted";
      throw isClosed ? new PosError("credentialsRefused", { code: "403" }) : error;
    });
    const unreadable: Stores["unreadable"] = [];
    const { rows: stores } = readRows(store, listIn(answer.body, ["data", "locations"]), (field) => {
      unreadable.push([field("locationId"), field("importId")]);
      return field("locationId");
    });
    return { stores, unreadable, date: answer.date };
  }

  /** Passes each row of a list of stock to `take` as it arrives; see `JsonApi.eachRow`. */
  async eachOfStock(path: PosPath, take: (row: unknown) => void, begin: () => void): Promise<void> {
    await this.#api.eachRow(path, "data", take, begin, { query: { includesNotForSaleQuantity: true } });
  }

  /**
   * Reads a page of a list of orders.
   *
   * @throws PosError "notUnderstood" if the response has no list; a missing list does not mean an empty list
   */
  orders(path: PosPath, query: Query): Promise<List> {
    return this.#list(path, query, (body) => listIn(body, ["orders"]));
  }

  customers(query: Query): Promise<List> {
    return this.#list(posPath`/v1/customers/`, query, customersIn);
  }

  /** Reads one customer; undefined if the id does not exist. */
  async customer(id: string): Promise<unknown> {
    const { rows } = await this.#list(posPath`/v1/customers/${id}`, {}, customersIn).catch((error) => {
      if (error instanceof PosError && error.code === "404") return { rows: [] };
      throw error;
    });
    return rows[0];
  }

  async #list(path: PosPath, query: Query, rowsIn: (body: unknown) => unknown[]): Promise<List> {
    const { body } = await this.#api.read(z.unknown(), path, query);
    const total = (body as { total?: unknown } | null | undefined)?.total;
    return { rows: rowsIn(body), total: typeof total === "number" ? total : null };
  }
}

/**
 * The list in a response: a property with one of these names, or else the response itself.
 *
 * @throws PosError "notUnderstood" if there is no list
 */
function listIn(body: unknown, names: readonly string[]): unknown[] {
  const found = contentOf(body, names);
  if (!Array.isArray(found)) throw new PosError("notUnderstood", { code: "envelope" });
  return found;
}

/** Possible names of the property with the list of customers. Flowhub documents only a property with a single customer. */
const customerNames = ["customers", "data", "results", "items", "customer"];

/** The customers of a response: a list, a single customer, or no customer if the response is empty. */
function customersIn(body: unknown): unknown[] {
  const found = contentOf(body, customerNames) ?? [];
  return typeof found === "object" && "id" in found ? [found] : listIn(found, []);
}

function contentOf(body: unknown, names: readonly string[]): unknown {
  const properties = body as Readonly<Record<string, unknown>> | null | undefined;
  const name = names.find((name) => properties?.[name] !== undefined);
  return name === undefined ? body : properties?.[name];
}

export function posStore({ locationId, importId, locationName, address: place }: Store): PosStore {
  return {
    id: locationId,
    otherId: importId,
    name: locationName ?? `Location ${locationId}`,
    address: address(place.streetAddress1, place.city, [place.state, place.zip]),
  };
}

/** The context of all pages of one pull. */
export interface FlowhubPull<Kind extends RecordKind> {
  api: FlowhubApi;
  connection: Connection;
  request: PullRequest<Kind>;
  store: Store;
  /** time zone of the store, IANA name */
  timezone: string;
  /** the time on Flowhub's clock in its first response */
  date: Date | null;
  /** measures the time to the request's deadline */
  clock: Clock;
}

/** Selects the rows of the store. It is not documented which of the store's two ids `locationId` contains. */
export const rowsOfStore = ({ locationId, importId }: Store) => ({ ids: [locationId, importId], idOf: "locationId" });
