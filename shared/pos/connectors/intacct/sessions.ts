import { type Connection, PosError } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import { credentialsFingerprint } from "../../framework/credentialsFingerprint.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { requireEncodedCredential, requireServiceKey } from "../../framework/toPosError.ts";
import { withSession } from "../../framework/withSession.ts";
import { callGateway, gatewayPath, type Sender } from "./gateway.ts";
import { session } from "./responses.ts";
import type { Elements } from "./xml.ts";

/** Milliseconds for which this service uses a session. Intacct ends a session some time after its last use. */
const lifetime = 10 * 60_000;

/** The endpoint and the id of a session. The id is a secret. */
interface Session {
  endpoint: string;
  sessionid: string;
}

/** Sessions of all companies, each for one entity. */
export const newSessions = () => new AsyncCache<Session>(500, lifetime);

/** This service's access to Intacct, the same for all companies. */
export interface IntacctAccess {
  client: PosClient;
  /** base address without a trailing slash */
  url: string;
  sender: Sender;
  sessions: ReturnType<typeof newSessions>;
}

/** The sessions of one user of a company. Signs the user in when a call needs a session. */
export class Sessions {
  readonly #access: IntacctAccess;
  readonly #rateLimitBucket: string;
  readonly #login: Elements;
  readonly #entity: Elements;
  /** cache key: CRB id, fingerprint of the credentials, and entity */
  readonly mark: string;

  /**
   * @param entity of the sessions; null for the company's top level
   * @throws PosError "credentialsRefused" if the form of the credentials is invalid; "unreachable" if this service's own
   * keys are missing, which says nothing about the credentials
   */
  constructor(access: IntacctAccess, connection: Connection, entity: string | null) {
    const { company_id, user_id, user_password } = connection.credentials;
    this.#login = {
      userid: requireEncodedCredential(user_id),
      companyid: requireEncodedCredential(company_id),
      password: requireEncodedCredential(user_password),
    };
    requireServiceKey(access.sender.id, "no_sender");
    requireServiceKey(access.sender.password, "no_sender");
    this.#access = access;
    this.#rateLimitBucket = connection.crbId;
    this.#entity = entity === null ? {} : { locationid: entity };
    this.mark = `${connection.crbId} ${credentialsFingerprint(connection)} ${entity}`;
  }

  /** Calls a function in a session of the entity. If the session has ended, repeats the call in a new session. */
  ask(ask: Elements, pattern: string): Promise<unknown> {
    return withSession(
      { cache: this.#access.sessions, key: this.mark, signIn: () => this.#signIn(this.#entity) },
      (session) => this.#askIn(session, ask, pattern),
    );
  }

  /** Signs in at the top level, which verifies the credentials. Returns a function for calls in this session. */
  async atTop(options: Partial<PosCall>) {
    const { date, ...top } = await this.#signIn({}, options);
    return { date, ask: (ask: Elements, pattern: string) => this.#askIn(top, ask, pattern, options) };
  }

  #call(call: Parameters<typeof callGateway>[1], options: Partial<PosCall>) {
    return callGateway({ ...this.#access, rateLimitBucket: this.#rateLimitBucket }, call, options);
  }

  async #askIn({ endpoint, sessionid }: Session, ask: Elements, pattern: string, options: Partial<PosCall> = {}) {
    return (await this.#call({ endpoint, authentication: { sessionid }, ask, pattern }, options)).data;
  }

  async #signIn(entity: Elements, options: Partial<PosCall> = {}): Promise<Session & { date: Date | null }> {
    const { url } = this.#access;
    const call = {
      endpoint: `${url}${gatewayPath}`,
      authentication: { login: { ...this.#login, ...entity } },
      ask: { getAPISession: "" },
      pattern: "getAPISession",
    };
    const { data, date } = await this.#call(call, options);
    const found = session.safeParse(data).data?.api;
    if (!found) throw new PosError("notUnderstood", { code: "session" });
    return { sessionid: found.sessionid, endpoint: endpointOf(found.endpoint, url), date };
  }
}

/**
 * Checks the endpoint that Intacct names for a session's calls. The calls contain this service's password and the session's
 * id. So only HTTPS addresses of Intacct are allowed, or the origin of the test endpoint.
 *
 * @param home address of Intacct or of the test endpoint
 */
function endpointOf(text: string, home: string): string {
  const [url, own] = [URL.parse(text), new URL(home)];
  const isOurs = own.hostname.endsWith(intacctHosts)
    ? url?.protocol === "https:" && url.hostname.endsWith(intacctHosts) && url.port === ""
    : url?.origin === own.origin;
  if (!url || !isOurs) throw new PosError("notUnderstood", { code: "endpoint" });
  return `${url.origin}${url.pathname}`;
}

const intacctHosts = ".intacct.com";
