import type { RecordKind } from "../../../api/kinds.ts";
import { type Connection, PosError } from "../../connector.ts";
import { JsonApi, type Query } from "../../framework/jsonApi.ts";
import type { PosCall, PosClient, PosResponse } from "../../framework/posClient.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import type { StoreApi, StorePull, Stores } from "../../framework/storeConnector.ts";
import { requireCredential, requireServiceKey, toPosError } from "../../framework/toPosError.ts";
import { failure, organization, rows } from "./responses.ts";

/** This service's access to Meadow, the same for all organizations. */
export interface MeadowService {
  client: PosClient;
  /** for the menu, which has another address */
  menuClient: PosClient;
  consumerKey: string;
}

export class MeadowApi implements StoreApi {
  readonly #api: JsonApi;
  readonly #menu: JsonApi;

  /**
   * @throws PosError "credentialsRefused" if the form of the credentials is invalid; "unreachable" if this service's own
   * key is missing, which says nothing about the credentials
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

  /** Reads the rows of a list, or of one page of it. */
  async rows(path: PosPath, query: Query = {}): Promise<unknown[]> {
    return (await this.#api.read(rows, path, query)).body.data;
  }

  /** Passes each product, active or not, to `take` as it arrives; see `JsonApi.eachRow`. */
  eachProduct(take: (row: unknown) => void, begin: () => void): Promise<Date | null> {
    return this.#menu.eachRow(posPath`/api/v1/products/all`, "data", take, begin);
  }
}

export type MeadowPull<Kind extends RecordKind> = StorePull<MeadowApi, Kind>;

/** Selects the orders or products of the organization. Rows of other lists do not name it. */
export const organizationOf = ({ store }: MeadowPull<RecordKind>) => ({ ids: [store.id], idOf: "organizationId" });

/** Derives the failure from the code in Meadow's response, because Meadow does not document HTTP statuses of failures. */
function rejectionOf(answer: PosResponse): PosError {
  const code = failure.safeParse(answer.body).data?.error.code ?? null;
  if (code === "INVALID_API_CREDENTIALS") return new PosError("credentialsRefused", { code });
  if (code === "INSUFFICIENT_PERMISSIONS") return new PosError("notPermitted", { code });
  return toPosError(answer);
}
