import type { Clock } from "../../../time/clock.ts";
import { type Connection, PosError, type PosStore } from "../../connector.ts";
import type { PosCall, PosClient, PosResponse } from "../../framework/posClient.ts";
import { below, isPathPart, type PosPath } from "../../framework/posPath.ts";
import type { StoreApi, Stores } from "../../framework/storeConnector.ts";
import type { TokenCache } from "../../framework/tokenCache.ts";
import { requireCredential, toPosError } from "../../framework/toPosError.ts";
import { type Envelope, envelope } from "./responses.ts";
import { accessBySignature, accessByToken, type Certificate, type TreezAccess } from "./treezAccess.ts";

/** Treez's error codes for an empty result. A list with such a code is empty; the request did not fail. */
const nothing = new Set(["NOT_FOUND", "TICKET_NOT_FOUND", "PRODUCT_NOT_FOUND", "CUSTOMER_DOESNT_EXIST"]);

/** This service's access to Treez, the same for all dispensaries. */
export interface TreezService {
  /** for version 2 of the API */
  client: PosClient;
  tokens: TokenCache;
  clientId: string;
  /** for version 3 */
  signedClient: PosClient;
  certificate: Certificate;
  clock: Clock;
}

export class TreezApi implements StoreApi {
  readonly #access: TreezAccess;
  readonly #name: string;
  readonly #crbId: string;

  /**
   * The credentials choose the version of the API: version 3 if the credentials name an organization.
   *
   * @throws PosError "credentialsRefused" if the form of the credentials is invalid; "unreachable" if this service's
   * own keys are missing, which says nothing about the credentials
   */
  constructor({ client, tokens, clientId, signedClient, certificate, clock }: TreezService, connection: Connection) {
    const { organizationId, dispensaryName } = connection.credentials;
    const name = requireCredential(dispensaryName);
    // The dispensary's name is a segment of request paths, so it must be safe there.
    if (!isPathPart(name)) throw new PosError("credentialsRefused", { code: "form" });
    this.#name = name;
    this.#crbId = connection.crbId;
    this.#access =
      organizationId === undefined
        ? accessByToken(client, tokens, connection, name, clientId)
        : accessBySignature(signedClient, connection, name, certificate, () => clock.now());
  }

  /** Treez states only the store's name. */
  get onlyStore(): PosStore {
    return { id: this.#name, name: this.#name, address: null };
  }

  /** The path of the changed tickets, without the instant. */
  get changedTickets(): PosPath {
    return this.#access.changedTickets;
  }

  /** @throws PosError "credentialsRefused" also for an unknown dispensary */
  async stores(options: Partial<PosCall>): Promise<Stores> {
    await this.#access.verify(options);
    return { stores: [this.onlyStore], hasUnreadable: false, date: null };
  }

  /**
   * Reads the list in a response.
   *
   * @param listIn extracts the list; returns undefined if there is no list
   * @throws PosError with the code `RESPONSE_LIMIT_EXCEEDS` if the page is too large
   */
  async list<List extends { rows: unknown[] }>(
    path: PosPath,
    query: NonNullable<PosCall["query"]>,
    listIn: (envelope: Envelope) => List | undefined,
  ): Promise<{ list: List | undefined; date: Date | null }> {
    const { client, base } = this.#access;
    return this.#access.ask(async (headers) => {
      const answer = await client.call({ path: below(base, path), query, rateLimitBucket: this.#crbId, headers });
      const body = envelope.safeParse(answer.body).data;
      const isGood = answer.status === 200 && body?.resultCode === "SUCCESS";
      const list = isGood ? listIn(body) : undefined;
      if (list || nothing.has(reasonOf(body))) return { list, date: answer.date };
      throw failureOf(answer, body);
    });
  }
}

/** Treez's error code. Its free texts must not reach the log. */
function reasonOf(body: Envelope | undefined): string {
  const reason = body?.resultReason ?? "";
  return /^[A-Z_]{1,40}$/.test(reason) ? reason : "";
}

function failureOf(answer: PosResponse, body: Envelope | undefined): PosError {
  if (/\brate\b|too many|throttl/i.test((body?.resultReason ?? "").replaceAll("_", " "))) {
    return new PosError("limited", { code: String(answer.status) });
  }
  const reason = reasonOf(body);
  if (reason !== "" && answer.status !== 401) return new PosError("notUnderstood", { code: reason });
  return answer.status === 200 ? new PosError("notUnderstood", { code: "envelope" }) : toPosError(answer);
}
