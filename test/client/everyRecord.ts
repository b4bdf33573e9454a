import { answerOf } from "./answerOf.ts";
import type { ApiClient } from "./apiClient.ts";
import type { paths } from "./openApi.d.ts";

type ReadOf<Path extends keyof paths> = paths[Path] extends { get: infer Read } ? Read : never;
type PageOf<Path extends keyof paths> =
  ReadOf<Path> extends { responses: { 200: { content: { "application/json": infer Page } } } } ? Page : never;
type ParametersOf<Path extends keyof paths> =
  ReadOf<Path> extends { parameters: infer Parameters } ? Parameters : never;

/** The paths that return a list. */
export type ListPath = {
  [Path in keyof paths]: PageOf<Path> extends { metadata: unknown; data: unknown[] } ? Path : never;
}[keyof paths];

/** The records of the list at a path. */
export type RecordOf<Path extends ListPath> = PageOf<Path> extends { data: (infer Record)[] } ? Record : never;

type ListParameters<Path extends ListPath> = Pick<
  ParametersOf<Path>,
  Extract<"path" | "query", keyof ParametersOf<Path>>
>;

/**
 * Every record of a list. Pages are read when they are needed. A record that does not change meanwhile is never skipped; a
 * record may come twice if others change.
 * @param params as with `client.GET`; `limit` is the size of the pages, `offset` the first record
 * @throws ApiError if a page fails
 */
export async function* everyRecord<Path extends ListPath>(
  client: ApiClient,
  path: Path,
  params: ListParameters<Path>,
): AsyncGenerator<RecordOf<Path>, void> {
  const { query = {} } = params as { query?: { offset?: number } };
  const get = client.GET as (path: Path, init: object) => Promise<Result<Path>>;
  for (let offset = query.offset ?? 0; ; ) {
    const { metadata, data } = answerOf(await get(path, { params: { ...params, query: { ...query, offset } } }));
    yield* data;
    offset += data.length;
    if (data.length === 0 || offset >= metadata.total) return;
  }
}

interface Result<Path extends ListPath> {
  data?: { metadata: { total: number }; data: RecordOf<Path>[] };
  error?: unknown;
  response: Response;
}
