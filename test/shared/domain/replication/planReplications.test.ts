import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { PosTypeName } from "../../../../shared/api/enumerations.ts";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { readFreshness } from "../../../../shared/domain/replication/freshness.ts";
import { planReplications } from "../../../../shared/domain/replication/planReplications.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb, createCrb } from "../../../../shared/store/crbs.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import { dueShards, posTypeKey, replicationDueKey, replicationKey } from "../../../../shared/store/keys/replication.ts";
import {
  advanceReplication,
  countLate,
  firstReplicationWrite,
  readAllDue,
  readDue,
} from "../../../../shared/store/replicationDue.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { racedTable } from "../../../racedTable.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useQueues } from "../../../useQueues.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "./acquireFreeLease.ts";

Object.assign(process.env, { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
const sent = useQueues();
let table: Table;
let clock: TestClock;
const minute = 60_000;
const intervals = { location: 21_600, product: 1_800, customer: 900, inventory: 900, sale: 300 };

beforeEach(async () => {
  table = await createTestTable();
  clock = new TestClock("2026-03-01T12:00:00.000Z");
});

async function createTestCrb(
  serviceProviderId: string = randomUUID(),
  posType: PosTypeName | null = "Treez",
): Promise<string> {
  const id = randomUUID();
  const record = { ...crbRecord(id), name: `Business ${id}` };
  const connection = posType ? { posType, locationId: null, connectedAt: clock.now().toISOString() } : null;
  await createCrb(table, { record, serviceProviderId, connection }, clock);
  return id;
}

const setStatus = (crbId: string, status: "bank_disconnected" | "bank_pending") =>
  changeCrb(table, crbId, ({ record, ...crb }) => ({ ...crb, record: { ...record, status } }), clock);
const plan = (options: Partial<Parameters<typeof planReplications>[1]> = {}) =>
  planReplications(table, { intervals, clock, random: () => 0.5, ...options });
const sentNames = () =>
  (sent.replication as { crb_id: string; kinds: RecordKind[] }[]).flatMap(({ crb_id, kinds }) =>
    namesOf(crb_id, kinds),
  );
const namesOf = (crbId: string, kinds: readonly RecordKind[] = recordKinds) => kinds.map((kind) => `${crbId} ${kind}`);
const dueOf = async (crbId: string, kind: RecordKind) =>
  Date.parse((await table.get(replicationDueKey(crbId), { consistent: true }))?.[kind] as string) - clock.time;
async function waitForRuns(count: number) {
  await expect.poll(() => sentNames().length, { interval: 5 }).toBe(count);
  return sentNames().toSorted();
}

describe("a due replication", () => {
  test("is requested, for the CRBs of all service providers, and is due again after its kind's interval", async () => {
    const crbs = [await createTestCrb(), await createTestCrb()];
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 0 });
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 10, wait: 0, drop: 0 });
    expect(await waitForRuns(10)).toEqual(crbs.flatMap((id) => namesOf(id)).toSorted());
    for (const message of sent.replication) expect(message).toMatchObject({ planned_at: clock.now().toISOString() });
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 0 });
    for (const kind of recordKinds) expect(await dueOf(crbs[0] ?? "", kind)).toBe(intervals[kind] * 1_000);
    clock.advance(900_000);
    expect(await plan()).toEqual({ ask: 6, wait: 0, drop: 0 });
    expect((await waitForRuns(16)).filter((name) => name === `${crbs[0]} customer`)).toHaveLength(2);
  });

  test("of a kind that the POS lacks is requested until it has succeeded once", async () => {
    const crbId = await createTestCrb(randomUUID(), "Sage Intacct");
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 5, wait: 0, drop: 0 });
    const lease = await acquireFreeLease(table, crbId, "inventory", clock);
    clock.advance(intervals.inventory * 1_000);
    expect(await plan()).toMatchObject({ drop: 0 });
    await lease.finish({ watermark: "1" }, lease.counts);
    const end = clock.now().getTime() + 86_400_000;
    clock.advance(intervals.inventory * 1_000);
    expect(await plan()).toMatchObject({ wait: 1, drop: 0 });
    const [due] = await readAllDue(table);
    expect(Date.parse(due?.times.inventory ?? "")).toBe(end + intervals.inventory * 1_000);
    // A repeated message ran once more and failed.
    const again = await acquireFreeLease(table, crbId, "inventory", clock);
    await again.fail("unavailable", undefined, () => null);
    clock.advance(86_400_000);
    expect(await plan()).toMatchObject({ ask: 5, wait: 0 });
  });

  test("is due again up to a tenth earlier or later, at random", async () => {
    const crbId = await createTestCrb();
    const next = [];
    for (const random of [0, 0.999_999]) {
      clock.advance(21_600_000 * 1.2);
      await plan({ random: () => random });
      next.push(Math.round((await dueOf(crbId, "customer")) / 1_000));
    }
    expect(next).toEqual([810, 990]);
  });

  test("is requested in one message with the kinds that are due within half of the shortest interval", async () => {
    const crbId = await createTestCrb();
    clock.advance(minute);
    await plan();
    await advanceReplication(table, crbId, "customer", new Date(clock.time + 9 * minute));
    await advanceReplication(table, crbId, "product", new Date(clock.time + 10 * minute));
    clock.advance(5 * minute);
    expect(await plan()).toEqual({ ask: 1, wait: 0, drop: 0 });
    clock.advance(4 * minute);
    expect(await plan()).toEqual({ ask: 3, wait: 0, drop: 0 });
    await waitForRuns(9);
    const kinds = (sent.replication as { kinds: RecordKind[] }[]).map((message) => message.kinds);
    expect(kinds).toEqual([recordKinds, ["sale"], ["product", "customer", "sale"]]);
    // 15 minutes after the connection, the inventory is due.
    clock.advance(6 * minute - 1);
    expect(await plan()).toEqual({ ask: 2, wait: 0, drop: 0 });
  });

  test("is read by the time for which it has been due, in limited numbers", async () => {
    const [first, second] = [await createTestCrb(), await createTestCrb(), await createTestCrb()];
    await advanceReplication(table, second, "sale", new Date(clock.time - 2));
    await advanceReplication(table, first, "product", new Date(clock.time - 1));
    const dueAt = async (most: number) => (await readDue(table, clock.now(), most)).map(({ crbId }) => crbId);
    expect(await dueAt(3)).toEqual([second, first]);
    clock.advance(minute);
    expect(await dueAt(2)).toEqual([second, first]);
    expect(await readAllDue(table)).toHaveLength(3);
  });

  test("waits for the next planning if the time slice is over", async () => {
    await createTestCrb();
    clock.advance(minute);
    expect(await plan({ deadline: clock.now() })).toEqual({ ask: 0, wait: 0, drop: 0 });
    expect(await plan()).toEqual({ ask: 5, wait: 0, drop: 0 });
  });

  test("costs no read of a replication that is not due", async () => {
    // Not in a minute in which the planner counts the late CRBs.
    clock.advance(minute);
    for (let i = 0; i < 3; i++) await createTestCrb();
    const watched = testTableOf(table);
    const commands: string[] = [];
    interceptCalls(watched).before = (command) => void commands.push(command);
    await planReplications(watched, { intervals, clock });
    // The write is for the status page.
    expect(commands).toEqual([...dueShards.map(() => "QueryCommand"), "UpdateItemCommand"]);
  });
});

