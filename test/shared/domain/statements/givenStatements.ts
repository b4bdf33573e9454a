import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { accessFiles } from "../../../../shared/domain/accessLog/accessFiles.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import type { Intervals } from "../../../../shared/domain/replication/replicationIntervals.ts";
import { createStatement } from "../../../../shared/domain/statements/createStatement.ts";
import { runStatement, type StatementStores } from "../../../../shared/domain/statements/runStatement.ts";
import type { StatementContent } from "../../../../shared/domain/statements/statementContent.ts";
import { readStatement, type StoredStatement } from "../../../../shared/domain/statements/storedStatement.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { InsightShop, lastDay } from "../insights/insightShop.ts";

export const intervals = { customer: 60, product: 60, location: 60, inventory: 60, sale: 60 } as Intervals;

export const period = { start_date: "2026-04-01", end_date: lastDay };

/** Statements of a shop. */
export async function givenStatements(table: Table, opened?: InsightShop) {
  const shop = opened ?? (await new InsightShop(table).open());
  const { crbId, spId, clock } = shop;
  const directory = mkdtempSync(join(tmpdir(), "statements-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const stores: StatementStores = { table, bucket: serviceBucket(), accessLog: accessFiles(directory) };
  const create = (body: Partial<Parameters<typeof createStatement>[1]["body"]> = {}, idempotencyKey?: string) =>
    createStatement(
      table,
      { spId, crbId, body: { ...period, format: "json", ...body }, idempotencyKey, by: { clientId: null } },
      clock,
    );
  const run = (id: string, with_ = stores) =>
    runStatement(
      with_,
      { crb_id: crbId, statement_id: id },
      { deadline: new Date(clock.time + 600_000), clock, intervals },
    );
  const read = async (id: string): Promise<StoredStatement> =>
    (await readStatement(table, crbId, id, clock.now())) ?? expect.fail("no statement");
  /** Creates a statement, makes it, and returns its content. */
  const make = async (body: Parameters<typeof create>[0] = {}) => {
    const { id } = await create(body);
    expect(await run(id)).toBe("ready");
    const stored = await read(id);
    return { id, stored, content: await contentOf(stored) };
  };
  return { shop, crbId, spId, clock, stores, directory, create, run, read, make };
}

export const textOf = async ({ files }: StoredStatement, name = "statement.json"): Promise<string> => {
  const file = files.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
  return (await serviceBucket().readBytes(file.storage_key)).toString();
};

export const contentOf = async (stored: StoredStatement): Promise<StatementContent> =>
  JSON.parse(await textOf(stored)) as StatementContent;
