import type { Clock } from "../../../time/clock.ts";
import { type Connection, PosError, type PosStore } from "../../connector.ts";
import type { PosCall, PosClient, PosResponse } from "../../framework/posClient.ts";
import { below, isPathPart, type PosPath } from "../../framework/posPath.ts";
import type { TokenCache } from "../../framework/tokenCache.ts";
import { isCredential, toPosError } from "../../framework/toPosError.ts";
import { type Envelope, envelope } from "./responses.ts";
import { accessBySignature, accessByToken, type Certificate, type TreezAccess } from "./treezAccess.ts";

/** Codes that say that there is nothing, which is no failure of a list. */
const nothing = new Set(["NOT_FOUND", "TICKET_NOT_FOUND", "PRODUCT_NOT_FOUND", "CUSTOMER_DOESNT_EXIST"]);

/** What this service has with Treez, the same for all dispensaries. */
export interface TreezService {
  /** of the API's version 2 */
  client: PosClient;
  tokens: TokenCache;
  clientId: string;
  /** of version 3 */
  signedClient: PosClient;
  certificate: Certificate;
  clock: Clock;
}

/** One dispensary at Treez. */
export class TreezApi {
  readonly #access: TreezAccess;
  readonly #name: string;
  readonly #crbId: string;

  /**
   * By which version of the API is chosen by the credentials: version 3 where they name an organization.
   *
   * @throws PosError "credentialsRefused" for what can be no credentials; "unreachable" without what the service itself
   * needs, which says nothing about them
   */
  constructor({ client, tokens, clientId, signedClient, certificate, clock }: TreezService, connection: Connection) {
    const { organizationId, dispensaryName: name } = connection.credentials;
    // The name becomes a part of the path.
    if (!isCredential(name) || !isPathPart(name)) throw new PosError("credentialsRefused", { code: "form" });
    this.#name = name;
    this.#crbId = connection.crbId;
    this.#access =
      organizationId === undefined
        ? accessByToken(client, tokens, connection, name, clientId)
        : accessBySignature(signedClient, connection, name, certificate, () => clock.now());
  }

  /** The one store: Treez tells no more of it than its name. */
  get store(): PosStore {
    return { id: this.#name, name: this.#name, address: null };
  }

  /** Changed tickets are asked for by this, up to the instant. */
  get changedTickets(): PosPath {
    return this.#access.changedTickets;
  }

  /**
   * Proves the credentials.
   *
   * @throws PosError "credentialsRefused" also for an unknown dispensary
   */
  verify(isWaitedFor: boolean): Promise<void> {
    return this.#access.verify(isWaitedFor);
  }

  /**
   * Reads the list that an answer holds.
   *
   * @param listIn takes it out; undefined where there is none
   * @throws PosError with the code `RESPONSE_LIMIT_EXCEEDS` when a page is too big
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

/** Treez's code of what is wrong; its free texts are not for the log. */
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
