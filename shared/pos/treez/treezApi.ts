import { type Connection, PosError, type PosStore } from "../connector.ts";
import { credentialsMark } from "../reading/credentialsMark.ts";
import { Memo } from "../reading/memo.ts";
import { type PosAnswer, type PosCall, type PosClient, whileSomebodyWaits } from "../reading/posClient.ts";
import { below, isPathPart, type PosPath, posPath } from "../reading/posPath.ts";
import { isCredential, refusal } from "../reading/refusal.ts";
import { type Envelope, envelope, token } from "./answers.ts";

interface Token {
  text: string;
  /** milliseconds that it may be used */
  lifetime: number;
}

/** Two hours, where Treez does not say. */
const usualSeconds = 7200;
/** A token is exchanged so long before its end. */
const reserveSeconds = 300;

/** Tokens of all connections. Whoever asks for one with each call loses Treez's permission to ask at all. */
export const newTokens = () => new Memo<Token>(500, ({ lifetime }) => lifetime);
export type Tokens = ReturnType<typeof newTokens>;

/** Codes that say that there is nothing, which is no failure of a list. */
const nothing = new Set(["NOT_FOUND", "TICKET_NOT_FOUND", "PRODUCT_NOT_FOUND", "CUSTOMER_DOESNT_EXIST"]);

/** One dispensary at Treez. */
export class TreezApi {
  readonly #client: PosClient;
  readonly #tokens: Tokens;
  readonly #clientId: string;
  readonly #apiKey: string;
  readonly #name: string;
  readonly #crbId: string;
  readonly #tokenKey: string;

  /**
   * @param clientId of this service, the same for all dispensaries
   * @throws PosError "credentialsRefused" for what can be no credentials; "unreachable" without the service's own id,
   * which says nothing about them
   */
  constructor(client: PosClient, tokens: Tokens, connection: Connection, clientId: string) {
    const { apiKey, dispensaryName } = connection.credentials;
    // The name becomes a part of the path.
    if (!isCredential(apiKey) || !isCredential(dispensaryName) || !isPathPart(dispensaryName)) {
      throw new PosError("credentialsRefused", { code: "form" });
    }
    if (clientId === "") throw new PosError("unreachable", { code: "no_client_id" });
    this.#client = client;
    this.#tokens = tokens;
    this.#clientId = clientId;
    this.#apiKey = apiKey;
    this.#name = dispensaryName;
    this.#crbId = connection.crbId;
    this.#tokenKey = credentialsMark(connection);
  }

  /** The one store: Treez tells no more of it than its name. */
  get store(): PosStore {
    return { id: this.#name, name: this.#name, address: null };
  }

  /**
   * Exchanges the key for a token, which proves it.
   *
   * @throws PosError "credentialsRefused" also for an unknown dispensary
   */
  async verify(isWaitedFor: boolean): Promise<void> {
    this.#tokens.forget(this.#tokenKey);
    await this.#token(isWaitedFor ? whileSomebodyWaits : {});
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
    for (let isSecond = false; ; isSecond = true) {
      const answer = await this.#client.call({
        path: this.#below(path),
        query,
        lane: this.#crbId,
        headers: { authorization: (await this.#token()).text, client_id: this.#clientId },
      });
      const body = envelope.safeParse(answer.body).data;
      const isGood = answer.status === 200 && body?.resultCode === "SUCCESS";
      const list = isGood ? listIn(body) : undefined;
      if (list) return { list, date: answer.date };
      const reason = reasonOf(body);
      if (nothing.has(reason)) return { list: undefined, date: answer.date };
      const isOfToken = answer.status === 401 || (answer.status === 200 && reason === "");
      if (isSecond || !isOfToken) throw failureOf(answer, body, reason);
      this.#tokens.forget(this.#tokenKey);
    }
  }

  #token(options: Partial<PosCall> = {}): Promise<Token> {
    return this.#tokens.get(this.#tokenKey, async () => {
      const answer = await this.#client.call({
        path: this.#below(posPath`/config/api/gettokens`),
        form: { client_id: this.#clientId, apikey: this.#apiKey },
        headers: {},
        lane: this.#crbId,
        ...options,
      });
      const refused = answer.status === 200 ? undefined : refusal(answer);
      if (refused?.failure === "unreachable") throw refused;
      const body = token.safeParse(answer.body).data;
      if (refused || body?.resultCode === "FAIL") {
        throw new PosError("credentialsRefused", { code: String(answer.status) });
      }
      if (!body?.access_token) throw new PosError("notUnderstood", { code: "token" });
      const seconds = body.expires_in ?? usualSeconds;
      return {
        text: body.access_token,
        lifetime: Math.max(seconds - reserveSeconds, seconds / 2) * 1000,
      };
    });
  }

  #below(path: PosPath): PosPath {
    return below(posPath`/v2.0/dispensary/${this.#name}`, path);
  }
}

/** Treez's code of what is wrong; its free texts are not for the log. */
function reasonOf(body: Envelope | undefined): string {
  const reason = body?.resultReason ?? "";
  return /^[A-Z_]{1,40}$/.test(reason) ? reason : "";
}

function failureOf(answer: PosAnswer, body: Envelope | undefined, reason: string): PosError {
  if (/\brate\b|too many|throttl/i.test((body?.resultReason ?? "").replaceAll("_", " "))) {
    return new PosError("limited", { code: String(answer.status) });
  }
  if (reason !== "") return new PosError("notUnderstood", { code: reason });
  return answer.status === 200 ? new PosError("notUnderstood", { code: "envelope" }) : refusal(answer);
}
