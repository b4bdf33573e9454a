import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { exportPrefix } from "../../../../shared/domain/documents/objectPrefixes.ts";
import { sweepRemovals } from "../../../../shared/domain/documents/removals.ts";
import { endExport } from "../../../../shared/domain/exports/endExport.ts";
import { failedExportsMetric } from "../../../../shared/domain/exports/failedExports.ts";
import { rebuildLists } from "../../../../shared/domain/replication/rebuildLists.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { crashingBucket } from "../../../crashingBucket.ts";
import { dyingStores } from "../../../dyingStores.ts";
import { racedTable } from "../../../racedTable.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { watchCounted } from "../../../watchCounted.ts";
import { crashStep, killAfter } from "../../store/crashInjection.ts";
import { interceptCalls, recordId, storedRecords } from "../../store/orderedList/listUnderTest.ts";
import { changesSince, digestOfAll, givenExports, recordsIn } from "./givenExports.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
useQueues();

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id);
const limits = { maxRecords: 7, pageSize: 3 };

test("the files hold each record once, and the manifest has their number and digest", async () => {
  const { write, create, run, read, crbId } = await givenExports(table());
  await write("sale", numbers(20));
  await write("product", numbers(4));
  const { id } = await create(["sales", "products", "customers"]);
  expect(await run(id, { limits })).toEqual({ outcome: "ready", records: 24 });

  const stored = await read(id);
  expect(stored.parts.map(({ kind, part, records }) => [kind, part, records])).toEqual([
    ["customers", 1, 0],
    ["products", 1, 4],
    ["sales", 1, 7],
    ["sales", 2, 7],
    ["sales", 3, 6],
  ]);
  const sales = await recordsIn(stored);
  expect(idsOf(sales)).toEqual(numbers(20).map(recordId));
  const inTable = await storedRecords(table(), recordList(crbId, "sale"));
  expect(sales).toEqual(inTable.map(({ record }) => record).reverse());
  expect(stored.progress.map(({ kind, records, digest }) => [kind, records, digest])).toEqual([
    ["customers", 0, digestOfAll([])],
    ["products", 4, digestOfAll(await recordsIn(stored, "products"))],
    ["sales", 20, digestOfAll(sales)],
  ]);
  expect(await changesSince(table(), crbId, stored.progress[2]?.end_cursor ?? "")).toEqual([]);
});

test.each(["ndjson", "parquet"] as const)("a kind without records has one %s file", async (format) => {
  const { write, create, run, read, crbId, stores } = await givenExports(table());
  const { id } = await create(["sales", "products"], format);
  const changing = testTableOf(table());
  // The first sale comes after the export has begun. It comes after the cursor, and is in no file.
  let isWritten = false;
  interceptCalls(changing).before = async () => {
    if (isWritten || (await read(id)).progress.length === 0) return;
    isWritten = true;
    await write("sale", [1]);
  };
  expect(await run(id, { limits }, { ...stores, table: changing })).toEqual({ outcome: "ready", records: 0 });
  const { parts, progress } = await read(id);
  expect(parts.map(({ kind, part, records }) => [kind, part, records])).toEqual([
    ["products", 1, 0],
    ["sales", 1, 0],
  ]);
  expect(progress.map(({ records, digest }) => [records, digest])).toEqual(Array(2).fill([0, digestOfAll([])]));
  for (const { bytes, sha256, storage_key, kind } of parts) {
    const content = await serviceBucket().readBytes(storage_key);
    expect([content.length, createHash("sha256").update(content).digest("hex")]).toEqual([bytes, sha256]);
    if (format === "ndjson") expect(gunzipSync(content)).toHaveLength(0);
    else expect(content.toString("latin1")).toContain(kind === "sales" ? "line_items" : "svc_product_category_name");
  }
  const after = await changesSince(table(), crbId, progress[1]?.end_cursor ?? "");
  expect(after.map((record) => record.id)).toEqual([recordId(1)]);
});

test("records that change while the export runs are in no file twice, and come after the cursor", async () => {
  const { write, create, run, read, crbId, stores } = await givenExports(table());
  await write("sale", numbers(30));
  const { id } = await create();
  const changing = testTableOf(table());
  let pages = 0;
  const calls = interceptCalls(changing);
  // Between two pages: a record that is in a file already, one that is not read yet, and a new one.
  calls.before = async (command, input) => {
    const isPage = command === "QueryCommand" && (input as { IndexName?: string }).IndexName === "byRank";
    if (isPage && ++pages <= 8) await write("sale", [pages, 30 - pages, 100 + pages], { memo: pages });
  };
  expect(await run(id, { limits }, { ...stores, table: changing })).toMatchObject({ outcome: "ready" });
  expect(pages).toBeGreaterThan(8);

  const stored = await read(id);
  const exported = await recordsIn(stored);
  expect(new Set(idsOf(exported)).size).toBe(exported.length);
  expect(exported.length).toBeLessThan(30);
  const [sales] = stored.progress;
  expect([sales?.records, sales?.digest]).toEqual([exported.length, digestOfAll(exported)]);
  const copy = new Map(exported.map((record) => [record.id, record]));
  for (const record of await changesSince(table(), crbId, sales?.end_cursor ?? "")) copy.set(record.id, record);
  const inTable = (await storedRecords(table(), recordList(crbId, "sale"))).map(({ record }) => record);
  expect(copy.size).toBe(38);
  expect(digestOfAll(copy.values())).toBe(digestOfAll(inTable));
});

