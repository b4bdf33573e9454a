import { type Connection, PosError } from "../../connector.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { PosCall, PosClient, PosResponse } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import { requireCredential, requireServiceKey, toPosError } from "../../framework/toPosError.ts";
import { failure, organization, rows } from "./responses.ts";

/** What this service has with Meadow, the same for all organizations. */
export interface MeadowService {
  client: PosClient;
  /** of the menu, which is elsewhere */
  menuClient: PosClient;
  consumerKey: string;
}

/** One organization at Meadow, which is one shop. */
export class MeadowApi implements StoreApi {
  readonly #api: JsonApi;
  readonly #menu: JsonApi;

  /**
   * @throws PosError "credentialsRefused" for what can be no credentials; "unreachable" without the service's own key,
   * which says nothing about them
   */
  constructor({ client, menuClient, consumerKey }: MeadowService, { crbId, credentials }: Connection) {
    const clientKey = requireCredential(credentials.clientKey);
    const headers = { "x-consumer-key": requireServiceKey(consumerKey, "no_consumer_key"), "x-client-key": clientKey };
    const options = { rateLimitBucket: crbId, headers, rejectionOf };
    this.#api = new JsonApi({ ...options, client });
    this.#menu = new JsonApi({ ...options, client: menuClient });
  }

  async stores(options: Partial<PosCall>): Promise<Stores> {
    const { body, date } = await this.#api.read(organization, posPath`/api/v1/organization`, {}, options);
    const { id, name } = body.data;
    return { stores: [{ id, name: name ?? `Organization ${id}`, address: null }], hasUnreadable: false, date };
  }

  /** The rows of a list, or of one page of it. */
  async rows(path: PosPath, query: Query = {}): Promise<unknown[]> {
    return (await this.#api.read(rows, path, query)).body.data;
  }

  /** Hands on each product, active or not, as it arrives; see JsonApi. */
  eachProduct(take: (row: unknown) => void, begin: () => void): Promise<Date | null> {
    return this.#menu.eachRow(posPath`/api/v1/products/all`, "data", take, begin);
  }
}

/** Meadow says by a code what is wrong; with which status is not told. */
function rejectionOf(answer: PosResponse): PosError {
  const code = failure.safeParse(answer.body).data?.error.code ?? null;
  if (code === "INVALID_API_CREDENTIALS") return new PosError("credentialsRefused", { code });
  if (code === "INSUFFICIENT_PERMISSIONS") return new PosError("notPermitted", { code });
  return toPosError(answer);
}
