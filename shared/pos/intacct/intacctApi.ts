import type * as z from "zod";
import { type Connection, PosError, type PosStore } from "../connector.ts";
import { credentialsMark } from "../reading/credentialsMark.ts";
import { Memo } from "../reading/memo.ts";
import type { PagedList } from "../reading/pagedList.ts";
import type { PosCall, PosClient } from "../reading/posClient.ts";
import { parted, readRow } from "../reading/readRow.ts";
import { daysAfter } from "../reading/readSpan.ts";
import { credentialOf, serviceKeyOf } from "../reading/refusal.ts";
import type { StoreApi, Stores } from "../reading/storeConnector.ts";
import { id } from "../reading/wireFields.ts";
import { type Definition, definition, entity, page, session } from "./answers.ts";
import { Gateway, gatewayPath, type Sender } from "./gateway.ts";
import type { Elements } from "./xml.ts";

/** Of which objects rows are read. */
type ObjectName =
  | "ARADJUSTMENT"
  | "ARINVOICE"
  | "ARINVOICEITEM"
  | "CUSTOMER"
  | "ITEM"
  | "LOCATION"
  | "LOCATIONENTITY"
  | "WAREHOUSE";

/** The most rows that are asked for at once. */
const pageSize = 1000;
/** Milliseconds for which a session is used; it ends by itself some time after it was used last. */
const sessionLifetime = 10 * 60_000;
const definitionLifetime = 15 * 60_000;

/** Where a session is used, and its id, a secret. */
interface Session {
  endpoint: string;
  sessionid: string;
}

/** What this service has with Intacct, the same for all companies. */
export interface IntacctService {
  client: PosClient;
  /** where Intacct is, without a slash at its end */
  url: string;
  sender: Sender;
  sessions: Memo<Session>;
  definitions: Memo<Definition>;
}

export const newSessions = () => new Memo<Session>(500, sessionLifetime);
export const newDefinitions = () => new Memo<Definition>(50, definitionLifetime);

/** A company that has no entities is one itself. */
const topLevel: PosStore = { id: "top-level", name: "Top level", address: null };

/** One company at Intacct, as a user of it reaches it, and of its entities the one of the connection. */
export class IntacctApi implements StoreApi {
  readonly #service: IntacctService;
  readonly #gateway: Gateway;
  readonly #login: Elements;
  readonly #entity: Elements;
  readonly #mark: string;

