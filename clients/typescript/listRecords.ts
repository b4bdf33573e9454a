import type { ApiClient, CrbClient, CrbPaths } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import type { paths } from "./openApi.ts";

type Read<Paths, Path extends keyof Paths> = Paths[Path] extends { get: infer Operation } ? Operation : never;
type Page<Paths, Path extends keyof Paths> =
  Read<Paths, Path> extends { responses: { 200: { content: { "application/json": infer Data } } } } ? Data : never;
type Parameters<Paths, Path extends keyof Paths> =
  Read<Paths, Path> extends { parameters: infer Given } ? Given : never;
type Query<Paths, Path extends keyof Paths> =
  Parameters<Paths, Path> extends { query?: infer Given } ? NonNullable<Given> : never;

/** The paths of lists with pages. */
export type ListPath<Paths = paths> = {
  [Path in keyof Paths]: "offset" extends keyof Query<Paths, Path> ? Path : never;
}[keyof Paths];

/** The records of the list at a path. */
export type RecordOf<Path extends ListPath<Paths>, Paths = paths> =
  Page<Paths, Path> extends { data: (infer Item)[] } ? Item : never;

/** The parameters of the list at a path. */
export type ListParameters<Path extends keyof Paths, Paths = paths> = Pick<
  Parameters<Paths, Path>,
  Extract<"path" | "query", keyof Parameters<Paths, Path>>
>;

/**
 * The records of a list, page by page. A record that does not change meanwhile is never skipped, also if others leave the
 * list. A record may come twice if others change, so store records by their `id`. If a page would be too large, smaller ones
 * are requested.
 * @param params `path`, and `query` with filters; `limit` is the size of the pages, `offset` the first record
 * @throws ApiError or NoResponseError if a page fails
 */
export function listRecords<Path extends ListPath>(
  client: Pick<ApiClient, "get">,
  path: Path,
  params: ListParameters<Path>,
): AsyncGenerator<RecordOf<Path>, void>;
export function listRecords<Path extends ListPath<CrbPaths>>(
  crb: Pick<CrbClient, "get">,
  path: Path,
  params?: ListParameters<Path, CrbPaths>,
): AsyncGenerator<RecordOf<Path, CrbPaths>, void>;
export async function* listRecords(
  client: { get: unknown },
  path: string,
  params: { query?: { limit?: number; offset?: number } } = {},
): AsyncGenerator<unknown, void> {
  const get = client.get as (path: string, init: object) => Promise<{ metadata?: { total: number }; data?: unknown[] }>;
  let { limit = 500, offset = 0 } = params.query ?? {};
  // `read`: the number of records from the beginning that are read; NaN: the total is not known yet.
  for (let [read, total] = [offset, Number.NaN]; !(read >= total); ) {
    try {
      const page = await get(path, { params: { ...params, query: { ...params.query, limit, offset } } });
      if (!Array.isArray(page.data) || !page.metadata) throw new Error(`${path}: the response is not a page of a list`);
      yield* page.data;
      // Records that left the list moved the following ones to lower offsets. So pages go back, or overlap, by as many.
      const left = Math.max(0, total - page.metadata.total) || 0;
      total = page.metadata.total;
      // A page can lack a record that is changing at that moment. So the length of a page does not show the end.
      read = Math.max(read - left, offset <= Math.max(0, read - left) ? offset + limit : 0);
      offset = Math.max(0, read - left);
    } catch (error) {
      const isTooLarge = error instanceof ApiError && error.fields["query.limit"] && limit > 1 && limit <= 1_000;
      if (!isTooLarge) throw error;
      limit = Math.floor(limit / 2);
    }
  }
}
