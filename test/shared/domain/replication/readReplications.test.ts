import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { PosTypeName } from "../../../../shared/api/enumerations.ts";
import type { Replication } from "../../../../shared/api/schemas/replication.ts";
import { readReplications } from "../../../../shared/domain/replication/readReplications.ts";
import { replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
import { replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { restartWrites } from "../../../../shared/domain/replication/restartWrites.ts";
import { withReplicationLease } from "../../../../shared/domain/replication/withReplicationLease.ts";
import { type LastPage, PosError } from "../../../../shared/pos/connector.ts";
import { changeCrb, createCrb } from "../../../../shared/store/crbs.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";

useTestServiceKey();
useQueues();
const table = useTestTable();
const intervals = { location: 600, product: 600, customer: 600, inventory: 600, sale: 600 };
let clock: TestClock;
let crbId: string;
let pos: ScriptedPos;

beforeEach(async () => {
  clock = new TestClock("2026-03-01T12:00:00.000Z");
  crbId = randomUUID();
  pos = new ScriptedPos(3);
  await createCrb(table(), {
    record: { ...crbRecord(crbId), name: `B ${crbId}` },
    serviceProviderId: randomUUID(),
    connection: null,
  });
});

const connect = (posType: PosTypeName = "Treez") =>
  changeCrb(
    table(),
    crbId,
    (crb) => ({ ...crb, connection: { posType, locationId: "1", connectedAt: clock.now().toISOString() } }),
    clock,
  );
const setStatus = (status: "bank_disconnected" | "bank_pending") =>
  changeCrb(table(), crbId, (crb) => ({ ...crb, record: { ...crb.record, status } }), clock);
const replications = () => readReplications(table(), crbId, intervals, clock.now());
const customers = async () => (await replications()).find(({ kind }) => kind === "customers") as Replication;
const put = (...ids: number[]) => pos.put("customer", ...ids.map((id) => plainCustomer(String(id))));
/** @param pages after which the deadline has passed */
async function run(pages = Number.POSITIVE_INFINITY, full?: true) {
  let read = 0;
  const beforePage = pos.beforePage;
  const deadline = new Date(clock.time + 600_000);
  pos.beforePage = async (request) => {
    await beforePage(request);
    clock.advance(1_000);
    if (++read >= pages) clock.advance(600_000);
  };
  const result = await replicateCrb(
    table(),
    { crb_id: crbId, kind: "customer", full },
    { deadline, clock, connectorOf: () => pos },
  );
  pos.beforePage = beforePage;
  return result.outcome;
}
const instant = (offset = 0) => new Date(clock.time + offset).toISOString();

/** A kind that was never read. */
const unread = {
  ...{ data_as_of: null, initial_sync_completed_date: null, last_started_date: null, last_succeeded_date: null },
  ...{ next_due_date: null, progress: null, awaiting_confirmation: null, rejected_records: 0, last_run: null },
  error: null,
};

test("all five kinds are reported from the first day on, and nothing of other CRBs", async () => {
  const found = await replications();
  expect(found.map(({ kind }) => kind)).toEqual(["customers", "products", "inventory", "inventory-locations", "sales"]);
  for (const { kind: _, ...rest } of found) {
    expect(rest).toEqual({ ...unread, state: "not_connected", records: 0, digest: "0".repeat(64) });
  }
  await expect(readReplications(table(), randomUUID(), intervals)).rejects.toMatchObject({ kind: "notFound" });
});

test("the state follows a connection through a first reading in several parts, a failure and a pause", async () => {
  await connect();
  put(1, 2, 3, 4, 5, 6, 7);
  expect(await customers()).toMatchObject({
    state: "waiting",
    next_due_date: instant(60_000),
    last_started_date: null,
  });
  // A lease for other work is not a run.
  await withReplicationLease(table(), crbId, "customer", clock, async () => {
    expect(await customers()).toMatchObject({ state: "waiting", last_started_date: null, progress: null });
  });

  const began = instant();
  const run1 = { last_started_date: began, data_as_of: null, initial_sync_completed_date: null, last_run: null };
  expect(await run(2)).toBe("unfinished");
  expect(await customers()).toMatchObject({ ...run1, state: "initial", records: 6, progress: { read: 6, total: 7 } });
  pos.beforePage = () => {
    throw new PosError("notUnderstood");
  };
  expect(await run()).toBe("failed");
  expect(await customers()).toMatchObject({ ...run1, state: "failing", error: "not_understood", progress: null });
  pos.beforePage = () => undefined;
  expect(await run()).toBe("finished");
  const initial = instant();
  const asOf = new Date(Date.parse(began) - 5_000).toISOString();
  expect(await customers()).toMatchObject({
    state: "current",
    data_as_of: asOf,
    initial_sync_completed_date: initial,
    last_started_date: began,
    last_succeeded_date: initial,
    progress: null,
    records: 7,
    last_run: { read: 7, created: 7, changed: 0, unchanged: 0, rejected: 0 },
    error: null,
  });

  clock.advance(1_800_000);
  expect((await customers()).state).toBe("current");
  clock.advance(1);
  expect((await customers()).state).toBe("late");

  // Later failures do not change these fields.
  const second = instant();
  put(8, 8);
  pos.beforePage = () => {
    throw new PosError("credentialsRefused");
  };
  await run();
  const { next_due_date, ...failed } = await customers();
  expect(failed).toMatchObject({
    state: "failing",
    error: "credentials_refused",
    data_as_of: asOf,
    initial_sync_completed_date: initial,
    last_started_date: second,
    last_run: { created: 7 },
  });
  expect(next_due_date && next_due_date > instant()).toBe(true);
  pos.beforePage = () => undefined;
  await run();
  expect(await customers()).toMatchObject({
    state: "current",
    data_as_of: new Date(Date.parse(second) - 5_000).toISOString(),
    initial_sync_completed_date: initial,
    records: 8,
    last_run: { read: 2, created: 1, changed: 0, unchanged: 0 },
  });

  await setStatus("bank_disconnected");
  expect(await customers()).toMatchObject({ state: "paused", next_due_date: null, records: 8 });
});

test("a running run reports its progress, and a killed one does not", async () => {
  await connect();
  put(1, 2, 3, 4);
  const seen: Replication[] = [];
  pos.beforePage = async () => void seen.push(await customers());
  await run();
  expect(seen.map(({ progress }) => progress)).toEqual([
    { read: 0, total: null },
    { read: 3, total: 4 },
  ]);
  put(5);
  pos.beforePage = async () => {
    await setStatus("bank_disconnected");
    expect(await customers()).toMatchObject({ state: "paused", progress: null });
    await setStatus("bank_pending");
    clock.advance(replicationLeaseMs);
    expect((await customers()).progress).toBeNull();
    throw new PosError("unreachable");
  };
  await run();
  expect((await customers()).last_run).toMatchObject({ read: 4, created: 4 });
  pos.beforePage = () => undefined;
  await run();
  await withReplicationLease(table(), crbId, "customer", clock, async () => {
    expect((await customers()).progress).toBeNull();
  });
});

test("the time up to which a pull is complete is reported, and a pull without such a time keeps the previous one", async () => {
  await connect();
  put(1);
  const reach: { asOf: string | null } = { asOf: null };
  pos.afterPage = (page) => ("watermark" in page.next ? { ...page, next: { ...page.next, ...reach } } : page);
  const asOf = async (reported: string | null) => {
    reach.asOf = reported;
    await run();
    return (await customers()).data_as_of;
  };
  expect(await asOf(null)).toBeNull();
  // The epoch means that products and customers were never read completely.
  expect(await asOf(new Date(0).toISOString())).toBeNull();
  expect(await asOf("2026-03-01T11:00:05.000Z")).toBe("2026-03-01T11:00:00.000Z");
  expect(await asOf(null)).toBe("2026-03-01T11:00:00.000Z");
  expect(await asOf("2026-03-01T10:00:00.000Z")).toBe("2026-03-01T11:00:00.000Z");
});

test("a first reading that may be incomplete does not end the initial state, and keeps rejected records", async () => {
  await connect();
  put(1);
  const reach: Partial<LastPage> = { asOf: null };
  let rejected = [{ posId: "9", field: "dob", reason: "invalid_date" }];
  pos.afterPage = (page) =>
    "watermark" in page.next ? { ...page, rejected, complete: false, next: { ...page.next, ...reach } } : page;
  await run();
  rejected = [];
  await run(undefined, true);
  expect(await customers()).toMatchObject({
    state: "initial",
    initial_sync_completed_date: null,
    data_as_of: null,
    rejected_records: 1,
  });
  reach.asOf = instant();
  await run();
  const ended = instant();
  expect(await customers()).toMatchObject({ initial_sync_completed_date: ended, rejected_records: 1 });
  reach.readAll = true;
  await run();
  expect(await customers()).toMatchObject({ initial_sync_completed_date: ended, rejected_records: 0 });
});

test("a full reading on request keeps the reported values, and another location starts from the beginning", async () => {
  await connect();
  put(1, 2);
  pos.afterPage = (page) => ({ ...page, rejected: [{ posId: "9", field: "dob", reason: "invalid_date" }] });
  await run();
  const before = await customers();
  expect(before).toMatchObject({ rejected_records: 1, records: 2 });
  pos.beforePage = () => {
    throw new PosError("unreachable");
  };
  const full = { crb_id: crbId, kind: "customer", full: true } as const;
  await replicateCrb(table(), full, { deadline: new Date(clock.time + 600_000), clock, connectorOf: () => pos });
  const { data_as_of, initial_sync_completed_date } = before;
  expect(await customers()).toMatchObject({ state: "failing", data_as_of, initial_sync_completed_date });

  await table().transact(await restartWrites(table(), crbId));
  expect(await customers()).toMatchObject({ state: "current", data_as_of, rejected_records: 1 });
  await table().transact(await restartWrites(table(), crbId, { isNewSource: true }));
  const waiting = { kind: "customers", state: "waiting", next_due_date: expect.any(String) };
  expect(await customers()).toEqual({ ...unread, ...waiting, records: 2, digest: before.digest });
  pos.beforePage = () => undefined;
  clock.advance(60_000);
  await run();
  expect(await customers()).toMatchObject({ state: "current", initial_sync_completed_date: instant(), records: 2 });
});

test("for uploaded files, the time up to which data is complete is unknown", async () => {
  await connect("Manual Upload Retail");
  put(1);
  await run();
  expect(await customers()).toMatchObject({
    state: "manual",
    data_as_of: null,
    initial_sync_completed_date: null,
    next_due_date: null,
    last_succeeded_date: instant(),
    records: 1,
    last_run: { created: 1 },
  });
});
