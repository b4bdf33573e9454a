import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { purgeCrb } from "../../../../shared/domain/crbs/purge/purgeCrb.ts";
import { setCashCount } from "../../../../shared/domain/deposits/cashCounts.ts";
import { storeDeposits } from "../../../../shared/domain/deposits/storeDeposits.ts";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { failedExportsMetric } from "../../../../shared/domain/exports/failedExports.ts";
import { collectStatement } from "../../../../shared/domain/statements/collectStatement.ts";
import { readAccesses } from "../../../../shared/domain/statements/readAccesses.ts";
import { readStatement, type StoredStatement } from "../../../../shared/domain/statements/storedStatement.ts";
import { sweepStatements } from "../../../../shared/domain/statements/sweepStatements.ts";
import { readCrb } from "../../../../shared/store/crbs.ts";
import { sequenceEvents } from "../../../../shared/store/eventLog/sequenceEvents.ts";
import { shardOf } from "../../../../shared/store/eventLog/shards.ts";
import { eventsPartition } from "../../../../shared/store/keys/events.ts";
import { statementsDuePartition, storedStatementsKey } from "../../../../shared/store/keys/statements.ts";
import { crashingBucket } from "../../../crashingBucket.ts";
import { storedEvents } from "../../../storedEvents.ts";
import { testTableOf } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { watchCounted } from "../../../watchCounted.ts";
import { crashStep, killAfter } from "../../store/crashInjection.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { busyDay, InsightShop, lastDay, saleOf, useShop } from "../insights/insightShop.ts";
import { contentOf, givenStatements, intervals, period } from "./givenStatements.ts";

const table = useTestTable();
useTestBucket();
const sent = useQueues();

/** The shop with its usual sales, a busy last day, deposits, and an insight. */
const openShop = useShop(table, async (shop) => {
  shop.pos.put("sale", ...InsightShop.usualSales(), ...busyDay(lastDay));
  await shop.run();
  await setCashCount(table(), shop, { date: "2026-03-31", amount: 50_000 }, shop.clock);
  const deposits = [
    { id: "1", posted_date: "2026-04-07", amount: 48_000, type: "cash" },
    { id: "2", posted_date: "2026-04-14", amount: 52_000, type: "cash" },
    { id: "3", posted_date: "2026-04-14", amount: 900_000, type: "wire", excluded_reason: "loan" },
  ] as const;
  await storeDeposits(table(), shop, deposits, shop.clock);
});

async function given() {
  const all = await givenStatements(table(), await openShop());
  const { crbId, spId, clock } = all;
  const events = async () => {
    // A worker that was killed may have left an event without a place in the log.
    await sequenceEvents(table(), eventsPartition(spId, shardOf(crbId)), clock);
    return (await storedEvents(table(), { spId, crbId }))
      .filter(({ type }) => type.startsWith("statement."))
      .map(({ type, data }) => ({ type, ...(data as { statement_id: string }) }));
  };
  return { ...all, events };
}

test("a statement is made once, with its digest in the locked store and one event", async () => {
  const { create, run, read, events, directory, clock } = await given();
  const { id } = await create();
  expect(await run(id)).toBe("ready");
  expect(await run(id)).toBe("skipped");
  const stored = await read(id);
  const [file] = stored.files;
  const bytes = await serviceBucket().readBytes(file?.storage_key ?? "");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(stored).toMatchObject({ status: "ready", sha256, as_of: clock.now().toISOString() });
  expect(file).toMatchObject({ name: "statement.json", bytes: bytes.length, sha256 });
  expect(await events()).toEqual([{ type: "statement.ready", statement_id: id, sha256 }]);
  expect(JSON.parse(readFileSync(join(directory, "statement-digests.jsonl"), "utf8"))).toEqual({
    id,
    sha256,
    date: stored.as_of,
  });
  expect(await table().queryPartition(statementsDuePartition)).toEqual([]);
});

test("the content has each day with its digest, the totals with shares, deposits, the balance and the insight", async () => {
  const { make } = await given();
  const { content } = await make();
  expect(content.days).toHaveLength(36);
  expect(content.days.at(-1)).toMatchObject({ date: lastDay, records: 12, complete: true });
  expect([content.incomplete_days, content.days_without_records]).toEqual([[], []]);
  expect(content.totals).toMatchObject({ records: 152, sales: 152 });
  expect(content.totals.by_payment).toEqual([
    { type: "cash", count: 152, amount: content.totals.total_paid, share: 100 },
  ]);
  expect(content.deposits.by_type).toEqual([
    { type: "cash", counted: true, count: 2, amount: 100_000 },
    { type: "wire", counted: false, count: 1, amount: 900_000 },
  ]);
  expect(content.deposits.records.map(({ id }) => id)).toEqual(["1", "2", "3"]);
  const balance = 50_000 + content.totals.total_paid - 100_000;
  expect(content.deposits.balance).toEqual({
    date: lastDay,
    balance_low: balance,
    balance_high: balance,
    counted: "2026-03-31",
  });
  expect(content.insights).toMatchObject([{ code: "revenue_above_baseline", status: "open", history: [] }]);
});

