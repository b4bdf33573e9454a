import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type { KindName } from "../../../../shared/api/kinds.ts";
import { listInventory } from "../../../../shared/api/operations/inventory.ts";
import { listProducts } from "../../../../shared/api/operations/products.ts";
import { listSales } from "../../../../shared/api/operations/sales.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { createExport } from "../../../../shared/domain/exports/createExport.ts";
import { type RunOptions, runExport } from "../../../../shared/domain/exports/runExport.ts";
import { readExport, type StoredExport } from "../../../../shared/domain/exports/storedExport.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { followChanges } from "../../../../shared/store/followChanges.ts";
import { indexingOptions } from "../../../../shared/store/indexingOptions.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { addDigests, digestRecord, emptyDigest, formatDigest } from "../../../../shared/store/recordDigest.ts";
import { givenServiceProvider } from "../../../functions/callHandler.ts";
import { recordId, setFence, TestClock } from "../../store/orderedList/listUnderTest.ts";

/** A stored record, with the fields that the tests read. */
export interface ExportedRecord {
  id: string;
  svc_updated_date: string;
}

const examples = { sale: listSales, product: listProducts, inventory: listInventory };

/** A business with a list of sales and one of products, and its exports. */
export async function givenExports(table: Table) {
  const provider = await givenServiceProvider(table);
  const { crbId, spId, clientId } = provider;
  const clock = new TestClock(new Date().toISOString());
  const fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
  await setFence(table, fence.key, 1);
  const stores = { table, bucket: serviceBucket() };

  /** Writes records by the examples of the description, in the order of the numbers. */
  const write = async (kind: keyof typeof examples, numbers: readonly number[], changes: object = {}) => {
    const writer = new RecordWriter(table, recordList(crbId, kind), { fence, clock, ...indexingOptions[kind] });
    const shown = examples[kind].success.example.data;
    const records = numbers.map((number) => {
      const id = recordId(number);
      return { id, content: { ...shown[number % shown.length], crb_id: crbId, id, ...changes } };
    });
    await writer.write(records as Parameters<typeof writer.write>[0]);
  };
  const create = (kinds: KindName[] = ["sales"], format: "ndjson" | "parquet" = "ndjson", key?: string) =>
    createExport(table, { spId, crbId, body: { kinds, format }, idempotencyKey: key, createdBy: { clientId } }, clock);
  const run = (exportId: string, options: Partial<RunOptions> = {}, with_ = stores) =>
    runExport(
      with_,
      { crb_id: crbId, export_id: exportId },
      { deadline: new Date(clock.time + 600_000), clock, ...options },
    );
  const read = async (exportId: string): Promise<StoredExport> =>
    (await readExport(table, crbId, exportId, clock.now())) ?? expect.fail("no export");
  return { ...provider, clock, stores, write, create, run, read };
}

/** The records in the files of a kind, in the files' order. */
export async function recordsIn({ parts }: StoredExport, kind: KindName = "sales"): Promise<ExportedRecord[]> {
  const files = await Promise.all(
    parts.filter((part) => part.kind === kind).map(({ storage_key }) => serviceBucket().readBytes(storage_key)),
  );
  return files.flatMap((file) => {
    const lines = gunzipSync(file).toString().trim().split("\n");
    return lines.map((line) => JSON.parse(line) as ExportedRecord);
  });
}

export function digestOfAll(records: Iterable<ExportedRecord>): string {
  let digest = emptyDigest;
  for (const record of records) digest = addDigests(digest, digestRecord(record.id, record));
  return formatDigest(digest);
}

/** Follows the changes of sales from a cursor to their end. */
export async function changesSince(table: Table, crbId: string, cursor: string): Promise<ExportedRecord[]> {
  const list = recordList(crbId, "sale");
  const records: ExportedRecord[] = [];
  for (let from = cursor, more = true; more; ) {
    const page = await followChanges(table, list, { cursor: from, limit: 1_000 });
    expect(page.isReset).toBe(false);
    records.push(...page.places.map(({ value }) => JSON.parse(value) as ExportedRecord));
    from = page.createCursorAfter(page.places.length);
    more = page.hasMore;
  }
  return records;
}
