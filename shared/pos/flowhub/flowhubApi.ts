import { type Connection, PosError, type PosStore } from "../connector.ts";
import { type PosAnswer, type PosCall, type PosClient, whileSomebodyWaits } from "../reading/posClient.ts";
import { type PosPath, posPath } from "../reading/posPath.ts";
import { parted, readRow } from "../reading/readRow.ts";
import { isCredential, refusal } from "../reading/refusal.ts";
import { type Store, store } from "./answers.ts";

/** Flowhub, as one pair of credentials reaches it: all stores of a client. */
export class FlowhubApi {
  readonly #client: PosClient;
  readonly #headers: Record<string, string>;
  readonly #lane: string;

  /** @throws PosError "credentialsRefused" for what can be no credentials */
  constructor(client: PosClient, { crbId, credentials: { clientId, key } }: Connection) {
    if (!isCredential(clientId) || !isCredential(key)) throw new PosError("credentialsRefused", { code: "form" });
    this.#client = client;
    this.#lane = crbId;
    this.#headers = { clientId, key };
  }

  /**
   * The stores that the credentials reach.
   *
   * @param isWaitedFor whether somebody waits for the answer
   * @throws PosError "credentialsRefused" for 403 too, since this is the call that verifies
   */
  async stores(isWaitedFor: boolean): Promise<{ stores: Store[]; date: Date | null }> {
    const answer = await this.#call(posPath`/v0/clientsLocations`, {}, isWaitedFor ? whileSomebodyWaits : {});
    if (answer.status !== 200) {
      const error = refusal(answer);
      throw error.failure === "notPermitted" ? new PosError("credentialsRefused", { code: "403" }) : error;
    }
    const found = parted(
      listIn(answer.body, ["data", "locations"]).map((row) => readRow(store, row, (field) => field("locationId"))),
    );
    return { stores: found.rows, date: answer.date };
  }

  /** Reads the list that an answer holds under one of these names, or is. */
  async list(
    path: PosPath,
    query: NonNullable<PosCall["query"]>,
    names: readonly string[],
  ): Promise<{ rows: unknown[]; total: number | null }> {
    const answer = await this.#call(path, query);
    if (answer.status !== 200) throw refusal(answer);
    const total = (answer.body as { total?: unknown } | undefined)?.total;
    return { rows: listIn(answer.body, names), total: typeof total === "number" ? total : null };
  }

  /** Reads one customer; undefined when there is none of that id. */
  async customer(id: string): Promise<unknown> {
    const answer = await this.#call(posPath`/v1/customers/${id}`, {});
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw refusal(answer);
    return listIn(answer.body, customerNames)[0];
  }

  #call(path: PosPath, query: PosCall["query"], options: Partial<PosCall> = {}): Promise<PosAnswer> {
    return this.#client.call({ path, headers: this.#headers, lane: this.#lane, ...(query && { query }), ...options });
  }
}

/** How the list of customers may be called; the documents show a single customer in its place. */
export const customerNames = ["customers", "data", "results", "items", "customer"] as const;

/** The rows that an answer holds: a bare list, one of these properties, a single object with an id, or nothing. */
function listIn(body: unknown, names: readonly string[]): unknown[] {
  if (body === undefined || body === null) return [];
  if (Array.isArray(body)) return body;
  const found = names.map((name) => (body as Record<string, unknown>)[name]).find((value) => value !== undefined);
  if (Array.isArray(found)) return found;
  const single = (found ?? body) as { id?: unknown } | null;
  if (single === null) return [];
  if (typeof single === "object" && "id" in single) return [single];
  throw new PosError("notUnderstood", { code: "envelope" });
}

export function posStore({ locationId, importId, locationName, address }: Store): PosStore {
  const town = [address.state, address.zip].filter(Boolean).join(" ");
  const parts = [address.streetAddress1, address.city, town].filter(Boolean);
  return {
    id: locationId,
    otherId: importId,
    name: locationName ?? `Location ${locationId}`,
    address: parts.length > 0 ? parts.join(", ") : null,
  };
}
