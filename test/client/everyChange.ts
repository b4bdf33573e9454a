import { answerOf } from "./answerOf.ts";
import type { ApiClient } from "./apiClient.ts";
import type { components, paths } from "./openApi.d.ts";

/** The paths that return a page of changes. */
type ChangesPath = Extract<keyof paths, `${string}/changes/{kind}`>;
type Changes = components["schemas"]["Changes"];

/**
 * The changes of a kind of records after a cursor, page by page until there are no more at present.
 * @param path the ids and the kind
 * @param query `cursor`: the cursor of the last stored page, none at first; `limit`: the size of the pages
 * @throws ApiError if a page fails
 */
export async function* everyChange(
  client: ApiClient,
  at: ChangesPath,
  path: paths[ChangesPath]["get"]["parameters"]["path"],
  query: { cursor?: string | undefined; limit?: number } = {},
): AsyncGenerator<Changes, void> {
  const get = client.GET as (path: string, init: object) => Promise<{ data?: Changes; response: Response }>;
  for (let { cursor } = query; ; ) {
    const page = answerOf(await get(at, { params: { path, query: { ...query, cursor } } }));
    yield page;
    cursor = page.cursor;
    if (!page.has_more) return;
  }
}