test("days that are not complete, and days without records, are named", async () => {
  const { make } = await given();
  const { content } = await make({ start_date: "2026-02-27", end_date: "2026-05-07" });
  expect(content.incomplete_days).toEqual(["2026-02-27", "2026-02-28", "2026-03-01", "2026-05-07"]);
  expect(content.days_without_records).toEqual(content.incomplete_days);
  expect(content.remarks[0]).toBe("The last day was not over at as_of.");
});

test("the content of one instant is the same after later decisions", async () => {
  const { shop, stores, crbId, clock } = await given();
  const asOf = clock.now().toISOString();
  const collect = async () => {
    const crb = (await readCrb(table(), crbId)) ?? expect.fail();
    const options = { clock, deadline: new Date(clock.time + 60_000), intervals };
    return JSON.stringify(await collectStatement(stores, { crb, ...period, asOf }, options));
  };
  const first = await collect();
  expect(await collect()).toBe(first);
  clock.advance(60_000);
  await shop.decide("explained");
  expect(await collect()).toBe(first);
});

test("the requests for the business are counted by credential and person until the day of as_of", async () => {
  const { make, stores, spId, crbId } = await given();
  const line = (time: string, client_id: string, sub: string | null = null, crb_id = crbId) =>
    stores.accessLog.append({
      ...{
        time,
        request_id: time,
        extended_request_id: time,
        operation_id: "listCrbSales",
        client_id,
        sub,
        sp_id: spId,
      },
      ...{ owner: { kind: "serviceProvider", id: spId }, crb_id, crb_ids: null, record_id: null, kinds: null },
      ...{ records: 1, status: 200, source: null },
    });
  await line("2026-03-31T23:59:59.000Z", "a");
  await line("2026-04-01T00:00:00.000Z", "a");
  await line("2026-04-02T00:00:00.000Z", "a");
  await line("2026-04-02T00:00:01.000Z", "a", "jane");
  await line("2026-05-06T23:59:59.000Z", "b");
  await line("2026-05-07T00:00:00.000Z", "b");
  await line("2026-04-02T00:00:02.000Z", "c", null, spId);
  stores.accessLog.countFailed = async (days) => days.length;
  const { content } = await make({ end_date: "2026-05-07" });
  const owner = "serviceProvider";
  expect(content.access).toEqual({
    ...{ from: "2026-04-01T00:00:00.000Z", to: "2026-05-07T00:00:00.000Z", not_included: null, unreadable: 37 },
    readers: [
      { client_id: "a", owner, sub: null, requests: 2, last_date: "2026-04-02T00:00:00.000Z" },
      { client_id: "a", owner, sub: "jane", requests: 1, last_date: "2026-04-02T00:00:01.000Z" },
      { client_id: "b", owner, sub: null, requests: 1, last_date: "2026-05-06T23:59:59.000Z" },
    ],
  });
});

test("the requests are not included if a day has more than the worker can hold", async () => {
  const { stores, spId, crbId, clock } = await given();
  const time = "2026-04-02T00:00:00.000Z";
  await stores.accessLog.append({
    ...{ time, request_id: time, extended_request_id: time, operation_id: "listCrbSales", client_id: "a", sub: null },
    ...{ sp_id: spId, owner: { kind: "serviceProvider", id: spId }, crb_id: crbId, crb_ids: null, record_id: null },
    ...{ kinds: null, records: 1, status: 200, source: null },
  });
  const query = { spId, crbId, start_date: "2026-04-01", end_date: "2026-04-03", asOf: "2026-05-01T00:00:00.000Z" };
  const deadline = new Date(clock.now().getTime() + 60_000);
  const read = (maxCharacters?: number) =>
    readAccesses(stores.accessLog, query, { clock, deadline, ...(maxCharacters && { maxCharacters }) });
  expect((await read()).readers).toHaveLength(1);
  expect(await read(100)).toMatchObject({ not_included: expect.stringContaining("too long"), readers: [] });
});

