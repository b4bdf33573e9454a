import type { Clock } from "../../../time/clock.ts";
import type { Connection } from "../../connector.ts";
import { BearerSession, type TokenService } from "../../framework/bearerSession.ts";
import { address } from "../../framework/conversions/address.ts";
import { detectFirstPage } from "../../framework/detectFirstPage.ts";
import type { Query } from "../../framework/jsonApi.ts";
import type { PosCall } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { daysAfter } from "../../framework/readRange.ts";
import { readRows } from "../../framework/readRow.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { requireEncodedCredential } from "../../framework/toPosError.ts";
import { location, rows } from "./responses.ts";
import { signIn } from "./signIn.ts";

/** This service's access to Alleaves, the same for all companies. */
export interface AlleavesService extends TokenService {
  clock: Clock;
}

/** HTTP statuses with which Alleaves may reject page 0 if its page numbers start at 1. */
const rejections = ["400", "404", "422", "500"];
/** Page size for detecting the number of the first page. A few rows suffice to distinguish two pages. */
const fewRows = 5;
/** No order is older than this day. */
const firstDay = "2010-01-01";

/** The API of Alleaves for one user, who has access to a whole company. */
export class AlleavesApi implements StoreApi {
  readonly session: BearerSession;
  readonly #clock: Clock;

  /** @throws PosError "credentialsRefused" if the form of the credentials is invalid */
  constructor(service: AlleavesService, connection: Connection) {
    const { username, password } = connection.credentials;
    const user = { username: requireEncodedCredential(username), password: requireEncodedCredential(password) };
    this.#clock = service.clock;
    this.session = new BearerSession(service, connection, (call) => signIn(service, user, call));
  }

  /** The company's locations. The response contains the keys of other services, which the connector never reads. */
  async stores(options: Partial<PosCall>): Promise<Stores> {
    const { body, date } = await this.session.ask((api) => api.read(rows, posPath`/location`, {}, options), options);
    const { rows: stores, rejected } = readRows(location, body, "id_location", (row) => ({
      id: row.id_location,
      name: row.reference ?? row.legal_name ?? `Location ${row.id_location}`,
      address: address(row.address, row.city, [row.state, row.postal_code]),
    }));
    return { stores, hasUnreadable: rejected.length > 0, date };
  }

  /** Inventory areas of all locations. */
  async areas(): Promise<unknown[]> {
    return this.#rows(posPath`/inventory/area`);
  }

  /** Reads a page of the company's customers. `page` is Alleaves's page number; see `firstPage`. */
  customers(page: number, pageSize: number): Promise<unknown[]> {
    return this.#rows(posPath`/customer/search`, {}, { json: { page, pageSize } });
  }

  /** Reads a page of the orders created on the given days, newest first. */
  orders(page: number, pageSize: number, days: { startDate: string; endDate: string }): Promise<unknown[]> {
    return this.#rows(posPath`/order`, { page, pageSize, ...days });
  }

  /** Detects the number of a list's first page, which Alleaves does not document; 1, as in known clients, if empty. */
  firstPage(of: "customers" | "orders"): Promise<0 | 1> {
    const [pageOf, field] =
      of === "customers"
        ? [(page: number) => this.customers(page, fewRows), "id_customer"]
        : [(page: number) => this.orders(page, fewRows, this.#allDays()), "id_order"];
    const idOf = (row: unknown) => String((row as Readonly<Record<string, unknown>> | null)?.[field]);
    return detectFirstPage(pageOf, idOf, rejections, 1);
  }

  /** The period of all orders. Each request states a period, because it is unknown whether one is needed. */
  #allDays() {
    return { startDate: firstDay, endDate: daysAfter(this.#clock.now(), 1).toISOString().slice(0, 10) };
  }

  /** Passes each batch of a location to `take` as it arrives; see `JsonApi.eachRow`. */
  eachBatch(locationId: string, take: (row: unknown) => void, begin: () => void): Promise<unknown> {
    const id_location = /^\d{1,15}$/.test(locationId) ? Number(locationId) : locationId;
    const options = { json: { query: "", id_location } };
    return this.session.ask((api) => api.eachRow(posPath`/inventory/search`, null, take, begin, options));
  }

  async #rows(path: PosPath, query: Query = {}, options: Partial<PosCall> = {}): Promise<unknown[]> {
    return (await this.session.ask((api) => api.read(rows, path, query, options))).body;
  }
}
