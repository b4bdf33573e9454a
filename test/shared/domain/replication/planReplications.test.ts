import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { planReplications } from "../../../../shared/domain/replication/planReplications.ts";
import { ReplicationLease } from "../../../../shared/domain/replication/replicationLease.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb, createCrb } from "../../../../shared/store/crbs.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import { replicationDueKey } from "../../../../shared/store/keys/replication.ts";
import { advanceReplication, readAllDue, readDue } from "../../../../shared/store/replicationDue.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useQueues } from "../../../useQueues.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";

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

async function givenCrb(serviceProviderId: string = randomUUID(), posType: string | null = "Treez"): Promise<string> {
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
const asked = () =>
  (sent.replication as { crb_id: string; kind: RecordKind }[]).map(({ crb_id, kind }) => `${crb_id} ${kind}`);
const namesOf = (crbId: string, kinds: readonly RecordKind[] = recordKinds) => kinds.map((kind) => `${crbId} ${kind}`);
const dueOf = async (crbId: string, kind: RecordKind) =>
  Date.parse((await table.get(replicationDueKey(crbId, kind), { consistent: true }))?.rank as string) - clock.time;
async function settled(count: number) {
  await expect.poll(() => sent.replication.length, { interval: 5 }).toBe(count);
  return asked().toSorted();
}

describe("what is due", () => {
  test("is asked for, of the CRBs of every service provider, and is due again after its kind's interval", async () => {
    const crbs = [await givenCrb(), await givenCrb()];
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 0 });
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 10, wait: 0, drop: 0 });
    expect(await settled(10)).toEqual(crbs.flatMap((id) => namesOf(id)).toSorted());
    for (const message of sent.replication) expect(message).toMatchObject({ planned_at: clock.now().toISOString() });
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 0 });
    for (const kind of recordKinds) expect(await dueOf(crbs[0] ?? "", kind)).toBe(intervals[kind] * 1_000);
    clock.advance(900_000);
    expect(await plan()).toEqual({ ask: 6, wait: 0, drop: 0 });
    expect((await settled(16)).filter((name) => name === `${crbs[0]} customer`)).toHaveLength(2);
  });

  test("comes again up to a tenth sooner or later, by chance", async () => {
    const crbId = await givenCrb();
    const next = [];
    for (const random of [0, 0.999_999]) {
      clock.advance(21_600_000 * 1.2);
      await plan({ random: () => random });
      next.push(Math.round((await dueOf(crbId, "customer")) / 1_000));
    }
    expect(next).toEqual([810, 990]);
  });

  test("of very many is read longest due first, and not all at once", async () => {
    const [first, second] = [await givenCrb(), await givenCrb()];
    await advanceReplication(table, second, "sale", new Date(clock.time - 2));
    await advanceReplication(table, first, "product", new Date(clock.time - 1));
    clock.advance(minute);
    const due = await readDue(table, clock.now(), 3);
    expect(due).toHaveLength(3);
    expect(due.slice(0, 2)).toMatchObject([
      { crbId: second, kind: "sale" },
      { crbId: first, kind: "product" },
    ]);
    expect(await readAllDue(table)).toHaveLength(10);
  });

  test("is left to the next planning when the time is over", async () => {
    await givenCrb();
    clock.advance(minute);
    expect(await plan({ deadline: clock.now() })).toEqual({ ask: 0, wait: 0, drop: 0 });
    expect(await plan()).toEqual({ ask: 5, wait: 0, drop: 0 });
  });

  test("costs no look at what is not due", async () => {
    for (let i = 0; i < 3; i++) await givenCrb();
    const watched = testTableOf(table);
    const commands: string[] = [];
    interceptCalls(watched).before = (command) => void commands.push(command);
    await planReplications(watched, { intervals, clock });
    expect(commands).toEqual(["QueryCommand"]);
  });
});

