import { addDays } from "../../../time/addDays.ts";
import { type Connection, PosError } from "../../connector.ts";
import { BearerSession, type SignInCall, type TokenService } from "../../framework/bearerSession.ts";
import { address } from "../../framework/conversions/address.ts";
import type { Query } from "../../framework/jsonApi.ts";
import type { ListPage, PagedList } from "../../framework/pagedList.ts";
import type { PosCall } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { readRows } from "../../framework/readRow.ts";
import type { SaleDays } from "../../framework/rereadRecentDays.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { createToken } from "../../framework/tokenCache.ts";
import { requireEncodedCredential, toPosError } from "../../framework/toPosError.ts";
import { addressOf } from "./records.ts";
import { location, productPage, rows, signInFailure, token } from "./responses.ts";

/** The number of rows per page in Cova's examples. */
const pageSize = 100;
/** The documented lifetime of a token, for a response that states none. */
const usualSeconds = 43_200;
/** The errors of OAuth 2 that mean rejected credentials. */
const refusals: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

/** This service's access to Cova, the same for all companies. */
export interface CovaService extends TokenService {
  /** address of the accounts of iQmetrix, which issue the tokens */
  accountsUrl: string;
}

/** The API of Cova for one user, who has access to a whole company. */
export class CovaApi implements StoreApi {
  readonly session: BearerSession;
  readonly #company: number;

  /** @throws PosError "credentialsRefused" if the form of the credentials is invalid */
  constructor(service: CovaService, connection: Connection) {
    const { username, password, clientId, clientSecret, companyId } = connection.credentials;
    const form = {
      grant_type: "password",
      username: requireEncodedCredential(username),
      password: requireEncodedCredential(password),
      client_id: requireEncodedCredential(clientId),
      client_secret: requireEncodedCredential(clientSecret),
    };
    if (typeof companyId !== "number" || !Number.isSafeInteger(companyId) || companyId <= 0) {
      throw new PosError("credentialsRefused", { code: "form" });
    }
    this.#company = companyId;
    this.session = new BearerSession(service, connection, (call) => signIn(service, form, call));
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    const path = posPath`/entitymanager/v1/Companies(${this.#company})/Locations`;
    const { body, date } = await this.session.ask((api) => api.read(rows, path, {}, options), options);
    const { rows: stores, rejected } = readRows(location, body, "Id", ({ Id: id, Name, Address }) => {
      const { address_1, address_2, city, state, zip_code } = addressOf(Address);
      return { id, name: Name ?? `Location ${id}`, address: address(address_1, address_2, city, [state, zip_code]) };
    });
    return { stores, hasUnreadable: rejected.length > 0, date };
  }

  /**
   * The products of a company with their stock in one location: all of them, or those that changed.
   *
   * @param fullEveryDays see PagedList. Cova discourages frequent readings of all products
   */
  products(locationId: string, fullEveryDays: number): PagedList {
    const all = posPath`/dataplatform/v1/Companies/${this.#company}/DetailedProductData`;
    const changed = (since: Date) =>
      posPath`/dataplatform/v1/Companies/${this.#company}/DetailedProductData/UpdatedAsOf/${since.toISOString()}`;
    return {
      size: pageSize,
      fullEveryDays,
      idField: "ProductId",
      countsRows: true,
      fetch: async (since, Skip, Top) => {
        const json = { LocationId: Number(locationId), ...contents, Skip, Top };
        const path = since ? changed(since) : all;
        const { body } = await this.session.ask((api) => api.read(productPage, path, {}, { json }));
        return { rows: body.Products };
      },
    };
  }

  /** The customers of a company, by their date of change. */
  customers(): PagedList {
    const path = posPath`/crm/v1/Companies(${this.#company})/CustomerFull`;
    return {
      size: pageSize,
      fullEveryDays: 7,
      idField: "Id",
      countsRows: true,
      fetch: (since, skip, top) => {
        const from = since?.toISOString() ?? "2000-01-01T00:00:00.000Z";
        return this.#page(path, { $filter: `LastModifiedDateUtc ge datetime'${from}'` }, skip, top);
      },
    };
  }

  /** The completed invoices of a location, by day. A day begins at midnight UTC: the traversal reads a day more at both ends. */
  invoices(locationId: string): SaleDays {
    const path = posPath`/posreports/v1/Companies(${this.#company})/Entities(${locationId})/ByInvoiceWithProducts`;
    const midnight = (day: string) => `datetime'${day}T00:00:00.0000000Z'`;
    return {
      windowDays: 6,
      pageSize,
      rereadDays: 7,
      idField: "Id",
      countsRows: true,
      fetch: (from, to, skip, top) => {
        const range = `Date ge ${midnight(from)} and Date le ${midnight(addDays(to, 1))}`;
        return this.#page(path, { DateRange: range }, skip, top);
      },
    };
  }

  async #page(path: PosPath, query: Query, $skip: number, $top: number): Promise<ListPage> {
    return { rows: (await this.session.ask((api) => api.read(rows, path, { ...query, $top, $skip }))).body };
  }
}

/** Exchanges a user's password for a token. */
async function signIn({ client, accountsUrl: url }: CovaService, form: PosCall["form"] & object, call: SignInCall) {
  const answer = await client.call({ url, path: posPath`/v1/oauth2/token`, form, headers: {}, ...call });
  if (answer.status === 400 && refusals.has(signInFailure.safeParse(answer.body).data?.error ?? "")) {
    throw new PosError("credentialsRefused", { code: "400" });
  }
  if (answer.status !== 200) throw toPosError(answer);
  const { access_token, expires_in } = token.safeParse(answer.body).data ?? {};
  // Another character could not be sent in a header.
  if (!access_token || !/^[\x21-\x7e]+$/.test(access_token)) throw new PosError("notUnderstood", { code: "token" });
  return createToken(access_token, expires_in && expires_in > 0 ? expires_in : usualSeconds);
}

/** The parts of a product that a request names: all that the connector reads, and products without stock, too. */
const contents = {
  ...{ IncludeProductSkusAndUpcs: true, IncludeClassifications: true, IncludeProductAssets: true },
  ...{ IncludeAvailability: true, IncludePackageDetails: true, IncludePricing: true, IncludeAllLifecycles: true },
  ...{ IncludeProductSpecifications: false, IncludeTaxes: false, InStockOnly: false, SellingRoomOnly: false },
};
