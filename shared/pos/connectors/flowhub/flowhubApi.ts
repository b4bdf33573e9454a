import * as z from "zod";
import { type Connection, PosError, type PosStore } from "../../connector.ts";
import { address } from "../../framework/conversions/address.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import { interactiveLimits, type PosClient } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { partitionRows, readRow } from "../../framework/readRow.ts";
import { isCredential } from "../../framework/toPosError.ts";
import { type Store, store } from "./responses.ts";

interface List {
  rows: unknown[];
  /** how many rows all pages have, when Flowhub tells */
  total: number | null;
}

/** The stores of a client, as one answer names them. */
export interface Stores {
  stores: Store[];
  /** the ids, as far as they are told, of those that could not be read: its `locationId` and `importId` */
  unreadable: (string | null)[][];
  /** what Flowhub's clock showed */
  date: Date | null;
}

/** Flowhub, as one pair of credentials reaches it: all stores of a client. */
export class FlowhubApi {
  readonly #api: JsonApi;

  /** @throws PosError "credentialsRefused" for what can be no credentials */
  constructor(client: PosClient, { crbId, credentials: { clientId, key } }: Connection) {
    if (!isCredential(clientId) || !isCredential(key)) throw new PosError("credentialsRefused", { code: "form" });
    this.#api = new JsonApi({ client, rateLimitBucket: crbId, headers: { clientId, key } });
  }

  /**
   * The stores that the credentials reach.
   *
   * @param isWaitedFor whether somebody waits for the answer
   * @throws PosError "credentialsRefused" for 403 too, since this is the call that verifies
   */
  async stores(isWaitedFor: boolean): Promise<Stores> {
    const options = isWaitedFor ? interactiveLimits : {};
    const answer = await this.#api.read(z.unknown(), posPath`/v0/clientsLocations`, {}, options).catch((error) => {
      const isClosed = error instanceof PosError && error.failure === "notPermitted";
      throw isClosed ? new PosError("credentialsRefused", { code: "403" }) : error;
    });
    const unreadable: Stores["unreadable"] = [];
    const { rows } = partitionRows(
      listIn(answer.body, ["data", "locations"]).map((row) =>
        readRow(store, row, (field) => {
          unreadable.push([field("locationId"), field("importId")]);
          return field("locationId");
        }),
      ),
    );
    return { stores: rows, unreadable, date: answer.date };
  }

  /** Hands on each row of a list of stock as it arrives, however many there are; see JsonApi. */
  async eachOfStock(path: PosPath, take: (row: unknown) => void, begin: () => void): Promise<void> {
    await this.#api.eachRow(path, "data", take, begin, { query: { includesNotForSaleQuantity: true } });
  }

  /**
   * Reads a page of a list of orders.
   *
   * @throws PosError "notUnderstood" where there is none: an answer without any list is no empty one
   */
  orders(path: PosPath, query: Query): Promise<List> {
    return this.#list(path, query, (body) => listIn(body, ["orders"]));
  }

  /** Reads a page of the list of customers. */
  customers(query: Query): Promise<List> {
    return this.#list(posPath`/v1/customers/`, query, customersIn);
  }

  /** Reads one customer; undefined when there is none of that id. */
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

/** The rows that an answer holds: a bare list, or one of these properties. */
function listIn(body: unknown, names: readonly string[]): unknown[] {
  const found = contentOf(body, names);
  if (!Array.isArray(found)) throw new PosError("notUnderstood", { code: "envelope" });
  return found;
}

/** How the list of customers may be called; the documents show a single customer in its place. */
const customerNames = ["customers", "data", "results", "items", "customer"];

/** The customers that an answer holds: a list, a single one, or none where the answer is empty. */
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