describe("is not asked for:", () => {
  test("a CRB whose association is paused, until it is resumed", async () => {
    const crbId = await givenCrb();
    await setStatus(crbId, "bank_disconnected");
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 0, wait: 5, drop: 0 });
    expect(await dueOf(crbId, "sale")).toBe(300_000);
    await setStatus(crbId, "bank_pending");
    clock.advance(300_000);
    expect(await plan()).toEqual({ ask: 1, wait: 0, drop: 0 });
    expect(await settled(1)).toEqual(namesOf(crbId, ["sale"]));
  });

  test("a CRB whose association has ended, which leaves nothing to plan", async () => {
    const crbId = await givenCrb();
    await endAssociation(table, unusedBucket, crbId, clock);
    expect(await readAllDue(table)).toEqual([]);
  });

  test("what was left over of a CRB without a connection, or without anything", async () => {
    const none = await givenCrb(undefined, null);
    for (const id of [none, randomUUID()]) {
      await table.put({ ...replicationDueKey(id, "sale"), rank: clock.now().toISOString() });
    }
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 2 });
    expect(await readAllDue(table)).toEqual([]);
  });

  test("a CRB whose files are uploaded", async () => {
    await givenCrb(undefined, "Manual Upload Retail");
    expect(await readAllDue(table)).toEqual([]);
  });

  test("what is to wait after a failure: it comes when the pause is over, or at its interval to be looked at", async () => {
    const crbId = await givenCrb();
    const pauses = { customer: 200_000, inventory: 3_600_000 };
    for (const [kind, pause] of Object.entries(pauses) as ["customer" | "inventory", number][]) {
      const lease = await acquireLease(table, crbId, kind, clock);
      if (lease instanceof ReplicationLease) await lease.fail("unreachable", undefined, () => pause);
    }
    clock.advance(minute);
    expect(await plan()).toEqual({ ask: 3, wait: 2, drop: 0 });
    expect(await dueOf(crbId, "customer")).toBe(140_000);
    expect(await dueOf(crbId, "inventory")).toBe(900_000);
    clock.advance(140_000);
    expect(await plan()).toEqual({ ask: 1, wait: 0, drop: 0 });
    expect((await settled(4)).filter((name) => name.endsWith("inventory"))).toEqual([]);
  });
});

describe("whatever happens meanwhile:", () => {
  test("two at once ask twice at most, and the turns stand as one would have set them", async () => {
    const crbId = await givenCrb();
    clock.advance(minute);
    await Promise.all([plan(), plan()]);
    await expect.poll(() => new Set(asked())).toEqual(new Set(namesOf(crbId)));
    expect(await plan()).toEqual({ ask: 0, wait: 0, drop: 0 });
    expect(await dueOf(crbId, "sale")).toBe(300_000);
  });

  test("killed before or after any call, leaves due what was not asked for", async () => {
    for (let victim = 0; victim < 18; victim++) {
      const crbId = await givenCrb();
      clock.advance(minute);
      sent.replication = [];
      const crashing = testTableOf(table);
      const calls = interceptCalls(crashing);
      let call = 0;
      const kill = () => {
        if (call++ >= Math.floor(victim / 2)) throw new Error("killed");
      };
      if (victim % 2) calls.after = kill;
      else calls.before = kill;
      await planReplications(crashing, { intervals, clock }).catch((error: Error) =>
        expect(error.message).toBe("killed"),
      );
      await plan();
      await expect.poll(() => namesOf(crbId).every((name) => asked().includes(name))).toBe(true);
      for (const kind of recordKinds) expect(await dueOf(crbId, kind)).toBeGreaterThan(0);
    }
  });

  test("a queue that takes nothing keeps everything due, and is told of", async () => {
    await givenCrb();
    clock.advance(minute);
    const url = process.env.REPLICATION_QUEUE_URL;
    process.env.REPLICATION_QUEUE_URL = `${url}-gone`;
    await expect(plan()).rejects.toThrow("no such queue");
    process.env.REPLICATION_QUEUE_URL = url;
    expect(await plan()).toEqual({ ask: 5, wait: 0, drop: 0 });
  });

  test("a CRB that cannot be read keeps no other from its turn", async () => {
    const [broken, sound] = [await givenCrb(), await givenCrb()];
    await table.update(crbKey(broken), { record: { status: "nonsense" } });
    clock.advance(minute);
    await plan();
    expect(await settled(10)).toEqual(expect.arrayContaining(namesOf(sound)));
  });

  test("a turn that was brought forward while it was planned stays where it was brought", async () => {
    const crbId = await givenCrb();
    clock.advance(minute);
    const own = testTableOf(table);
    const calls = interceptCalls(own);
    calls.before = async (command) => {
      if (command !== "UpdateItemCommand") return;
      calls.before = () => undefined;
      for (const kind of recordKinds) await advanceReplication(table, crbId, kind, new Date(clock.time - 1));
    };
    await planReplications(own, { intervals, clock });
    for (const kind of recordKinds) expect(await dueOf(crbId, kind)).toBe(-1);
  });
});
