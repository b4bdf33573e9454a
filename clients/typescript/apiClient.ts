import { randomUUID } from "node:crypto";
import createClient, { type Client, type ClientPathsWithMethod, type MaybeOptionalInit } from "openapi-fetch";
import type { AccessTokens } from "./accessTokens.ts";
import { ApiError, isJson } from "./apiError.ts";
import { baseAddress, type CallOptions, createTransport, type TransportOptions, tokensOf } from "./createTransport.ts";
import type { paths } from "./openApi.ts";
import { readError } from "./readError.ts";
import type { Send } from "./withRetries.ts";

type Method = "get" | "put" | "post" | "delete";

/** The data of a successful response. */
type DataOf<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Data } } } }
  ? Data
  : never;

/** `[]` may be passed if no parameter is required. */
type Arguments<Init> = undefined extends Init ? [Init?] : [Init];

/** A call of an operation by its path, with `params` (`path`, `query`, `header`), `body`, and the options of `fetch`. */
type Call<Paths extends object, M extends Method> = <
  Path extends ClientPathsWithMethod<Client<Paths>, M>,
  Init extends MaybeOptionalInit<Paths[Path], M & keyof Paths[Path]>,
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<DataOf<Paths[Path][M & keyof Paths[Path]]>>;

const crbPath = "/service-providers/{sp_id}/crbs/{crb_id}";

type WithoutIds<Operation> = Operation extends { parameters: infer Parameters extends { path: object } }
  ? Omit<Operation, "parameters"> & {
      parameters: Omit<Parameters, "path"> & OtherIds<Omit<Parameters["path"], "sp_id" | "crb_id">>;
    }
  : Operation;
type OtherIds<Ids> = keyof Ids extends never ? { path?: never } : { path: Ids };

/** The operations of a CRB of a service provider, by the rest of their paths: `/sales`, or `` for the CRB. */
export type CrbPaths = {
  [Path in keyof paths as Path extends `${typeof crbPath}${infer Rest}` ? Rest : never]: {
    [M in keyof paths[Path]]: WithoutIds<paths[Path][M]>;
  };
};

/** Operations that return their first response again if the key is the same. */
export const keyedPaths: readonly string[] = [
  "/service-providers/{sp_id}/crbs",
  "/service-providers/{sp_id}/crbs/{crb_id}/exports",
  "/service-providers/{sp_id}/crbs/{crb_id}/statements",
  "/service-providers/{sp_id}/webhook-endpoints",
] satisfies ClientPathsWithMethod<Client<paths>, "post">[];

interface Connection extends Pick<CallOptions, "headers" | "onResponse"> {
  /** The address before the paths of `Paths`. */
  baseUrl: string;
  fetch: Send;
  /** The path before those of `Paths`, as the API's description has it. */
  prefix?: string;
}

/** The operations at some paths. */
class Operations<Paths extends object> {
  readonly get: Call<Paths, "get">;
  readonly put: Call<Paths, "put">;
  readonly post: Call<Paths, "post">;
  readonly delete: Call<Paths, "delete">;

  constructor({ baseUrl, fetch, headers = {}, onResponse, prefix = "" }: Connection) {
    const client = createClient<Paths>({ baseUrl, fetch, headers });
    client.use({
      onRequest({ request, schemaPath }) {
        const isKeyed = request.method === "POST" && keyedPaths.includes(prefix + schemaPath);
        if (isKeyed && !request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", randomUUID());
      },
      async onResponse({ request, response }) {
        if (!response.ok) throw await readError(request, response);
        // A proxy can respond with a page of its own.
        const readable =
          isJson(response) ||
          (await response
            .clone()
            .json()
            .then(Boolean, () => false));
        if (!readable) throw new ApiError(request, response, {});
        const { status, headers: received } = response;
        onResponse?.({ status, headers: received, requestId: received.get("x-request-id") ?? undefined });
      },
    });
    const call = (method: Uppercase<Method>) => async (path: string, init?: object) => {
      const send = client[method] as (path: string, init?: object) => Promise<{ data?: unknown }>;
      return (await send(path, init)).data;
    };
    this.get = call("GET") as Call<Paths, "get">;
    this.put = call("PUT") as Call<Paths, "put">;
    this.post = call("POST") as Call<Paths, "post">;
    this.delete = call("DELETE") as Call<Paths, "delete">;
  }
}

/**
 * A client of the API. Each call returns the data of a successful response, and throws an `ApiError` or a `NoResponseError`
 * otherwise. It sets a timeout, repeats safe requests, renews access tokens, and creates idempotency keys.
 * @throws TypeError for an address or a credential that cannot work
 */
export class ApiClient extends Operations<paths> {
  readonly baseUrl: string;
  /** Sends one request without a credential, such as a download. */
  readonly send: Send;
  readonly #options: TransportOptions;
  readonly #tokens: AccessTokens | undefined;
  readonly #connection: Connection;

  /** @param tokens those of another client with the same credential */
  constructor(options: TransportOptions, tokens?: AccessTokens) {
    const own = { ...options, baseUrl: baseAddress(options.baseUrl) };
    const shared = tokens ?? tokensOf(own);
    const connection = { ...own, fetch: createTransport(own, shared) };
    super(connection);
    this.baseUrl = own.baseUrl;
    this.send = own.send ?? fetch;
    this.#options = own;
    this.#tokens = shared;
    this.#connection = connection;
  }

  /** A client with other options, for some calls. It shares the access tokens of this one. */
  withOptions(options: CallOptions): ApiClient {
    return new ApiClient({ ...this.#options, ...options }, this.#tokens);
  }

  /** The operations of one CRB, whose calls need no ids: `crb.get("/sales")`, and `crb.get("")` for the CRB. */
  crb(sp_id: string, crb_id: string): CrbClient {
    return new CrbClient(this.#connection, sp_id, crb_id);
  }
}

/** The operations of one CRB. It also has the ids, for `path` and functions that need them. */
export class CrbClient extends Operations<CrbPaths> {
  readonly sp_id: string;
  readonly crb_id: string;

  constructor(connection: Connection, sp_id: string, crb_id: string) {
    const path = `/service-providers/${encodeURIComponent(sp_id)}/crbs/${encodeURIComponent(crb_id)}`;
    super({ ...connection, baseUrl: connection.baseUrl + path, prefix: crbPath });
    this.sp_id = sp_id;
    this.crb_id = crb_id;
  }
}
