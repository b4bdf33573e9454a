import { expect, test } from "vitest";
import { findSale, readDocuments, readInsights } from "../../../../../shared/web/console/app/lists.ts";
import type { Client } from "../../../../../shared/web/console/app/operations.ts";

/** The parameters of a request for a page. */
type Query = Record<string, string | number>;

/** A client whose responses follow from the query. It keeps the queries. */
function clientOf(respond: (query: Query) => object): { client: Client; queries: Query[] } {
  const queries: Query[] = [];
  const client = async (_: string, { query }: { query: Query }) => {
    queries.push(query);
    return respond(query);
  };
  return { client: client as unknown as Client, queries };
}

/** Pages by offset, of a list that counts more records than it shows. */
const pageOf =
  (records: readonly object[], unread = 0) =>
  ({ offset = 0, limit = 0 }: Query) => ({
    metadata: { total: records.length + unread },
    data: records.slice(Number(offset), Number(offset) + Number(limit)),
  });

const documentsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ document: { id: `${i}` } }));

test("all documents are read, the oldest first", async () => {
  const { client, queries } = clientOf(pageOf(documentsOf(2_001)));
  const { documents, total } = await readDocuments(client);
  expect([documents.length, total, queries.length]).toEqual([2_001, 2_001, 3]);
  expect([documents[0]?.document.id, documents.at(-1)?.document.id]).toEqual(["2000", "0"]);
});

test("a document that moves to the next page is read once, and the total shows documents that were not read", async () => {
  const before = documentsOf(1_001);
  const added = { document: { id: "new" } };
  const { client, queries } = clientOf((query) => pageOf(queries.length === 1 ? before : [added, ...before])(query));
  const { documents, total } = await readDocuments(client);
  expect([documents.length, total]).toEqual([1_001, 1_002]);
  const damaged = await readDocuments(clientOf(pageOf([], 3)).client);
  expect(damaged).toEqual({ documents: [], total: 3 });
});

test("insights are read page by page, until enough are there", async () => {
  const { client, queries } = clientOf(({ cursor = 0 }) => ({
    data: Array.from({ length: 200 }, (_, i) => ({ id: `${Number(cursor) + i}` })),
    cursor: Number(cursor) + 200,
    has_more: Number(cursor) < 1_000,
  }));
  const filters = { crb_id: "a", status: "open" } as const;
  expect(await readInsights(client, filters, ({ length }) => length >= 400)).toMatchObject({ has_more: true });
  expect(queries.splice(0)).toEqual([
    { ...filters, limit: 200 },
    { ...filters, limit: 200, cursor: 200 },
  ]);
  const all = await readInsights(client, {}, (read) => read.some(({ id }) => id === "1100"));
  expect([all.data.at(-1)?.id, all.has_more]).toEqual(["1199", false]);
});

test("a sale of a busy day is found: first among those that break a rule, then among all", async () => {
  const sales = Array.from({ length: 1_201 }, (_, i) => ({ id: `${i}` }));
  const { client, queries } = clientOf((query) => pageOf(query.compliance_status ? sales.slice(-1) : sales)(query));
  const find = (id: string) => findSale(client, { crb_id: "a" }, { id, date: "2026-11-20" });
  expect(await find("1200")).toEqual({ sale: { id: "1200" } });
  const day = { start_date: "2026-11-20", end_date: "2026-11-20", limit: 200 };
  expect(queries.splice(0)).toEqual([{ ...day, offset: 0, compliance_status: "red_flag" }]);
  expect(await find("1100")).toEqual({ sale: { id: "1100" } });
  expect(queries.splice(0).at(-1)).toEqual({ ...day, offset: 1_000 });
  expect(await find("elsewhere")).toEqual({});
  expect(queries).toHaveLength(8);
});
