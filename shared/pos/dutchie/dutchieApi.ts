import { type Connection, PosError, type PosStore } from "../connector.ts";
import { address } from "../conversions/address.ts";
import { arrayElements } from "../reading/arrayElements.ts";
import { type PosAnswer, type PosCall, type PosClient, whileSomebodyWaits } from "../reading/posClient.ts";
import { type PosPath, posPath } from "../reading/posPath.ts";
import { isCredential, refusal } from "../reading/refusal.ts";
import { type Identity, identity } from "./answers.ts";

/** What is the same for all that is asked of Dutchie. */
export interface DutchieService {
  client: PosClient;
  /** of this service, sent as password where Dutchie has given one */
  integratorKey: string;
  /** milliseconds for a list, which comes in one piece */
  reportTimeout: number;
}

/** One Dutchie location, as one API key reaches it. */
export class DutchieApi {
  /** what the key is for */
  readonly kind: "medical" | "rec";
  readonly #service: DutchieService;
  readonly #headers: Record<string, string>;
  readonly #lane: string;

  constructor(service: DutchieService, crbId: string, kind: "medical" | "rec", key: string) {
    this.kind = kind;
    this.#service = service;
    this.#lane = `${crbId} ${kind}`;
    this.#headers = { authorization: `Basic ${Buffer.from(`${key}:${service.integratorKey}`).toString("base64")}` };
  }

  /**
   * Which location the key is for.
   *
   * @throws PosError "credentialsRefused" also when the location is gone, which ends the key
   */
  async identity(options: Partial<PosCall> = {}): Promise<{ store: Identity; date: Date | null }> {
    const answer = await this.#call(posPath`/whoami`, options);
    const { status, body, date } = answer;
    const error = status === 200 ? undefined : refusal(answer);
    if (status === 404 || error?.failure === "notPermitted") {
      throw new PosError("credentialsRefused", { code: String(status) });
    }
    if (error) throw error;
    const read = identity.safeParse(body);
    if (!read.success) throw new PosError("notUnderstood", { code: "whoami" });
    return { store: read.data, date };
  }

  /**
   * Reads a list.
   *
   * @param make what is kept of each row
   */
  async rows<Row>(
    path: PosPath,
    query: NonNullable<PosCall["query"]>,
    make: (row: unknown) => Row,
    options: Partial<PosCall> = {},
  ): Promise<Row[]> {
    const rows: Row[] = [];
    const begin = () => void rows.splice(0);
    await this.eachRow(path, query, (row) => rows.push(make(row)), options, begin);
    return rows;
  }

  /**
   * Reads a list, row by row as it arrives.
   *
   * @param take is handed each row: again where the answer broke off, and another attempt was needed
   * @param begin is called before the first row of each attempt
   */
  async eachRow(
    path: PosPath,
    query: NonNullable<PosCall["query"]>,
    take: (row: unknown) => void,
    options: Partial<PosCall>,
    begin: () => void,
  ): Promise<void> {
    const answer = await this.#call(path, {
      query,
      timeout: this.#service.reportTimeout,
      // As long again would be longer than a function may take.
      repeatsTimeout: false,
      ...options,
      read: async (chunks) => {
        begin();
        for await (const element of arrayElements(chunks)) take(element);
      },
    });
    if (answer.status !== 200) throw refusal(answer);
  }

  #call(path: PosPath, options: Partial<PosCall>): Promise<PosAnswer> {
    return this.#service.client.call({ path, headers: this.#headers, lane: this.#lane, ...options });
  }
}

/** The locations that a connection's keys reach, that for adults first. */
export function apisOf(service: DutchieService, { crbId, credentials }: Connection): DutchieApi[] {
  const keys = [
    ["rec", credentials.recApiKey],
    ["medical", credentials.medApiKey],
  ] as const;
  const given = keys.filter(([, key]) => key !== undefined);
  return given.map(([kind, key]) => {
    if (!isCredential(key)) throw new PosError("credentialsRefused", { code: "form" });
    return new DutchieApi(service, crbId, kind, key);
  });
}

/** A location that keys reach, and how it is read. */
export interface DutchieStore {
  api: DutchieApi;
  store: Identity;
}

/**
 * Asks each key for its location. Every one must be accepted; of two keys for one location one is enough.
 *
 * @throws PosError "credentialsRefused" also for keys of two companies, whose customers must not be mixed
 */
export async function storesOf(
  apis: readonly DutchieApi[],
  isWaitedFor: boolean,
): Promise<{ stores: DutchieStore[]; date: Date | null }> {
  const options = isWaitedFor ? whileSomebodyWaits : {};
  const found = await Promise.all(apis.map(async (api) => ({ api, ...(await api.identity(options)) })));
  const [first] = found;
  if (!first || found.some(({ store }) => store.lspid !== first.store.lspid)) {
    throw new PosError("credentialsRefused", { code: "companies" });
  }
  const stores = found.filter(({ store }, at) => found.findIndex((other) => isSame(other.store, store)) === at);
  return { stores, date: first.date };
}

function isSame(a: Identity, b: Identity): boolean {
  return a.locationid === b.locationid;
}

export function posStore({ locationid, locationname, doingbusinessas, ...place }: Identity): PosStore {
  return {
    id: locationid,
    name: locationname ?? doingbusinessas ?? `Location ${locationid}`,
    address: address(place.address, place.city, [place.state, place.postalcode]),
  };
}