test("a day counts only when its last lines have arrived, minutes after midnight UTC", async () => {
  const { make, clock } = await given();
  const until = async (time: string) => {
    clock.time = Date.parse(time);
    return (await make({ end_date: "2026-05-07" })).content.access.to;
  };
  expect(await until("2026-05-08T00:10:00.000Z")).toBe("2026-05-07T00:00:00.000Z");
  expect(await until("2026-05-08T00:20:00.000Z")).toBe("2026-05-08T00:00:00.000Z");
});

test("a worker that is killed at any call leads to one statement and one event", async () => {
  const { create, run, read, stores, clock, events } = await given();
  const { accessLog: log } = stores;
  let completed = false;
  for (let at = 1; !completed; at += crashStep) {
    const { id } = await create();
    const before = (await events()).length;
    const kill = killAfter(at);
    const dying = testTableOf(table());
    interceptCalls(dying).before = kill;
    const bucket = crashingBucket(kill);
    const keepDigest: typeof log.keepDigest = async (digest) => {
      kill();
      await log.keepDigest(digest);
    };
    completed = await run(id, { table: dying, bucket, accessLog: { ...log, keepDigest } }).then(
      (outcome) => outcome === "ready",
      () => false,
    );
    // The lease of the killed worker ends.
    clock.advance(2 * 3_600_000);
    expect(["ready", "skipped"]).toContain(await run(id));
    const stored = await read(id);
    expect(stored).toMatchObject({ status: "ready", as_of: expect.any(String) });
    expect((await contentOf(stored)).as_of).toBe(stored.as_of);
    expect(await events()).toHaveLength(before + 1);
    clock.advance(22 * 3_600_000);
  }
  expect(await table().queryPartition(statementsDuePartition)).toEqual([]);
});

test("each single call may fail once: the sweeper starts another attempt", async () => {
  const { create, run, read, stores, clock, crbId, events } = await given();
  let completed = false;
  for (let at = 1; !completed; at += crashStep) {
    const { id } = await create();
    let left = at;
    const failing = testTableOf(table());
    interceptCalls(failing).before = () => {
      if (--left === 0) throw new Error("failed once");
    };
    const outcome = await run(id, { ...stores, table: failing }).catch(() => "threw");
    completed = left > 0;
    if (outcome !== "ready") {
      sent.statements.splice(0);
      clock.advance(11 * 60_000);
      await sweepStatements(table(), clock);
      expect(sent.statements).toContainEqual({ crb_id: crbId, statement_id: id });
      expect(await run(id)).toBe("ready");
    }
    expect((await read(id)).status).toBe("ready");
    clock.advance(24 * 3_600_000);
  }
  const ready = (await events()).map(({ statement_id }) => statement_id);
  expect(new Set(ready).size).toBe(ready.length);
});

test("a statement whose worker is always killed fails, with an event, and gives its place back", async () => {
  const counted = watchCounted(failedExportsMetric);
  const { create, run, read, stores, clock, events, crbId } = await given();
  const { id } = await create();
  const bucket = crashingBucket(killAfter(0));
  for (let attempt = 1; attempt < 5; attempt++) {
    expect(await run(id, { ...stores, bucket })).toBe("retries");
    expect(await run(id, { ...stores, bucket })).toBe("skipped");
    clock.advance(10 * 60_000);
  }
  expect(await run(id, { ...stores, bucket })).toBe("failed");
  expect(await read(id)).toMatchObject({ status: "failed", error: "unexpected", files: [] });
  expect(await events()).toEqual([{ type: "statement.failed", statement_id: id, error: "unexpected" }]);
  expect((await table().get(storedStatementsKey(crbId)))?.kept).toBe(0);
  expect(counted()).toMatchObject([[expect.any(String), { statement_id: id, error: "unexpected" }]]);
});

test("a statement that is not ready a day after its creation fails", async () => {
  const counted = watchCounted(failedExportsMetric);
  const { create, read, clock, events } = await given();
  const { id } = await create();
  clock.advance(25 * 3_600_000);
  expect(await sweepStatements(table(), clock)).toEqual({ ended: 1, queued: 0, failed: 0 });
  expect(await read(id)).toMatchObject({ status: "failed", error: "too_slow" });
  expect(await events()).toEqual([{ type: "statement.failed", statement_id: id, error: "too_slow" }]);
  expect(counted()).toMatchObject([[expect.any(String), { statement_id: id, error: "too_slow" }]]);
  expect(await sweepStatements(table(), clock)).toEqual({ ended: 0, queued: 0, failed: 0 });
});

