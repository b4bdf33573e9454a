import { answerOf } from "./answerOf.ts";
import type { ApiClient } from "./apiClient.ts";
import type { components, paths } from "./openApi.d.ts";

/** The paths whose answer is a page of changes. */
type ChangesPath = Extract<keyof paths, `${string}/changes/{kind}`>;
type Changes = components["schemas"]["Changes"];

/**
 * The changes of a kind of records since a cursor, page by page, until there is no more for now.
 *
 * @param path the ids and the kind
 * @param query `cursor`: that of the last page that was stored, none at first; `limit`: size of the pages
 * @throws ApiError when a page is refused
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
