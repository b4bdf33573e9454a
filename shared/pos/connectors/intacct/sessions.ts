import { type Connection, PosError } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import { credentialsFingerprint } from "../../framework/credentialsFingerprint.ts";
import type { PosCall, PosClient } from "../../framework/posClient.ts";
import { requireEncodedCredential, requireServiceKey } from "../../framework/toPosError.ts";
import { withSession } from "../../framework/withSession.ts";
import { Gateway, gatewayPath, type Sender } from "./gateway.ts";
import { session } from "./responses.ts";
import type { Elements } from "./xml.ts";

/** Milliseconds for which a session is used; it ends by itself some time after it was used last. */
const lifetime = 10 * 60_000;

/** Where a session is used, and its id, a secret. */
interface Session {
  endpoint: string;
  sessionid: string;
}

/** Sessions of all companies, within one of their entities each. */
export const newSessions = () => new AsyncCache<Session>(500, lifetime);

/** What this service has with Intacct, the same for all companies. */
export interface IntacctAccess {
  client: PosClient;
  /** where Intacct is, without a slash at its end */
  url: string;
  sender: Sender;
  sessions: ReturnType<typeof newSessions>;
}

/** A user of a company, signed in when need be. */
export class Sessions {
  readonly #access: IntacctAccess;
  readonly #gateway: Gateway;
  readonly #login: Elements;
  readonly #entity: Elements;
  /** what tells the connection's sessions from others, without telling its credentials */
  readonly mark: string;

  /**
   * @param entity that sessions are for; null for the company's top level
   * @throws PosError "credentialsRefused" for what can be no credentials; "unreachable" without the service's own keys,
   * which says nothing about them
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
    this.#gateway = new Gateway(access.client, access.sender, connection.crbId);
    this.#entity = entity === null ? {} : { locationid: entity };
    this.mark = `${connection.crbId} ${credentialsFingerprint(connection)} ${entity}`;
  }

  /** Asks within a session of the entity: once more by a new one where that is over. */
  ask(ask: Elements, pattern: string): Promise<unknown> {
    return withSession(
      { cache: this.#access.sessions, key: this.mark, signIn: () => this.#signIn(this.#entity) },
      (session) => this.#askIn(session, ask, pattern),
    );
  }

  /** Signs in at the top level, which proves the credentials; how to ask there, and what Intacct's clock showed. */
  async atTop(options: Partial<PosCall>) {
    const { date, ...top } = await this.#signIn({}, options);
    return { date, ask: (ask: Elements, pattern: string) => this.#askIn(top, ask, pattern, options) };
  }

  async #askIn({ endpoint, sessionid }: Session, ask: Elements, pattern: string, options: Partial<PosCall> = {}) {
    return (await this.#gateway.call({ endpoint, authentication: { sessionid }, ask, pattern }, options)).data;
  }

  async #signIn(entity: Elements, options: Partial<PosCall> = {}): Promise<Session & { date: Date | null }> {
    const { url } = this.#access;
    const call = {
      endpoint: `${url}${gatewayPath}`,
      authentication: { login: { ...this.#login, ...entity } },
      ask: { getAPISession: "" },
      pattern: "getAPISession",
    };
    const { data, date } = await this.#gateway.call(call, options);
    const found = session.safeParse(data).data?.api;
    if (!found) throw new PosError("notUnderstood", { code: "session" });
    return { sessionid: found.sessionid, endpoint: endpointOf(found.endpoint, url), date };
  }
}

/**
 * Where a session is used from then on: the service's own password and the session go there, so only to Intacct, by HTTPS,
 * or to a test endpoint that has told of itself.
 *
 * @param home address where Intacct, or the test endpoint, is
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
