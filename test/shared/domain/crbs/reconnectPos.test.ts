import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { PosConnectionStatus } from "../../../../shared/api/enumerations.ts";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { connectPos } from "../../../../shared/domain/crbs/connectPos.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { reconnectPos } from "../../../../shared/domain/crbs/reconnectPos.ts";
import { replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
import type { ReplicationLease } from "../../../../shared/domain/replication/replicationLease.ts";
import { noCounts } from "../../../../shared/domain/replication/replicationState.ts";
import { type Connector, PosError } from "../../../../shared/pos/connector.ts";
import { openConnection } from "../../../../shared/pos/openConnection.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb, createCrb, readCrb } from "../../../../shared/store/crbs.ts";
import { readEvents } from "../../../../shared/store/eventLog/readEvents.ts";
import { crbKey, posCredentialsKey } from "../../../../shared/store/keys/crbs.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { replicationDueKey, replicationKey } from "../../../../shared/store/keys/replication.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { racedTable } from "../../../racedTable.ts";
import { useTestSealingKey, useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "../replication/acquireFreeLease.ts";

const table = useTestTable();
useTestSealingKey();
useTestServiceKey();
useQueues();
beforeAll(() => void vi.stubEnv("POS_CONNECTORS", "sandbox"));
afterAll(() => void vi.unstubAllEnvs());

const blaze = (key: string, more: { location_id?: string } = {}) => ({
  pos_type: "Blaze" as const,
  pos_credentials: { Authorization: key },
  ...more,
});

/** A CRB that was connected with the key "old" a day ago. */
async function createConnectedCrb(status: PosConnectionStatus = "Needs Attention") {
  const crbId = randomUUID();
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  const spId = randomUUID();
  const record = { ...crbRecord(crbId), name: `Business ${crbId}` };
  await createCrb(table(), { record, serviceProviderId: spId, connection: null }, clock);
  await connectPos(table(), crbId, blaze("old"), { clock });
  await changeCrb(table(), crbId, ({ record, ...crb }) => ({
    ...crb,
    record: { ...record, pos_configs: record.pos_configs.map((config) => ({ ...config, status })) },
  }));
  clock.advance(24 * 3_600_000);
  const stored = async () => {
    const crb = (await readCrb(table(), crbId)) ?? expect.fail("no CRB");
    const connection = (await openConnection(table(), crb)) ?? expect.fail("no connection");
    return { status: crb.record.pos_configs[0]?.status, key: connection.credentials.Authorization, connection };
  };
  const state = (kind: RecordKind) => table().get(replicationKey(crbId, kind), { consistent: true });
  const run = (kind: RecordKind, planned_at?: string) =>
    replicateCrb(
      table(),
      { crb_id: crbId, kind, ...(planned_at && { planned_at }) },
      { deadline: new Date(clock.time + 600_000), clock },
    );
  return { crbId, clock, spId, stored, state, run };
}

/** All items of the CRB that a reconnection may change. */
const itemsOf = (crbId: string) =>
  table().batchGet(
    [
      crbKey(crbId),
      posCredentialsKey(crbId),
      replicationDueKey(crbId),
      ...recordKinds.map((kind) => replicationKey(crbId, kind)),
    ],
    { consistent: true },
  );

describe("docs/spec.md#pos-status", () => {
  test.each(["Needs Attention", "Pending", "Connected"] as const)(
    "a status of %s becomes Connected",
    async (before) => {
      const { crbId, clock, stored } = await createConnectedCrb(before);
      const { connection } = await stored();
      await reconnectPos(table(), crbId, blaze("new"), clock);
      const after = await stored();
      expect(after).toMatchObject({ status: "Connected", key: "new" });
      expect({ ...after.connection, credentials: {} }).toEqual({ ...connection, credentials: {} });
    },
  );

  test("the record of a Connected CRB does not change", async () => {
    const { crbId, clock } = await createConnectedCrb("Connected");
    const before = await table().get(crbKey(crbId), { consistent: true });
    await reconnectPos(table(), crbId, blaze("new"), clock);
    expect(await table().get(crbKey(crbId), { consistent: true })).toEqual(before);
  });
});

describe("after a reconnection, a replication", () => {
  test("continues at once, with the records that it has", async () => {
    const { crbId, clock, state, run } = await createConnectedCrb();
    expect(await run("product")).toMatchObject({ outcome: "finished" });
    const ids = async () =>
      (await table().queryPartition(recordList(crbId, "product").pk, { consistent: true })).map(({ sk }) => sk);
    const before = await ids();
    expect(before.length).toBeGreaterThan(0);
    const pause = new Date(clock.time + 12 * 3_600_000).toISOString();
    await table().update(replicationKey(crbId, "product"), {
      error: "credentialsRefused",
      attempts: 6,
      not_before: pause,
    });
    await table().update(replicationDueKey(crbId), { product: pause });
    const planned = clock.now().toISOString();
    expect(await run("product", planned)).toMatchObject({ outcome: "early" });
    await reconnectPos(table(), crbId, blaze("new"), clock);
    expect(await state("product")).toMatchObject({ error: null, attempts: 0, not_before: null });
    const due = await table().get(replicationDueKey(crbId), { consistent: true });
    expect(due?.product).toBe(new Date(clock.time + 60_000).toISOString());
    expect(await run("product", planned)).toMatchObject({ outcome: "finished", created: 0 });
    expect(await ids()).toEqual(before);
  });

  test("cannot store a failure that the POS reported for the old credentials", async () => {
    const { crbId, clock, stored, state } = await createConnectedCrb();
    const lease = await acquireFreeLease(table(), crbId, "sale", clock);
    await reconnectPos(table(), crbId, blaze("new"), clock);
    await expect(lease.fail("credentialsRefused", undefined, () => 3_600_000)).rejects.toThrow(LeaseLostError);
    expect(await state("sale")).toMatchObject({ error: null, not_before: null, held_until: 0 });
    await acquireFreeLease(table(), crbId, "sale", clock);
    expect((await stored()).status).toBe("Connected");
  });

  test.each(["Connected", "Pending"] as const)(
    "whose old credentials were rejected (%s) does not set the new ones to Needs Attention",
    async (before) => {
      const { crbId, clock, spId, stored, state } = await createConnectedCrb(before);
      const rejecting: Connector = {
        verify: async () => [],
        pull: async () => {
          throw new PosError("credentialsRefused");
        },
      };
      const replicate = (on: Table) =>
        replicateCrb(
          on,
          { crb_id: crbId, kind: "sale" },
          { deadline: new Date(clock.time + 600_000), clock, connectorOf: () => rejecting },
        );
      await replicate(table());
      clock.advance(24 * 3_600_000);
      const raced = testTableOf(table());
      let isReconnected = false;
      interceptCalls(raced).before = async (_, input) => {
        // The run's failure is stored, and its write of the CRB comes next.
        if (isReconnected || !JSON.stringify(input).includes('"Needs Attention"')) return;
        isReconnected = true;
        expect(await state("sale")).toMatchObject({ error: "credentialsRefused", attempts: 2 });
        await reconnectPos(table(), crbId, blaze("new"), clock);
      };
      expect(await replicate(raced)).toMatchObject({ outcome: "failed" });
      expect(isReconnected).toBe(true);
      expect(await stored()).toMatchObject({ status: "Connected", key: "new" });
      const { events } = await readEvents(testTableOf(table(), clock), spId, { limit: 1_000 });
      expect(events.filter((event) => event.includes('"to":"Needs Attention"'))).toEqual([]);
    },
  );

  test("that started while the credentials changed can store nothing", async () => {
    const { crbId, clock, state } = await createConnectedCrb();
    let lease: ReplicationLease | undefined;
    const raced = racedTable(table(), async () => (lease = await acquireFreeLease(table(), crbId, "sale", clock)));
    await reconnectPos(raced, crbId, blaze("new"), clock);
    await expect(lease?.save("page 2", noCounts, null)).rejects.toThrow(LeaseLostError);
    expect(await state("sale")).toMatchObject({ position: null, held_until: 0 });
  });

  test("starts from the beginning if the credentials decide which location is read, and continues at a named location", async () => {
    const { crbId, clock, state, run } = await createConnectedCrb();
    await run("product");
    await reconnectPos(table(), crbId, blaze("new"), clock);
    expect(await state("product")).toMatchObject({ since: null, succeeded_from: null });
    await reconnectPos(table(), crbId, blaze("new", { location_id: "testing" }), clock);
    await run("product");
    const { since, succeeded_from } = (await state("product")) ?? expect.fail("no state");
    expect(since).not.toBeNull();
    await reconnectPos(table(), crbId, blaze("newer", { location_id: "testing" }), clock);
    expect(await state("product")).toMatchObject({ since, succeeded_from });
  });

  test("starts from the beginning at another location", async () => {
    const { crbId, clock, stored, state, run } = await createConnectedCrb();
    await run("product");
    await reconnectPos(table(), crbId, blaze("new", { location_id: "testing" }), clock);
    expect((await stored()).connection.locationId).toBe("testing");
    expect(await state("product")).toMatchObject({ since: null, position: null, succeeded_from: null });
    await reconnectPos(table(), crbId, blaze("newer"), clock);
    expect((await stored()).connection.locationId).toBe("testing");
    expect(await run("product")).toMatchObject({ outcome: "finished" });
  });
});

test.each([
  ["credentials that the POS rejects", blaze("invalid-password"), "invalid"],
  ["credentials that do not fit", { ...blaze("new"), pos_credentials: { key: "new" } }, "invalid"],
  ["a location that the POS does not have", blaze("new", { location_id: "elsewhere" }), "invalid"],
  ["another POS", { pos_type: "Canix" as const, pos_credentials: { key: "new" } }, "invalid"],
])("%s change nothing", async (_, info, kind) => {
  const { crbId, clock, run } = await createConnectedCrb();
  await run("location");
  const before = await itemsOf(crbId);
  await expect(reconnectPos(table(), crbId, info, clock)).rejects.toMatchObject({ kind });
  expect(await itemsOf(crbId)).toEqual(before);
});

test("a CRB without a connection, an ended CRB and an unknown CRB are rejected", async () => {
  const { crbId, clock } = await createConnectedCrb();
  await endAssociation(table(), unusedBucket, crbId, clock);
  await expect(reconnectPos(table(), crbId, blaze("new"), clock)).rejects.toMatchObject({ kind: "notFound" });
  const id = randomUUID();
  await createCrb(table(), { record: crbRecord(id), serviceProviderId: randomUUID(), connection: null }, clock);
  await expect(reconnectPos(table(), id, blaze("new"), clock)).rejects.toMatchObject({ kind: "conflict" });
  await expect(reconnectPos(table(), randomUUID(), blaze("new"), clock)).rejects.toMatchObject({ kind: "notFound" });
});

test.each(["Needs Attention", "Connected"] as const)(
  "an association that ends meanwhile stores nothing of the reconnection (%s)",
  async (status) => {
    const { crbId, clock } = await createConnectedCrb(status);
    const raced = racedTable(table(), () => endAssociation(table(), unusedBucket, crbId, clock));
    await expect(reconnectPos(raced, crbId, blaze("new"), clock)).rejects.toMatchObject({ kind: "notFound" });
    expect(await table().get(posCredentialsKey(crbId), { consistent: true })).toBeUndefined();
    expect(await table().get(replicationDueKey(crbId), { consistent: true })).toBeUndefined();
  },
);

test("new credentials end the failures of a simulated POS, and keep the sales that a caller made", async () => {
  const { crbId, clock } = await createConnectedCrb();
  const sale = { type: "sale", date: "2026-03-01T12:00:00.000Z", changed: "2026-03-01T12:00:00.000Z" } as const;
  const failure = { error: "limited", until: "2099-01-01T00:00:00.000Z" } as const;
  await changeCrb(table(), crbId, ({ connection, ...crb }) => ({
    ...crb,
    connection: connection && { ...connection, sandbox: { rejectsCredentials: true, failure, sales: [sale] } },
  }));
  await reconnectPos(table(), crbId, blaze("new"), clock);
  expect((await readCrb(table(), crbId))?.connection?.sandbox).toEqual({ sales: [sale] });
});