describe("a replication is not requested", () => {
  test("if the association of its CRB is paused, until it is resumed", async () => {
    const crbId = await createTestCrb();
    await setStatus(crbId, "bank_disconnected");
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 0, wait: 5, drop: 0 });
    expect(await dueOf(crbId, "sale")).toBe(300_000);
    await setStatus(crbId, "bank_pending");
    clock.advance(300_000);
    expect(await plan()).toEqual({ ask: 1, wait: 0, drop: 0 });
    expect(await waitForRuns(1)).toEqual(namesOf(crbId, ["sale"]));
  });

  test("if the association of its CRB has ended, which removes it from the schedule", async () => {
    const crbId = await createTestCrb();
    await endAssociation(table, unusedBucket, crbId, clock);
    expect(await readAllDue(table)).toEqual([]);
  });

  test("if its CRB has no connection or does not exist, and is removed from the schedule", async () => {
    const none = await createTestCrb(undefined, null);
    for (const id of [none, randomUUID()]) {
      await table.transact([firstReplicationWrite(table, id, clock.now())]);
    }
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 10 });
    expect(await readAllDue(table)).toEqual([]);
  });

  test("if the CRB uploads files", async () => {
    await createTestCrb(undefined, "Manual Upload Retail");
    expect(await readAllDue(table)).toEqual([]);
  });

  test("during the pause after a failure: it is due at the pause's end, or after its interval if that is sooner", async () => {
    const crbId = await createTestCrb();
    const pauses = { customer: 200_000, inventory: 3_600_000 };
    for (const [kind, pause] of Object.entries(pauses) as ["customer" | "inventory", number][]) {
      await (await acquireFreeLease(table, crbId, kind, clock)).fail("unreachable", undefined, () => pause);
    }
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 3, wait: 2, drop: 0 });
    expect(await dueOf(crbId, "customer")).toBe(140_000);
    expect(await dueOf(crbId, "inventory")).toBe(900_000);
    clock.advance(140_000);
    expect(await plan()).toEqual({ ask: 1, wait: 0, drop: 0 });
    expect((await waitForRuns(3)).filter((name) => name.endsWith("inventory"))).toEqual([]);
    await expect.poll(() => sent.retries).toMatchObject([{ crb_id: crbId, kinds: ["customer"] }]);
  });

  test("while the breaker of its POS is open; after the pause, one is requested as the trial", async () => {
    const [first, second] = [await createTestCrb(), await createTestCrb()];
    clock.advance(minute);
    const openUntil = (milliseconds: number) =>
      table.put({ ...posTypeKey("Treez"), open_until: new Date(clock.time + milliseconds).toISOString() });
    await openUntil(2 * minute);
    expect(await plan()).toEqual({ ask: 0, wait: 10, drop: 0 });
    expect(await dueOf(first as string, "location")).toBe(2.5 * minute);
    clock.advance(3 * minute);
    expect(await plan()).toEqual({ ask: 1, wait: 9, drop: 0 });
    await waitForRuns(1);
    await table.delete(posTypeKey("Treez"));
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 9, wait: 0, drop: 0 });
    expect(await waitForRuns(10)).toEqual([...namesOf(first as string), ...namesOf(second as string)].toSorted());
  });
});