test("the end of the association ends the links, and no more statement is made", async () => {
  const counted = watchCounted(failedExportsMetric);
  const { create, make, run, read, stores, crbId, clock, events } = await given();
  const { stored } = await make();
  const { id } = await create();
  await endAssociation(table(), stores.bucket, crbId, clock);
  expect(await run(id)).toBe("failed");
  expect(await read(id)).toMatchObject({ status: "failed", files: [] });
  expect((await events()).map(({ type }) => type)).toEqual(["statement.ready"]);
  expect(counted()).toEqual([]);
  const { link } = await serviceBucket().signDownload(stored.files[0]?.storage_key ?? "", "statement.json");
  expect((await fetch(link)).status).toBe(403);
});

test("a purge removes the statement with its files, and its digest stays in the locked store", async () => {
  const { make, stores, crbId, clock, directory } = await given();
  const { id, stored } = await make({ format: "csv" });
  const before = readFileSync(join(directory, "statement-digests.jsonl"), "utf8");
  await endAssociation(table(), stores.bucket, crbId, clock);
  // It stays, but the service does not read it any more.
  expect(await readStatement(table(), crbId, id)).toMatchObject({ status: "ready" });
  await expect(readFirstFile(stored)).rejects.toThrow("denies");
  clock.advance(3_600_000);
  expect(await purgeCrb(table(), stores.bucket, crbId, { clock })).toMatchObject({ outcome: "purged" });
  expect(await readStatement(table(), crbId, id)).toBeUndefined();
  await expect(readFirstFile(stored)).rejects.toMatchObject({ name: "NoSuchKey" });
  expect(readFileSync(join(directory, "statement-digests.jsonl"), "utf8")).toBe(before);
  expect(JSON.parse(before)).toMatchObject({ id, sha256: stored.sha256 });
});

const readFirstFile = ({ files }: StoredStatement) => serviceBucket().readBytes(files[0]?.storage_key ?? "");

test("a day that changes while the statement is made is named, with the sales of the change", async () => {
  const { shop, create, run, read, stores } = await given();
  const { id } = await create();
  const { accessLog: log } = stores;
  const changing: typeof log = {
    ...log,
    read: async function* (...args) {
      shop.pos.put("sale", saleOf(lastDay, 13));
      await shop.replicate();
      yield* log.read(...args);
    },
  };
  expect(await run(id, { ...stores, accessLog: changing })).toBe("ready");
  const content = await contentOf(await read(id));
  expect(content.days.at(-1)).toMatchObject({ date: lastDay, records: 13 });
  const remark = `These sales days changed between as_of and the reading, and are shown as read: ${lastDay}.`;
  expect(content.remarks[0]).toBe(remark);
});

test("an association that ends while the statement is made leaves no statement, and no event reports it", async () => {
  const { create, run, read, stores, crbId, clock, events } = await given();
  const { id } = await create();
  const { accessLog: log } = stores;
  const ending: typeof log = {
    ...log,
    keepDigest: async (digest) => {
      await endAssociation(table(), stores.bucket, crbId, clock);
      await log.keepDigest(digest);
    },
  };
  expect(await run(id, { ...stores, accessLog: ending })).toBe("failed");
  expect(await read(id)).toMatchObject({ status: "failed", files: [] });
  expect(await events()).toEqual([]);
  expect(await table().queryPartition(statementsDuePartition)).toEqual([]);
});

test("no event reports a statement that is too slow after the end of the association", async () => {
  const counted = watchCounted(failedExportsMetric);
  const { create, read, stores, crbId, clock, events } = await given();
  const { id } = await create();
  await endAssociation(table(), stores.bucket, crbId, clock);
  clock.advance(25 * 3_600_000);
  expect(await sweepStatements(table(), clock)).toEqual({ ended: 1, queued: 0, failed: 0 });
  expect(await read(id)).toMatchObject({ status: "failed", error: "too_slow" });
  expect(await events()).toEqual([]);
  expect(counted()).toEqual([]);
  expect((await table().get(storedStatementsKey(crbId)))?.kept).toBe(0);
});

test("an insight about earlier days belongs to the local day on which it was raised", async () => {
  const { shop, make, clock } = await givenStatements(table());
  shop.pos.put("sale", ...InsightShop.usualSales(), ...busyDay(lastDay));
  // The evening of May 7 in Denver.
  clock.time = Date.parse("2026-05-08T03:00:00.000Z");
  await shop.run();
  const insightsOn = async (day: string) =>
    (await make({ start_date: day, end_date: day })).content.insights.map(({ code }) => code);
  expect(await insightsOn("2026-05-07")).toEqual(["revenue_above_baseline"]);
  expect(await insightsOn("2026-05-08")).toEqual([]);
});
