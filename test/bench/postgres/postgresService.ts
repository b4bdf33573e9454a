import fastify, { type FastifyInstance } from "fastify";
import type pg from "pg";
import type { Business } from "../data/business.ts";

// The service that many engineers would build instead: Fastify and PostgreSQL, rows as JSON, an index by change and id. It is as
// good as this design allows: prepared statements, one statement for each page, and texts that no one parses. A page skips
// its offset in the index alone. It has no log and no middleware.

/** A record as the table stores it. */
export interface Row {
  id: string;
  /** Time of the record's latest change, with microseconds, as PostgreSQL reads it. */
  changed: string;
  /** The record as JSON. */
  body: string;
  /** Values that callers can search, as `field:value`. */
  terms: string[];
}

export async function createTables(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE credentials (secret text PRIMARY KEY, sp_id uuid NOT NULL);
    CREATE TABLE associations (sp_id uuid, crb_id uuid, PRIMARY KEY (sp_id, crb_id));
    CREATE TABLE customers (
      crb_id uuid, id uuid, changed timestamptz NOT NULL, body json NOT NULL, terms text[] NOT NULL,
      PRIMARY KEY (crb_id, id)
    );
  `);
}

/** Creates the indexes and collects statistics, after the table is loaded, as PostgreSQL's documentation recommends. */
export async function indexTables(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE INDEX customers_by_change ON customers (crb_id, changed DESC, id DESC);
    CREATE INDEX customers_by_term ON customers USING gin (terms);
  `);
  await pool.query("VACUUM (ANALYZE) customers");
}

/** Gives the service provider of a business access to it. */
export async function storeAccess(pool: pg.Pool, { spId, crbId, secret }: Business): Promise<void> {
  await pool.query("INSERT INTO credentials VALUES ($1, $2)", [secret, spId]);
  await pool.query("INSERT INTO associations VALUES ($1, $2)", [spId, crbId]);
}

/** Stores rows in one transaction. A row whose record has not changed stays as it is. @returns the number of written rows */
export async function upsert(client: pg.Pool | pg.PoolClient, crbId: string, rows: readonly Row[]): Promise<number> {
  const { rowCount } = await client.query({
    name: "upsert",
    text: `
      INSERT INTO customers (crb_id, id, changed, body, terms)
      SELECT $1, id, changed, body, ARRAY(SELECT json_array_elements_text(terms))
      FROM unnest($2::uuid[], $3::timestamptz[], $4::json[], $5::json[]) AS new (id, changed, body, terms)
      ON CONFLICT (crb_id, id) DO UPDATE SET changed = excluded.changed, body = excluded.body, terms = excluded.terms
      WHERE customers.body::text <> excluded.body::text`,
    values: [
      crbId,
      rows.map(({ id }) => id),
      rows.map(({ changed }) => changed),
      rows.map(({ body }) => body),
      rows.map(({ terms }) => JSON.stringify(terms)),
    ],
  });
  return rowCount ?? 0;
}

/** A row of a page, or a single row without record if the page is empty. */
interface PageRow {
  total: string;
  body: string | null;
}

/** The statement of a page. The total and the page come from the same snapshot. */
const pageStatement = (filter: string) => `
  WITH page AS (
    SELECT id, changed FROM customers WHERE crb_id = $1 ${filter}
    ORDER BY changed DESC, id DESC LIMIT $2 OFFSET $3
  ), counted AS (SELECT count(*) AS total FROM customers WHERE crb_id = $1 ${filter})
  SELECT total, body::text FROM counted
  LEFT JOIN page ON true
  LEFT JOIN customers ON customers.crb_id = $1 AND customers.id = page.id
  ORDER BY page.changed DESC, page.id DESC`;

const statements = {
  all: { name: "page", text: pageStatement("") },
  from: { name: "page-from", text: pageStatement("AND changed >= $4") },
};

interface ListRequest {
  Params: { sp_id: string; crb_id: string };
  Querystring: { limit: number; offset: number; last_updated_from?: string };
}

/** The API: one list, by the path and the parameters of this service's `listCustomers`. */
export function createApi(pool: pg.Pool): FastifyInstance {
  const api = fastify();
  api.get<ListRequest>("/service-providers/:sp_id/crbs/:crb_id/customers", {
    schema: {
      querystring: {
        type: "object",
        properties: {
          limit: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
          offset: { type: "integer", minimum: 0, default: 0 },
          last_updated_from: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
        },
        additionalProperties: false,
      },
    },
    handler: async ({ params, query, headers }, reply) => {
      const { sp_id, crb_id } = params;
      const access = await pool.query({
        name: "access",
        text: "SELECT 1 FROM credentials JOIN associations USING (sp_id) WHERE secret = $1 AND sp_id = $2 AND crb_id = $3",
        values: [headers.authorization, sp_id, crb_id],
      });
      if (access.rowCount === 0) return reply.code(401).send({});
      const { limit, offset, last_updated_from: from } = query;
      const values = [crb_id, limit, offset];
      const { rows } = await pool.query<PageRow>(
        from ? { ...statements.from, values: [...values, from] } : { ...statements.all, values },
      );
      const records = rows.flatMap(({ body }) => (body === null ? [] : [body]));
      const metadata = { total: Number(rows[0]?.total), count: `${offset + 1} - ${offset + records.length}` };
      reply.header("Content-Type", "application/json; charset=utf-8");
      return `{"metadata":${JSON.stringify(metadata)},"data":[${records.join()}]}`;
    },
  });
  return api;
}

/** A place in the changes, after which a follower continues. */
export interface Cursor {
  changed: string;
  id: string;
}

/** Reads the next changes of a list in the order of their times, as a follower with a cursor does. */
export async function followRows(pool: pg.Pool, crbId: string, after: Cursor, limit: number): Promise<Cursor[]> {
  const { rows } = await pool.query<Cursor>({
    name: "follow",
    text: `
      SELECT id, changed::text FROM customers WHERE crb_id = $1 AND (changed, id) > ($2::timestamptz, $3::uuid)
      ORDER BY changed, id LIMIT $4`,
    values: [crbId, after.changed, after.id, limit],
  });
  return rows;
}