test("a run whose time is over hands the export over after a part", async () => {
  const { write, create, run, read, clock } = await givenExports(table());
  await write("sale", numbers(20));
  const { id } = await create();
  const outcomes: string[] = [];
  for (let i = 0; outcomes.at(-1) !== "ready" && i < 20; i++) {
    // The clock passes the deadline with the second page of each run.
    const late = testTableOf(table());
    const calls = interceptCalls(late);
    let pages = 0;
    const deadline = new Date(clock.time + 1_000);
    calls.after = (command) => {
      if (command === "QueryCommand" && ++pages === 6) clock.advance(1_000);
    };
    outcomes.push((await run(id, { limits, deadline }, { table: late, bucket: serviceBucket() })).outcome);
  }
  expect(outcomes.length).toBeGreaterThan(1);
  expect(outcomes.slice(0, -1)).toEqual(outcomes.slice(0, -1).map(() => "continues"));
  const stored = await read(id);
  expect(idsOf(await recordsIn(stored))).toEqual(numbers(20).map(recordId));
});

describe("a worker that is killed", () => {
  test("at any call loses no record and doubles none, and its files are removed", async () => {
    const { write, create, run, read, clock, crbId, stores } = await givenExports(table());
    await write("sale", numbers(10));
    let completed = false;
    for (let at = 1; !completed; at += crashStep) {
      const { id } = await create();
      const options = { limits: { maxRecords: 4, pageSize: 3 } };
      completed = await run(id, options, dyingStores(table(), at)).then(
        ({ outcome }) => outcome === "ready",
        () => false,
      );
      // The lease of the killed worker ends.
      clock.advance(2 * 3_600_000);
      expect(["ready", "skipped"]).toContain((await run(id, options)).outcome);

      const stored = await read(id);
      expect(stored.status).toBe("ready");
      expect(idsOf(await recordsIn(stored))).toEqual(numbers(10).map(recordId));
      expect(stored.progress[0]).toMatchObject({ records: 10, digest: digestOfAll(await recordsIn(stored)) });
      await sweepRemovals(table(), serviceBucket(), new Date(clock.time + 48 * 3_600_000));
      const objects = await serviceBucket().list(`${exportPrefix(crbId)}${id}/`);
      expect(objects.map(({ key }) => key).sort()).toEqual(stored.parts.map(({ storage_key }) => storage_key).sort());
      await endExport(stores, crbId, id, { status: "deleted", reason: "requested" }, clock);
      expect(await serviceBucket().list(`${exportPrefix(crbId)}${id}/`)).toEqual([]);
    }
  });

  test("keeps other workers away until its lease ends", async () => {
    const { write, create, run, stores } = await givenExports(table());
    await write("sale", numbers(3));
    const { id } = await create();
    let second: unknown;
    const slow = racedTable(table(), async () => (second = await run(id)), "QueryCommand");
    expect(await run(id, { limits }, { ...stores, table: slow })).toMatchObject({ outcome: "ready" });
    expect(second).toEqual({ outcome: "skipped", records: 0 });
  });

  test("stores nothing more once another worker has continued the export", async () => {
    const { write, create, run, read, stores, clock, crbId } = await givenExports(table());
    await write("sale", numbers(5));
    const { id } = await create();
    const overtake = async () => {
      clock.advance(3_600_000);
      expect(await run(id)).toMatchObject({ outcome: "ready" });
    };
    const slow = racedTable(table(), overtake, "PutItemCommand");
    expect(await run(id, {}, { ...stores, table: slow })).toEqual({ outcome: "skipped", records: 0 });
    const stored = await read(id);
    expect(idsOf(await recordsIn(stored))).toEqual(numbers(5).map(recordId));
    expect(await serviceBucket().list(`${exportPrefix(crbId)}${id}/`)).toHaveLength(1);
  });
});

test("an export fails after five attempts in succession, and its files are removed", async () => {
  const counted = watchCounted(failedExportsMetric);
  const { write, create, run, read, stores, clock, crbId } = await givenExports(table());
  await write("sale", numbers(10));
  const { id } = await create();
  const bucket = crashingBucket(killAfter(1));
  for (let attempt = 1; attempt <= 4; attempt++) {
    expect(await run(id, { limits }, { ...stores, bucket })).toMatchObject({ outcome: "retries" });
    expect(await run(id, { limits })).toMatchObject({ outcome: "skipped" });
    clock.advance(attempt * 60_000);
  }
  expect(counted()).toEqual([]);
  let uploads = 0;
  const fail = () => {
    if (uploads++ === 0) throw new Error("the bucket is broken");
  };
  const broken = { ...stores, bucket: crashingBucket(fail) };
  expect(await run(id, { limits }, broken)).toMatchObject({ outcome: "failed" });
  expect(await read(id)).toMatchObject({ status: "failed", error: "unexpected", parts: [] });
  expect(await serviceBucket().list(`${exportPrefix(crbId)}${id}/`)).toEqual([]);
  expect(counted()).toMatchObject([[expect.any(String), { export_id: id, error: "unexpected" }]]);
});

test("an export whose list is rebuilt meanwhile fails, because its cursors are not valid any more", async () => {
  const counted = watchCounted(failedExportsMetric);
  const { write, create, run, read, clock, stores, crbId } = await givenExports(table());
  await write("sale", numbers(10));
  const { id } = await create();
  const rebuild = () => Array.fromAsync(rebuildLists(table(), crbId, { kinds: ["sale"], clock }));
  const rebuilding = racedTable(table(), rebuild, "PutItemCommand");
  expect(await run(id, { limits }, { ...stores, table: rebuilding })).toMatchObject({ outcome: "failed" });
  expect(await read(id)).toMatchObject({ status: "failed", error: "list_rebuilt", parts: [] });
  expect(counted()).toEqual([]);
});
