import { randomUUID } from "node:crypto";
import createClient, { type Client, type ClientPathsWithMethod, type MaybeOptionalInit } from "openapi-fetch";
import { ApiError, readError } from "./apiError.ts";
import { baseAddress, createTransport, type TransportOptions } from "./createTransport.ts";
import type { paths } from "./openApi.ts";

type Method = "get" | "put" | "post" | "delete";

/** The data of a successful response. */
type DataOf<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Data } } } }
  ? Data
  : never;

/** `[]` may be passed if no parameter is required. */
type Arguments<Init> = undefined extends Init ? [Init?] : [Init];

/** A call of an operation by its path, with `params` (`path`, `query`, `header`), `body`, and the options of `fetch`. */
type Call<M extends Method> = <
  Path extends ClientPathsWithMethod<Client<paths>, M>,
  Init extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<DataOf<paths[Path][M]>>;

/** Operations that return their first response again if the key is the same. */
export const keyedPaths: readonly string[] = [
  "/service-providers/{sp_id}/crbs",
  "/service-providers/{sp_id}/crbs/{crb_id}/exports",
  "/service-providers/{sp_id}/webhook-endpoints",
] satisfies ClientPathsWithMethod<Client<paths>, "post">[];

/**
 * A client of the API. Each call returns the data of a successful response, and throws an `ApiError` or a `NoResponseError`
 * otherwise. It sets a timeout, repeats safe requests, renews access tokens, and creates idempotency keys.
 * @throws TypeError for an address or a credential that cannot work
 */
export class ApiClient {
  readonly baseUrl: string;
  readonly get: Call<"get">;
  readonly put: Call<"put">;
  readonly post: Call<"post">;
  readonly delete: Call<"delete">;

  constructor(options: TransportOptions) {
    this.baseUrl = baseAddress(options.baseUrl);
    const client = createClient<paths>({
      baseUrl: this.baseUrl,
      fetch: createTransport({ ...options, baseUrl: this.baseUrl }),
    });
    client.use({
      onRequest({ request, schemaPath }) {
        const isKeyed = request.method === "POST" && keyedPaths.includes(schemaPath);
        if (isKeyed && !request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", randomUUID());
      },
      async onResponse({ request, response }) {
        if (!response.ok) throw await readError(request, response);
        // A proxy can respond with a page of its own.
        const isJson = await response
          .clone()
          .json()
          .then(Boolean, () => false);
        if (!isJson) throw new ApiError(request, response, {});
      },
    });
    const call = (method: Uppercase<Method>) => async (path: string, init?: object) => {
      const send = client[method] as (path: string, init?: object) => Promise<{ data?: unknown }>;
      return (await send(path, init)).data;
    };
    this.get = call("GET") as Call<"get">;
    this.put = call("PUT") as Call<"put">;
    this.post = call("POST") as Call<"post">;
    this.delete = call("DELETE") as Call<"delete">;
  }
}
