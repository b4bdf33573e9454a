import type { ApiClient } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import type { paths } from "./openApi.ts";

type Read<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type Page<Path extends keyof paths> =
  Read<Path> extends { responses: { 200: { content: { "application/json": infer Data } } } } ? Data : never;
type Parameters<Path extends keyof paths> = Read<Path> extends { parameters: infer Given } ? Given : never;
type Query<Path extends keyof paths> = Parameters<Path> extends { query?: infer Given } ? NonNullable<Given> : never;

/** The paths of lists with pages. */
export type ListPath = {
  [Path in keyof paths]: "offset" extends keyof Query<Path> ? Path : never;
}[keyof paths];

/** The records of the list at a path. */
export type RecordOf<Path extends ListPath> = Page<Path> extends { data: (infer Item)[] } ? Item : never;

const defaultLimit = 500;

/**
 * The records of a list, page by page. A record that does not change meanwhile is never skipped. A record may come twice if
 * others change, so store records by their `id`. If a page would be too large, smaller ones are requested.
 * @param params `path`, and `query` with filters; `limit` is the size of the pages, `offset` the first record
 * @throws ApiError or NoResponseError if a page fails
 */
export async function* listRecords<Path extends ListPath>(
  client: Pick<ApiClient, "get">,
  path: Path,
  params: Pick<Parameters<Path>, Extract<"path" | "query", keyof Parameters<Path>>>,
): AsyncGenerator<RecordOf<Path>, void> {
  const { query = {} } = params as { query?: { limit?: number; offset?: number } };
  const get = client.get as (path: Path, init: object) => Promise<{ metadata?: { total: number }; data?: unknown[] }>;
  let { limit = defaultLimit, offset = 0 } = query;
  for (let total = offset + 1; offset < total; ) {
    try {
      const page = await get(path, { params: { ...params, query: { ...query, limit, offset } } });
      if (!Array.isArray(page.data) || !page.metadata) throw new Error(`${path}: the response is not a page of a list`);
      yield* page.data as RecordOf<Path>[];
      // A page can lack a record that is changing at that moment. So the length of a page does not show the end.
      offset += limit;
      total = page.metadata.total;
    } catch (error) {
      const isTooLarge = error instanceof ApiError && error.fields["query.limit"] && limit > 1 && limit <= 1_000;
      if (!isTooLarge) throw error;
      limit = Math.floor(limit / 2);
    }
  }
}