describe("late CRBs", () => {
  const sales = (crbId: string) => replicationKey(crbId, "sale");
  const ago = (minutes: number) => new Date(clock.time - minutes * minute).toISOString();

  test("are those whose last successful run of sales is twelve intervals old, without first readings and rejections", async () => {
    const crbs = [];
    for (let i = 0; i < 5; i++) crbs.push(await createTestCrb());
    const [late = "", down = "", current = "", rejected = "", first = ""] = crbs;
    clock.advance(700 * minute);
    // Connected again after ten hours, and not read yet.
    const again = await createTestCrb();
    await table.put({ ...sales(again), succeeded_at: ago(600) });
    clock.advance(minute);
    await table.put({ ...sales(late), succeeded_at: ago(61) });
    await table.put({ ...sales(down), succeeded_at: ago(600), error: "unreachable", not_before: ago(-30) });
    await table.put({ ...sales(current), succeeded_at: ago(59) });
    await table.put({ ...sales(rejected), succeeded_at: ago(600), error: "credentialsRefused" });
    await plan();
    expect(await countLate(table)).toEqual({ late: 2, all: 4 });
    // A CRB that becomes current, and one that the POS rejects now, no longer count as late.
    clock.advance(30 * minute);
    await table.put({ ...sales(late), succeeded_at: ago(1) });
    await table.put({ ...sales(down), succeeded_at: ago(600), error: "credentialsRefused" });
    await table.put({ ...sales(first), succeeded_at: ago(1) });
    await plan();
    expect(await countLate(table)).toEqual({ late: 1, all: 4 });
  });
});

describe("planning is safe", () => {
  test("if two run at once: each replication is requested at most twice, and due when one would have set it", async () => {
    const crbId = await createTestCrb();
    clock.advance(minute);
    await Promise.all([plan(), plan()]);
    await expect.poll(() => new Set(sentNames())).toEqual(new Set(namesOf(crbId)));
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 0 });
    expect(await dueOf(crbId, "sale")).toBe(300_000);
  });

  test("if the queue rejects all messages: everything stays due, and the failure is reported", async () => {
    await createTestCrb();
    clock.advance(minute);
    const url = process.env.REPLICATION_QUEUE_URL;
    process.env.REPLICATION_QUEUE_URL = `${url}-gone`;
    await expect(plan()).rejects.toThrow("no such queue");
    process.env.REPLICATION_QUEUE_URL = url;
    // The status page does not show this run.
    expect((await readFreshness(table, clock.now())).plannedAt).not.toBe(clock.now().toISOString());
    expect(await plan()).toEqual({ ask: 5, wait: 0, drop: 0 });
  });

  test("if a CRB cannot be read: the other CRBs are planned", async () => {
    const [broken, healthy] = [await createTestCrb(), await createTestCrb()];
    await table.update(crbKey(broken), { record: { status: "nonsense" } });
    clock.advance(minute);
    await plan();
    expect(await waitForRuns(10)).toEqual(expect.arrayContaining(namesOf(healthy)));
  });

  test("if a replication is brought forward meanwhile: it keeps the earlier time", async () => {
    const crbId = await createTestCrb();
    clock.advance(minute);
    const advance = async () => {
      for (const kind of recordKinds) await advanceReplication(table, crbId, kind, new Date(clock.time - 1));
    };
    await planReplications(racedTable(table, advance, "UpdateItemCommand"), { intervals, clock });
    for (const kind of recordKinds) expect(await dueOf(crbId, kind)).toBe(-1);
  });
});
