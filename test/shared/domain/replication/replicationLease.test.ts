import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { ReplicationLease, replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { restartWrites } from "../../../../shared/domain/replication/restartWrites.ts";
import { SeenPositions } from "../../../../shared/domain/replication/seenPositions.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { positionToNumber } from "../../../../shared/store/keys/positions.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import { LeaseLostError, transactFenced } from "../../../../shared/store/orderedList/fence.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { type Calls, interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";

const none = { read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 };
const some = { read: 9, created: 5, changed: 1, unchanged: 2, rejected: 1 };
let table: Table;
let calls: Calls;
let crbId: string;
let clock: TestClock;

beforeAll(async () => {
  table = await createTestTable();
  calls = interceptCalls(table);
});

beforeEach(() => {
  crbId = randomUUID();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
});

async function take(): Promise<ReplicationLease> {
  const lease = await acquireLease(table, crbId, "customer", clock);
  if (!(lease instanceof ReplicationLease)) throw new Error("the lease is held");
  return lease;
}

test("the first lease begins at the beginning", async () => {
  const lease = await take();
  expect(lease).toMatchObject({ since: null, position: null, counts: none, startedAt: clock.now() });
});

test("a held lease is not given to another, and tells until when it is held", async () => {
  await take();
  clock.advance(replicationLeaseMs - 1);
  expect(await acquireLease(table, crbId, "customer", clock)).toEqual({ heldUntil: new Date(clock.time + 1) });
  clock.advance(1);
  expect((await take()).fence.number).toBe(2);
});

test("of many who come at the same time one gets it", async () => {
  for (const round of [1, 2, 3]) {
    const all = await Promise.all(Array.from({ length: 8 }, () => acquireLease(table, crbId, "customer", clock)));
    const winners = all.filter((lease) => lease instanceof ReplicationLease);
    expect(winners).toHaveLength(1);
    expect(winners[0]?.fence.number).toBe(round);
    clock.advance(replicationLeaseMs);
  }
});

test("renewing and saving keep it", async () => {
  const lease = await take();
  for (const keep of [() => lease.renew(), () => lease.save("page 2", some, 9)]) {
    clock.advance(replicationLeaseMs - 1);
    await keep();
    clock.advance(replicationLeaseMs - 1);
    expect(await acquireLease(table, crbId, "customer", clock)).not.toBeInstanceOf(ReplicationLease);
  }
});

test("a holder who renews it at the last moment keeps it", async () => {
  const lease = await take();
  clock.advance(replicationLeaseMs);
  calls.before = async (command) => {
    if (command !== "TransactWriteItemsCommand") return;
    calls.before = () => undefined;
    await lease.renew();
  };
  expect(await acquireLease(table, crbId, "customer", clock)).not.toBeInstanceOf(ReplicationLease);
  await lease.save("page 2", some, 9);
});

test("an interrupted run is gone on with: same start, same watermark, saved position and counts", async () => {
  await (await take()).finish({ watermark: "watermark 1" }, some);
  clock.advance(60_000);
  const interrupted = await take();
  expect(interrupted).toMatchObject({ since: "watermark 1", position: null, counts: none, startedAt: clock.now() });
  const startedAt = clock.now();
  await interrupted.save("page 2", some, 9);
  clock.advance(replicationLeaseMs);
  expect(await take()).toMatchObject({ since: "watermark 1", position: "page 2", counts: some, startedAt });
});

test("a run that saved nothing starts anew", async () => {
  await take();
  clock.advance(replicationLeaseMs);
  expect(await take()).toMatchObject({ position: null, startedAt: clock.now() });
});

test("a finished or released lease is free at once, and a late renewal does not take it back", async () => {
  const finished = await take();
  await finished.finish({ watermark: "watermark 1" }, some);
  await expect(finished.renew()).rejects.toThrow(LeaseLostError);
  const released = await take();
  await released.release();
  await expect(released.renew()).rejects.toThrow(LeaseLostError);
  const failed = await take();
  await failed.fail("unreachable", undefined, () => null);
  await expect(failed.renew()).rejects.toThrow(LeaseLostError);
  expect((await take()).fence.number).toBe(4);
});

test("what an old holder writes is refused, and leaves the new holder's state as it is", async () => {
  const old = await take();
  await old.save("page 2", some, 9);
  clock.advance(replicationLeaseMs);
  const next = await take();
  await next.save("page 3", none, null);
  const state = await table.get(next.fence.key, { consistent: true });
  for (const write of [
    () => old.renew(),
    () => old.save("page 9", some, 9),
    () => old.finish({ watermark: "watermark 9" }, some),
    () => old.release(),
    () => old.fail("unreachable", undefined, () => null),
  ]) {
    await expect(write()).rejects.toThrow(LeaseLostError);
  }
  expect(await table.get(next.fence.key, { consistent: true })).toEqual(state);
});

const stored = () => table.get(replicationKey(crbId, "customer"), { consistent: true });
const plan = (plannedAt = clock.now().toISOString()) => acquireLease(table, crbId, "customer", clock, { plannedAt });

test("failures in a row are counted until a page is written, each with its pause", async () => {
  const pause = (attempts: number) => attempts * 1_000;
  const since = clock.now();
  for (const attempts of [1, 2, 3]) {
    const failed = await (await take()).fail("unreachable", undefined, pause);
    const retryAt = new Date(clock.time + attempts * 1_000);
    expect(failed).toEqual({ retryAt, attempts, since });
    expect(await stored()).toMatchObject({ error: "unreachable", attempts, not_before: retryAt.toISOString() });
    clock.advance(1_000);
  }
  const lease = await take();
  await lease.save("page 2", some, 9);
  expect(await stored()).toMatchObject({ error: null, attempts: 0, not_before: null });
  await lease.fail("unreachable", undefined, pause);
  expect(await stored()).toMatchObject({ attempts: 1, position: "page 2" });
  await (await take()).finish({ watermark: "watermark 1" }, some);
  expect(await stored()).toMatchObject({ error: null, attempts: 0, not_before: null, position: null });
});

test("a refusal after an outage is the first one", async () => {
  const counted: number[] = [];
  for (const code of ["unreachable", "limited", "credentialsRefused", "locationGone", "unreachable"]) {
    counted.push((await (await take()).fail(code, undefined, () => null)).attempts);
  }
  expect(counted).toEqual([1, 2, 1, 2, 1]);
});

test("a run that has come no further for more than three days is begun anew", async () => {
  const days = 3 * 24 * 60 * 60_000;
  await (await take()).finish({ watermark: "watermark 1" }, some);
  const lease = await take();
  clock.advance(days);
  await lease.save("page 2", some, 9);
  await lease.release();
  clock.advance(days);
  const next = await take();
  expect(next).toMatchObject({ position: "page 2", startedAt: lease.startedAt, counts: some });
  await next.fail("unreachable", undefined, () => null);
  clock.advance(1);
  expect(await take()).toMatchObject({ position: null, startedAt: clock.now(), counts: none, since: "watermark 1" });
});

test("a run that is to begin anew forgets the last watermark", async () => {
  await (await take()).finish({ watermark: "watermark 1" }, some);
  expect(await acquireLease(table, crbId, "customer", clock, { isFullRead: true })).toMatchObject({ since: null });
  clock.advance(replicationLeaseMs);
  // Also when it was cut off at once.
  expect(await take()).toMatchObject({ since: null, position: null });
});

test("a planned run waits out the pause after a failure, any other begins", async () => {
  const { retryAt: notBefore, since } = await (await take()).fail("limited", undefined, () => 60_000);
  clock.advance(59_999);
  const state = await stored();
  expect(await plan()).toEqual({ notBefore, error: "limited", attempts: 1, since });
  expect(await stored()).toEqual(state);
  clock.advance(1);
  const lease = await plan();
  if (!(lease instanceof ReplicationLease)) throw new Error("not begun");
  await lease.fail("limited", undefined, () => 60_000);
  expect(await take()).toBeInstanceOf(ReplicationLease);
});

test("a planned run is needless once one that began later has succeeded", async () => {
  const plannedAt = clock.now().toISOString();
  clock.advance(1_000);
  const lease = await take();
  clock.advance(1_000);
  await lease.finish({ watermark: "watermark 1" }, some);
  expect(await plan(plannedAt)).toEqual({ succeededSince: clock.now() });
  const cutOff = await plan();
  expect(cutOff).toBeInstanceOf(ReplicationLease);
  clock.advance(replicationLeaseMs);
  // What began later and was killed has not succeeded.
  expect(await plan(plannedAt)).toBeInstanceOf(ReplicationLease);
});

test("what arrives late of a run's end leaves what was handed over after it", async () => {
  const seen = new SeenPositions();
  seen.add("2026-03-01#00000007");
  const first = await take();
  await first.save("page 2", some, 9);
  await first.release(seen);
  const network = testTableOf(table);
  const late: (() => Promise<unknown>)[] = [];
  let isSlow = false;
  network.client.middlewareStack.add(
    (next) => async (request) => {
      if (!isSlow) return next(request);
      late.push(() => next(request));
      throw Object.assign(new Error("no answer in time"), { name: "TimeoutError" });
    },
    { step: "initialize", name: "network", priority: "low" },
  );
  const takeOn = async () => {
    const lease = await acquireLease(network, crbId, "customer", clock, { needsSeen: true });
    if (!(lease instanceof ReplicationLease)) throw new Error("the lease is held");
    return lease;
  };
  const lease = await takeOn();
  isSlow = true;
  await expect(lease.finish({ watermark: "end" }, some)).rejects.toThrow();
  isSlow = false;
  await lease.fail("unavailable", seen, () => null);
  for (const arrive of late) await arrive();
  expect(late.length).toBeGreaterThan(0);
  const next = await takeOn();
  expect(next.position === null || (await next.loadSeen()).has(positionToNumber("2026-03-01#00000007"))).toBe(true);
});

test("work beside replication leaves what runs have left", async () => {
  const lease = await take();
  await lease.save("page 2", some, 9);
  const seen = new SeenPositions();
  seen.add("2026-03-01#00000007");
  await lease.fail("unreachable", seen, () => 1_000);
  const before = await stored();
  clock.advance(10_000);
  const aside = await acquireLease(table, crbId, "customer", clock, { isMaintenance: true });
  if (!(aside instanceof ReplicationLease)) throw new Error("the lease is held");
  await aside.release();
  expect(await stored()).toEqual({ ...before, fence: 2 });
});

test("businesses do not hold each other up", async () => {
  await take();
  crbId = randomUUID();
  expect((await take()).fence.number).toBe(1);
});

test("a connection that is changed takes the lease away, and nothing more is written under it", async () => {
  const lease = await take();
  const write = () => transactFenced(table, lease.fence, [table.putWrite({ pk: `RECORD of ${crbId}`, sk: "1" })]);
  await write();
  await table.transact(await restartWrites(table, crbId));
  await expect(write()).rejects.toThrow(LeaseLostError);
  await expect(lease.renew()).rejects.toThrow(LeaseLostError);
});