  /**
   * @throws PosError "credentialsRefused" for what can be no credentials; "unreachable" without the service's own keys,
   * which says nothing about them
   */
  constructor(service: IntacctService, connection: Connection) {
    const { company_id, user_id, user_password } = connection.credentials;
    const { crbId, locationId } = connection;
    this.#login = {
      userid: credentialOf(user_id),
      companyid: credentialOf(company_id),
      password: credentialOf(user_password),
    };
    serviceKeyOf(service.sender.id, "no_sender");
    serviceKeyOf(service.sender.password, "no_sender");
    this.#service = service;
    this.#gateway = new Gateway(service.client, service.sender, crbId);
    this.#entity = locationId === null || locationId === topLevel.id ? {} : { locationid: locationId };
    this.#mark = `${crbId} ${credentialsMark(connection)} ${locationId}`;
  }

  /** The company's entities, by a session of its top level. */
  async stores(options: Partial<PosCall>): Promise<Stores> {
    const { date, ...top } = await this.#signIn({}, options);
    const rows = await this.#rows("LOCATIONENTITY", Object.keys(entity.shape), {}, (ask, pattern) =>
      this.#ask(top, ask, pattern, options),
    );
    const { rows: found, rejected } = parted(rows.map((row) => readRow(entity, row, (field) => field("LOCATIONID"))));
    const stores = found.map(({ LOCATIONID, NAME }) => ({
      id: LOCATIONID,
      name: NAME ?? `Entity ${LOCATIONID}`,
      address: null,
    }));
    return { stores: rows.length === 0 ? [topLevel] : stores, hasUnreadable: rejected.length > 0, date };
  }

  /** All rows of an object that a filter leaves, each behind the one before: what comes and goes moves none of them. */
  async all(object: ObjectName, { shape }: z.ZodObject, filter: Elements = {}): Promise<unknown[]> {
    const fields = await this.#known(object, Object.keys(shape));
    return this.#rows(object, fields, filter, (ask, pattern) => this.#inSession(ask, pattern));
  }

  /**
   * A list in the order of its record numbers, so that new rows come at its end.
   *
   * @param fullEveryDays as of PagedList
   */
  list(object: ObjectName, { shape }: z.ZodObject, fullEveryDays: number, size = pageSize): PagedList {
    return {
      size,
      fullEveryDays,
      isOrdered: true,
      idField: "RECORDNO",
      countsRows: true,
      fetch: async (since, offset, pagesize) => {
        const fields = await this.#known(object, Object.keys(shape));
        const query = {
          ...selected(object, fields),
          // A day more: it is not told by whose clock this is.
          ...(since && { filter: { greaterthanorequalto: changedSince(daysAfter(since, -1)) } }),
          pagesize,
          offset,
        };
        const found = pageIn(await this.#inSession({ query }, `query ${object}`), object);
        return { rows: found.rows, isLast: found.remaining === 0, total: found.total };
      },
    };
  }

  async #rows(
    object: ObjectName,
    fields: readonly string[],
    filter: Elements,
    ask: (ask: Elements, pattern: string) => Promise<unknown>,
  ): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let last = "0"; ; ) {
      const behind = { greaterthan: { field: "RECORDNO", value: last } };
      const both = Object.keys(filter).length === 0 ? behind : { and: { ...behind, ...filter } };
      const query = { ...selected(object, fields), filter: both, pagesize: pageSize };
      const found = pageIn(await ask({ query }, `query ${object}`), object);
      rows.push(...found.rows);
      if (found.rows.length === 0 || found.remaining === 0) return rows;
      const next = id.safeParse((found.rows.at(-1) as { RECORDNO?: unknown } | null)?.RECORDNO).data;
      if (next === undefined || next === last) throw new PosError("notUnderstood", { code: "page" });
      last = next;
    }
  }

  /** Of fields those that the object has for this company: asking for another one fails as a whole. */
  async #known(object: ObjectName, fields: readonly string[]): Promise<string[]> {
    const { fields: has, related } = await this.#service.definitions.get(`${this.#mark} ${object}`, async () => {
      const found = definition.safeParse(await this.#inSession({ lookup: { object } }, `lookup ${object}`)).data;
      if (!found) throw new PosError("notUnderstood", { code: "definition" });
      return found;
    });
    return fields.filter((field) => has.has(field) || related.has(field.split(".")[0] ?? ""));
  }

  /** Asks within a session of the connection's entity: once more by a new one where that is over. */
  async #inSession(ask: Elements, pattern: string): Promise<unknown> {
    const { sessions } = this.#service;
    for (let isSecond = false; ; isSecond = true) {
      // Not tried twice: who signs in wrongly too often is locked out.
      const session = await sessions.get(this.#mark, () => this.#signIn(this.#entity));
      try {
        return await this.#ask(session, ask, pattern);
      } catch (error) {
        if (isSecond || !(error instanceof PosError && error.failure === "credentialsRefused")) throw error;
        sessions.forget(this.#mark);
      }
    }
  }

  async #ask({ endpoint, sessionid }: Session, ask: Elements, pattern: string, options: Partial<PosCall> = {}) {
    return (await this.#gateway.call({ endpoint, authentication: { sessionid }, ask, pattern }, options)).data;
  }

  async #signIn(entity: Elements, options: Partial<PosCall> = {}): Promise<Session & { date: Date | null }> {
    const { url } = this.#service;
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
 * or to a stand-in that has told of itself.
 *
 * @param home address where Intacct, or the stand-in, is
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

const selected = (object: ObjectName, field: readonly string[]) => ({
  object,
  select: { field },
  orderby: { order: { field: "RECORDNO", ascending: "" } },
  options: { showprivate: true },
});

/** `MM/DD/YYYY HH:MM:SS`, UTC. */
function changedSince(instant: Date): Elements {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(instant.toISOString()) ?? [];
  return { field: "WHENMODIFIED", value: `${month}/${day}/${year} ${time}` };
}

function pageIn(data: unknown, object: ObjectName) {
  const found = page.safeParse(data).data;
  if (!found) throw new PosError("notUnderstood", { code: "page" });
  const rows: unknown[] = [found[object] ?? []].flat();
  return { rows, remaining: found["@numremaining"], total: found["@totalcount"] };
}
