import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { ReplicationLease, replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { restartWrites } from "../../../../shared/domain/replication/restartWrites.ts";
import { SeenPositions } from "../../../../shared/domain/replication/seenPositions.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import { LeaseLostError, transactFenced } from "../../../../shared/store/orderedList/fence.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { type Calls, interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "./acquireFreeLease.ts";

const none = { read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 };
const some = { read: 9, created: 5, changed: 1, unchanged: 2, rejected: 1 };
const table = useTestTable();
let calls: Calls;
let crbId: string;
let clock: TestClock;

beforeAll(() => {
  calls = interceptCalls(table());
});

beforeEach(() => {
  crbId = randomUUID();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
});

const acquire = () => acquireFreeLease(table(), crbId, "customer", clock);

test("the first lease has no position and no watermark", async () => {
  const lease = await acquire();
  expect(lease).toMatchObject({ since: null, position: null, counts: none, startedAt: clock.now() });
});

test("a lease that is held cannot be acquired by another worker, which learns when it expires", async () => {
  await acquire();
  clock.advance(replicationLeaseMs - 1);
  expect(await acquireLease(table(), crbId, "customer", clock)).toEqual({ heldUntil: new Date(clock.time + 1) });
  clock.advance(1);
  expect((await acquire()).fence.number).toBe(2);
});

test("only one of many simultaneous workers acquires the lease", async () => {
  for (const round of [1, 2, 3]) {
    const all = await Promise.all(Array.from({ length: 8 }, () => acquireLease(table(), crbId, "customer", clock)));
    const winners = all.filter((lease) => lease instanceof ReplicationLease);
    expect(winners).toHaveLength(1);
    expect(winners[0]?.fence.number).toBe(round);
    clock.advance(replicationLeaseMs);
  }
});

test("a worker that is killed between its two writes has the lease, and its predecessor loses it at the next acquisition", async () => {
  const old = await acquire();
  clock.advance(replicationLeaseMs);
  let puts = 0;
  calls.before = (command) => {
    if (command === "PutItemCommand" && ++puts === 2) throw new Error("killed");
  };
  await expect(acquireLease(table(), crbId, "customer", clock)).rejects.toThrow("killed");
  calls.before = () => undefined;
  expect(await acquireLease(table(), crbId, "customer", clock)).not.toBeInstanceOf(ReplicationLease);
  await expect(old.save("page 2", some, 9)).rejects.toThrow(LeaseLostError);
  clock.advance(replicationLeaseMs);
  const next = await acquire();
  expect(next.fence.number).toBe(3);
  const write = table().putWrite({ pk: crbId, sk: "written" });
  await expect(transactFenced(table(), old.fence, [write])).rejects.toThrow(LeaseLostError);
  await transactFenced(table(), next.fence, [write]);
});

test("renewals and saves extend the lease", async () => {
  const lease = await acquire();
  for (const keep of [() => lease.renew(), () => lease.save("page 2", some, 9)]) {
    clock.advance(replicationLeaseMs - 1);
    await keep();
    clock.advance(replicationLeaseMs - 1);
    expect(await acquireLease(table(), crbId, "customer", clock)).not.toBeInstanceOf(ReplicationLease);
  }
});

test("a holder that renews the lease at the last moment keeps it", async () => {
  const lease = await acquire();
  clock.advance(replicationLeaseMs);
  calls.before = async (command) => {
    if (command !== "PutItemCommand") return;
    calls.before = () => undefined;
    await lease.renew();
  };
  expect(await acquireLease(table(), crbId, "customer", clock)).not.toBeInstanceOf(ReplicationLease);
  await lease.save("page 2", some, 9);
});

test("an interrupted run continues with the same start, watermark, saved position and counts", async () => {
  await (await acquire()).finish({ watermark: "watermark 1" }, some);
  clock.advance(60_000);
  const interrupted = await acquire();
  expect(interrupted).toMatchObject({ since: "watermark 1", position: null, counts: none, startedAt: clock.now() });
  const startedAt = clock.now();
  await interrupted.save("page 2", some, 9);
  clock.advance(replicationLeaseMs);
  expect(await acquire()).toMatchObject({ since: "watermark 1", position: "page 2", counts: some, startedAt });
});

test("a run that saved nothing starts from the beginning", async () => {
  await acquire();
  clock.advance(replicationLeaseMs);
  expect(await acquire()).toMatchObject({ position: null, startedAt: clock.now() });
});

test("a finished or released lease is free at once, and a late renewal does not take it back", async () => {
  const finished = await acquire();
  await finished.finish({ watermark: "watermark 1" }, some);
  await expect(finished.renew()).rejects.toThrow(LeaseLostError);
  const released = await acquire();
  await released.release();
  await expect(released.renew()).rejects.toThrow(LeaseLostError);
  const failed = await acquire();
  await failed.fail("unreachable", undefined, () => null);
  await expect(failed.renew()).rejects.toThrow(LeaseLostError);
  expect((await acquire()).fence.number).toBe(4);
});

test("writes of an earlier holder are rejected, and the new holder's state stays as it is", async () => {
  const old = await acquire();
  await old.save("page 2", some, 9);
  clock.advance(replicationLeaseMs);
  const next = await acquire();
  await next.save("page 3", none, null);
  const state = await table().get(next.fence.key, { consistent: true });
  for (const write of [
    () => old.renew(),
    () => old.save("page 9", some, 9),
    () => old.finish({ watermark: "watermark 9" }, some),
    () => old.release(),
    () => old.fail("unreachable", undefined, () => null),
  ]) {
    await expect(write()).rejects.toThrow(LeaseLostError);
  }
  expect(await table().get(next.fence.key, { consistent: true })).toEqual(state);
});

const stored = () => table().get(replicationKey(crbId, "customer"), { consistent: true });
const plan = (plannedAt = clock.now().toISOString()) => acquireLease(table(), crbId, "customer", clock, { plannedAt });

test("consecutive failures are counted until a page is written, each with its pause", async () => {
  const pause = (attempts: number) => attempts * 1_000;
  const since = clock.now();
  for (const attempts of [1, 2, 3]) {
    const failed = await (await acquire()).fail("unreachable", undefined, pause);
    const retryAt = new Date(clock.time + attempts * 1_000);
    expect(failed).toEqual({ retryAt, attempts, since });
    expect(await stored()).toMatchObject({ error: "unreachable", attempts, not_before: retryAt.toISOString() });
    clock.advance(1_000);
  }
  const lease = await acquire();
  await lease.save("page 2", some, 9);
  expect(await stored()).toMatchObject({ error: null, attempts: 0, not_before: null });
  await lease.fail("unreachable", undefined, pause);
  expect(await stored()).toMatchObject({ attempts: 1, position: "page 2" });
  await (await acquire()).finish({ watermark: "watermark 1" }, some);
  expect(await stored()).toMatchObject({ error: null, attempts: 0, not_before: null, position: null });
});

test("a rejection after an outage counts as the first failure", async () => {
  const counted: number[] = [];
  for (const code of ["unreachable", "limited", "credentialsRefused", "locationGone", "unreachable"]) {
    counted.push((await (await acquire()).fail(code, undefined, () => null)).attempts);
  }
  expect(counted).toEqual([1, 2, 1, 2, 1]);
});

test("a run without progress for more than three days starts from the beginning", async () => {
  const days = 3 * 24 * 60 * 60_000;
  await (await acquire()).finish({ watermark: "watermark 1" }, some);
  const lease = await acquire();
  clock.advance(days);
  await lease.save("page 2", some, 9);
  await lease.release();
  clock.advance(days);
  const next = await acquire();
  expect(next).toMatchObject({ position: "page 2", startedAt: lease.startedAt, counts: some });
  await next.fail("unreachable", undefined, () => null);
  clock.advance(1);
  expect(await acquire()).toMatchObject({ position: null, startedAt: clock.now(), counts: none, since: "watermark 1" });
});

test("a run that has to start from the beginning drops the last watermark", async () => {
  await (await acquire()).finish({ watermark: "watermark 1" }, some);
  expect(await acquireLease(table(), crbId, "customer", clock, { isFullRead: true })).toMatchObject({ since: null });
  clock.advance(replicationLeaseMs);
  // Even if it was interrupted at once.
  expect(await acquire()).toMatchObject({ since: null, position: null });
});

test("a planned run waits for the end of the pause after a failure, and any other run starts", async () => {
  const { retryAt: notBefore, since } = await (await acquire()).fail("limited", undefined, () => 60_000);
  clock.advance(59_999);
  const state = await stored();
  expect(await plan()).toEqual({ notBefore, error: "limited", attempts: 1, since });
  expect(await stored()).toEqual(state);
  clock.advance(1);
  const lease = await plan();
  expect(lease).toBeInstanceOf(ReplicationLease);
  await (lease as ReplicationLease).fail("limited", undefined, () => 60_000);
  await acquire();
});

test("a planned run is skipped if a run that started later has succeeded", async () => {
  const plannedAt = clock.now().toISOString();
  clock.advance(1_000);
  const lease = await acquire();
  clock.advance(1_000);
  await lease.finish({ watermark: "watermark 1" }, some);
  expect(await plan(plannedAt)).toEqual({ succeededSince: clock.now() });
  const cutOff = await plan();
  expect(cutOff).toBeInstanceOf(ReplicationLease);
  clock.advance(replicationLeaseMs);
  // A later run that was killed has not succeeded.
  expect(await plan(plannedAt)).toBeInstanceOf(ReplicationLease);
});

test("a delayed write of a run's end does not overwrite the state that was saved after it", async () => {
  const seen = new SeenPositions();
  seen.add("2026-03-01#00000007");
  const first = await acquire();
  await first.save("page 2", some, 9);
  await first.release(seen);
  const network = testTableOf(table());
  const late: (() => Promise<unknown>)[] = [];
  let isSlow = false;
  network.client.middlewareStack.add(
    (next) => async (request) => {
      if (!isSlow) return next(request);
      late.push(() => next(request));
      throw Object.assign(new Error("no response in time"), { name: "TimeoutError" });
    },
    { step: "initialize", name: "network", priority: "low" },
  );
  const acquireWithSeen = () => acquireFreeLease(network, crbId, "customer", clock, { needsSeen: true });
  const lease = await acquireWithSeen();
  isSlow = true;
  await expect(lease.finish({ watermark: "end" }, some)).rejects.toThrow();
  isSlow = false;
  await lease.fail("unavailable", seen, () => null);
  for (const sendLate of late) await sendLate();
  expect(late.length).toBeGreaterThan(0);
  const next = await acquireWithSeen();
  expect(next.position === null || (await next.loadSeen()).has("2026-03-01#00000007")).toBe(true);
});

test("a lease for other work leaves the state of runs as it is", async () => {
  const lease = await acquire();
  await lease.save("page 2", some, 9);
  const seen = new SeenPositions();
  seen.add("2026-03-01#00000007");
  await lease.fail("unreachable", seen, () => 1_000);
  const before = await stored();
  clock.advance(10_000);
  await (await acquireFreeLease(table(), crbId, "customer", clock, { isMaintenance: true })).release();
  expect(await stored()).toEqual({ ...before, fence: 2 });
});

test("leases of different businesses are independent", async () => {
  await acquire();
  crbId = randomUUID();
  expect((await acquire()).fence.number).toBe(1);
});

test("a changed connection ends the lease, and no write under it succeeds any more", async () => {
  const lease = await acquire();
  const write = () => transactFenced(table(), lease.fence, [table().putWrite({ pk: `RECORD of ${crbId}`, sk: "1" })]);
  await write();
  await table().transact(await restartWrites(table(), crbId));
  await expect(write()).rejects.toThrow(LeaseLostError);
  await expect(lease.renew()).rejects.toThrow(LeaseLostError);
});
