import createClient, { type Client } from "openapi-fetch";
import type { ApiClient as PublishedClient } from "../../clients/typescript/apiClient.ts";
import { createTransport, type TransportOptions } from "../../clients/typescript/createTransport.ts";
import { type FeedQuery, readFeed } from "../../clients/typescript/followChanges.ts";
import { type ListParameters, type ListPath, listRecords } from "../../clients/typescript/listRecords.ts";
import type { paths } from "../../clients/typescript/openApi.ts";
import { answerOf } from "./answerOf.ts";

/** A client that returns error responses, so that tests can expect them. */
export type ApiClient = Client<paths>;

/** Creates a client with the credential, the timeouts and the retries of the published one. */
export const apiClient = (options: TransportOptions): ApiClient =>
  createClient<paths>({ baseUrl: options.baseUrl, fetch: createTransport(options) });

/** Reads by a client of the tests, with the calls of the published one. */
const readerOf = (client: ApiClient): Pick<PublishedClient, "get"> => {
  const get = client.GET as (path: string, init?: object) => Promise<{ data?: unknown; response: Response }>;
  return { get: (async (path: string, init?: object) => answerOf(await get(path, init))) as PublishedClient["get"] };
};

/** Every record of a list; see `listRecords`. */
export const everyRecord = <Path extends ListPath>(client: ApiClient, path: Path, params: ListParameters<Path>) =>
  listRecords(readerOf(client), path, params);

const base = "/service-providers/{sp_id}/crbs/{crb_id}";
type EntriesPath = `${typeof base}/${"deposits" | "cash-counts" | "reconciliation-days" | "state-days" | "insights"}`;

/** Every record of a list with pages by cursor. */
export async function* everyEntry<Path extends EntriesPath>(
  client: ApiClient,
  at: Path,
  path: { sp_id: string; crb_id: string },
  query: FeedQuery = {},
): AsyncGenerator<paths[Path]["get"]["responses"][200]["content"]["application/json"]["data"][number], void> {
  for await (const { data } of readFeed(readerOf(client), at, path, query)) yield* data;
}

/** The paths that return a page of changes. */
type ChangesPath = Extract<keyof paths, `${string}/changes/{kind}`>;

/** The pages of changes after a cursor; see `readFeed`. */
export const everyChange = (
  client: ApiClient,
  at: ChangesPath,
  path: paths[ChangesPath]["get"]["parameters"]["path"],
  query: { cursor?: string | undefined; limit?: number } = {},
) => readFeed(readerOf(client), at, path, query);
