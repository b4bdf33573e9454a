import type { ApiClient } from "./apiClient.ts";
import type { components, paths } from "./openApi.ts";

type Schemas = components["schemas"];

/** The records of each kind. */
export interface Kinds {
  customers: Schemas["Customer"];
  products: Schemas["Product"];
  inventory: Schemas["Inventory"];
  "inventory-locations": Schemas["Location"];
  sales: Schemas["Sale"];
}

/** The ids of a CRB: with `sp_id` for the credential of a service provider, without it for that of the CRB. */
export type CrbIds = { sp_id: string; crb_id: string } | { sp_id?: never; crb_id: string };

/** A page of changes, with the cursor to store in the same transaction. */
export interface ChangePage<Kind extends keyof Kinds> {
  /** Records in their current state. Store each over the one with the same `id`. */
  records: Kinds[Kind][];
  cursor: string;
  /** The service was restored from a backup: delete all records of this kind first. */
  reset: boolean;
}

/** Your copy of the records. The functions may be asynchronous. */
export interface ChangeStore {
  /** The stored cursor of a kind; undefined at first. */
  readCursor(kind: keyof Kinds): Promise<string | undefined> | string | undefined;
  /** Stores a page and its cursor in one transaction, so that a crash loses neither and repeats at most this page. */
  storePage<Kind extends keyof Kinds>(kind: Kind, page: ChangePage<Kind>): Promise<void> | void;
}

/** A page of a feed. */
interface FeedPage {
  data: unknown[];
  cursor: string;
  has_more: boolean;
}

/** Where a feed begins, and what it contains; only lists of days have the filters by day, and only insights have a status. */
export interface FeedQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  status?: string | undefined;
}

type FeedPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { "application/json": FeedPage } } } };
  }
    ? Path
    : never;
}[keyof paths];
type Feed<Path extends FeedPath> = paths[Path]["get"]["responses"][200]["content"]["application/json"];

/**
 * The pages of changes, events or another list with cursors, such as deposits, until there are no more at present. Only
 * `has_more` shows the end: a page may be empty before it. Only the cursors of changes and events lead to later records. Read
 * every other list again without a cursor: new records can come before the cursor.
 * @param query `cursor` of the last page of changes or events that you stored, none at first; `limit`, the maximum size of a
 *   page; days as a filter
 * @throws Error if the service repeats a cursor without end; ApiError or NoResponseError if a page fails
 */
export async function* readFeed<Path extends FeedPath>(
  client: Pick<ApiClient, "get">,
  feed: Path,
  path: paths[Path]["get"]["parameters"]["path"],
  query: FeedQuery = {},
): AsyncGenerator<Feed<Path>, void> {
  const get = client.get as (path: string, init: object) => Promise<Feed<Path>>;
  for (let { cursor } = query, repeated = 0; ; ) {
    const page = await get(feed, { params: { path, query: { ...query, cursor } } });
    if (!Array.isArray(page.data) || !page.cursor) throw new Error(`${feed}: the response is not a page of a feed`);
    yield page;
    if (!page.has_more) return;
    repeated = page.cursor === cursor ? repeated + 1 : 0;
    if (repeated >= maxRepeatedCursors) throw new Error(`${feed}: the cursor has not advanced for ${repeated} pages`);
    cursor = page.cursor;
  }
}

const maxRepeatedCursors = 60;

/**
 * Brings a copy of one kind of records up to date, one transaction for each page.
 * @returns the number of records that were stored
 */
export async function followChanges(
  client: Pick<ApiClient, "get">,
  crb: CrbIds,
  kind: keyof Kinds,
  store: ChangeStore,
  { limit }: { limit?: number } = {},
): Promise<number> {
  const query = { cursor: await store.readCursor(kind), ...(limit !== undefined && { limit }) };
  const pages =
    crb.sp_id === undefined
      ? readFeed(client, "/crbs/{crb_id}/changes/{kind}", { ...crb, kind }, query)
      : readFeed(client, "/service-providers/{sp_id}/crbs/{crb_id}/changes/{kind}", { ...crb, kind }, query);
  let count = 0;
  for await (const { data, cursor, reset = false } of pages) {
    await store.storePage(kind, { records: data as Kinds[typeof kind][], cursor, reset });
    count += data.length;
  }
  return count;
}
