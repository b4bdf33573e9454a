import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { PosConnectionStatus } from "../../../../shared/api/enumerations.ts";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { endAssociation } from "../../../../shared/domain/crbs/endAssociation.ts";
import { withdrawConsent } from "../../../../shared/domain/onboarding/consent.ts";
import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { replicateCrb } from "../../../../shared/domain/replication/replicateCrb.ts";
import { replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { seal } from "../../../../shared/platform/crypto/sealing.ts";
import { PosError, type PosFailure } from "../../../../shared/pos/connector.ts";
import type { Crb, CrbConnection } from "../../../../shared/store/crb.ts";
import { changeCrb, createCrb, listCrbs, readCrb } from "../../../../shared/store/crbs.ts";
import { crbKey, posCredentialsKey } from "../../../../shared/store/keys/crbs.ts";
import { outboxPartition } from "../../../../shared/store/keys/inventory.ts";
import { locationInventoryList, type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import {
  announcedKey,
  posTypeKey,
  replicationDueKey,
  replicationKey,
} from "../../../../shared/store/keys/replication.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { recordId } from "../../../../shared/store/recordId.ts";
import { costOf } from "../../../bench/capacity.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { racedTable } from "../../../racedTable.ts";
import { useTestSealingKey, useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { unusedBucket } from "../../../unusedBucket.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { acquireFreeLease } from "./acquireFreeLease.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";
import { ScriptedStock, stockOf } from "./scriptedStock.ts";

useTestServiceKey();
useTestSealingKey();
const table = useTestTable();
const sent = useQueues();
const clock = new TestClock("2026-03-01T12:00:00.000Z");
const spId = randomUUID();
let crbId: string;
let pos: ScriptedPos;

beforeEach(async () => {
  await table().delete(posTypeKey("Treez"));
  crbId = await createTestCrb();
  pos = new ScriptedPos(3);
  clock.advance(60_000);
});

async function createTestCrb(): Promise<string> {
  const crbId = randomUUID();
  const connectedAt = clock.now().toISOString();
  await createCrb(
    table(),
    {
      record: {
        ...crbRecord(crbId),
        name: `Business ${crbId}`,
        pos_configs: [{ name: "Treez", updated_date: connectedAt, status: "Connected" }],
      },
      serviceProviderId: spId,
      connection: { posType: "Treez", locationId: null, connectedAt },
    },
    clock,
  );
  return crbId;
}

const run = (
  message: { crb_id?: string; kind?: RecordKind; planned_at?: string; full?: true } = {},
  deadline = new Date(clock.time + 600_000),
  on = table(),
) => replicateCrb(on, { crb_id: crbId, kind: "customer", ...message }, { deadline, clock, connectorOf: () => pos });
const customers = (...ids: number[]) => ids.map((id) => plainCustomer(String(id)));
const change = (to: (crb: Crb) => Crb) => changeCrb(table(), crbId, to, clock);
const setStatus = (status: "bank_disconnected" | "bank_pending") =>
  change(({ record, ...crb }) => ({ ...crb, record: { ...record, status } }));
const changeConnection = (to: Partial<CrbConnection>) =>
  change((crb) => ({ ...crb, connection: crb.connection && { ...crb.connection, ...to } }));
const setFailure = (failure: PosFailure, retryAfter?: number) => {
  pos.beforePage = () => {
    throw new PosError(failure, { retryAfter });
  };
};
const clearFailure = () => {
  pos.beforePage = () => undefined;
};
const config = async () => (await readCrb(table(), crbId))?.record.pos_configs[0];
const status = async () => (await config())?.status;
const state = (kind: RecordKind = "customer") => table().get(replicationKey(crbId, kind), { consistent: true });
const readDue = async (kind: RecordKind = "customer") =>
  (await table().get(replicationDueKey(crbId), { consistent: true }))?.[kind] as string | undefined;
const setDue = (milliseconds: number) =>
  table().update(replicationDueKey(crbId), {
    customer: new Date(clock.time + milliseconds).toISOString(),
    rank: clock.now().toISOString(),
  });
const messages = (count: number) =>
  expect
    .poll(() => sent.replication, { interval: 5 })
    .toHaveLength(count)
    .then(() => sent.replication);

describe("a run near its time limit", () => {
  test("sends a message for another run, which continues at its position", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5));
    expect(await run({}, clock.now())).toMatchObject({ outcome: "unfinished", created: 3 });
    expect(await messages(1)).toEqual([{ crb_id: crbId, kinds: ["customer"] }]);
    expect(await state()).toMatchObject({ position: "3-5", held_until: 0 });
    expect(await run()).toMatchObject({ outcome: "finished", created: 5 });
    expect(pos.requests.map(({ position }) => position)).toEqual([null, "3-5"]);
    expect(sent.delays).toEqual([]);
  });

  test("fails if that message cannot be sent, so that the queue delivers its own message again", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5));
    const url = process.env.REPLICATION_QUEUE_URL;
    process.env.REPLICATION_QUEUE_URL = `${url}-gone`;
    await expect(run({}, clock.now())).rejects.toThrow();
    process.env.REPLICATION_QUEUE_URL = url;
    expect(await run()).toMatchObject({ outcome: "finished", created: 5 });
  });
});

test.each<[string, () => Promise<unknown>]>([
  ["connection", () => changeConnection({ locationId: "elsewhere" })],
  [
    "credentials",
    async () => table().put({ ...posCredentialsKey(crbId), sealed: await seal(crbId, { apiKey: "new" }) }),
  ],
])("a run does nothing if the %s change before it has the lease", async (_, change) => {
  pos.put("customer", plainCustomer("1"));
  const raced = racedTable(table(), change, "PutItemCommand");
  expect(await run({}, undefined, raced)).toEqual({ outcome: "lost" });
  expect(pos.requests).toEqual([]);
  expect(await state()).toMatchObject({ held_until: 0, position: null });
  expect(await run()).toMatchObject({ outcome: "finished", created: 1 });
});

describe("a run that finds nothing", () => {
  /** A CRB whose records were announced by the run before. */
  async function createQuietCrb(kind: RecordKind) {
    if (kind === "customer") pos.put("customer", plainCustomer("1"));
    for (let i = 0; i < 3; i++) {
      await run({ kind });
      clock.advance(600_000);
    }
  }

  // Reads: the CRB and its credentials twice (once consistently), the lease, the fence before the request to the POS, and the
  // outcomes of the POS type. Sales also read the times up to which products and customers are stored. Writes: the lease, the
  // fence, and the end of the run.
  test.each([
    ["customer", 5.5],
    ["product", 5.5],
    ["inventory", 6.5],
    ["sale", 6.5],
  ] as const)("takes few units: kind %s", async (kind, maxReadUnits) => {
    await createQuietCrb(kind);
    const accepted = ["one", "other"].map((by) => ({ by, at: clock.now().toISOString() }));
    await table().put({ ...posTypeKey("Treez"), accepted });
    const { readUnits, writeUnits, result } = await costOf(table().client, () => run({ kind }));
    expect(result).toMatchObject({ outcome: "finished", created: 0, changed: 0 });
    expect(readUnits).toBeLessThanOrEqual(maxReadUnits);
    expect(writeUnits).toBeLessThanOrEqual(3);
  });

  test.each([
    [0, 1],
    [6_000, 2],
  ])("saves the position of its pages, if each takes %i ms, in %i writes with that of its end", async (ms, writes) => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5, 6, 7, 8, 9));
    for (let runs = 2; runs > 0; runs--) await run();
    const watched = testTableOf(table());
    let updates = 0;
    interceptCalls(watched).before = (command, input) => {
      const { Key } = input as { Key?: { sk: string } };
      if (command === "UpdateItemCommand" && JSON.stringify(Key).includes("CUSTOMER")) updates++;
    };
    pos.beforePage = () => clock.advance(ms);
    expect(await run({ full: true }, undefined, watched)).toMatchObject({ outcome: "finished", unchanged: 9 });
    expect(updates).toBe(writes);
  });

  test("announces the changes of a later run, even if that run is killed before it does", async () => {
    await createQuietCrb("customer");
    const announced = async () => (await table().get(announcedKey(crbId, "customer"), { consistent: true }))?.head;
    const before = await announced();
    pos.put("customer", plainCustomer("2"));
    const killed = testTableOf(table());
    let isKilled = false;
    const calls = interceptCalls(killed);
    calls.before = () => {
      if (isKilled) throw new Error("killed");
    };
    calls.after = (command) => {
      isKilled ||= command === "TransactWriteItemsCommand";
    };
    await run({}, undefined, killed).catch(() => undefined);
    expect(await announced()).toBe(before);
    clock.advance(replicationLeaseMs);
    expect(await run()).toMatchObject({ outcome: "finished" });
    expect(((await announced()) as string) > (before as string)).toBe(true);
  });
});

describe("a full run", () => {
  const ids = ["1", "2", "3", "4", "5"];

  test("reads everything again, even if several workers continue it", async () => {
    pos.put("customer", ...ids.map((id) => plainCustomer(id)));
    await run();
    pos.requests.length = 0;
    expect(await run({ full: true }, clock.now())).toMatchObject({ outcome: "unfinished", unchanged: 3 });
    const [next] = (await messages(1)) as object[];
    expect(await run(next)).toMatchObject({ outcome: "finished", unchanged: 5 });
    expect(pos.requests.map(({ since, position }) => [since, position])).toEqual([
      [null, null],
      [null, "3-5"],
    ]);
    expect(await run()).toMatchObject({ outcome: "finished" });
    expect(pos.requests.at(-1)?.since).not.toBeNull();
  });

  test("is requeued while another run has the lease", async () => {
    await acquireLease(table(), crbId, "customer", clock);
    expect(await run({ full: true })).toMatchObject({ outcome: "held" });
    expect(await messages(1)).toEqual([{ crb_id: crbId, kinds: ["customer"], full: true }]);
    expect(sent.delays).toEqual([replicationLeaseMs + 1_000]);
    sent.replication = [];
    expect(await run()).toMatchObject({ outcome: "held" });
    expect(sent.replication).toEqual([]);
  });
});

describe("a POS with a rate limit", () => {
  test("is retried by a delayed message; planned runs wait, and the position is kept", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4));
    pos.beforePage = ({ position }) => {
      if (position !== null) throw new PosError("limited", { retryAfter: 120 });
    };
    await setDue(60_000);
    const before = await readDue();
    const result = await run();
    expect(result).toMatchObject({ outcome: "failed", failure: "limited" });
    const [message] = (await messages(1)) as { planned_at: string }[];
    const [delay = 0] = sent.delays;
    expect(delay).toBeGreaterThan(120_000);
    expect(delay).toBeLessThan(134_000);
    expect(await readDue()).toBe(before);
    expect(await status()).toBe("Connected");
    clearFailure();
    clock.advance(60_000);
    expect(await run({ planned_at: clock.now().toISOString() })).toMatchObject({ outcome: "early", error: "limited" });
    clock.advance(delay - 60_000);
    expect(await run(message)).toMatchObject({ outcome: "finished", created: 4 });
    expect(await run(message)).toEqual({ outcome: "superseded" });
  });

  test("is retried by the schedule if its limit lasts longer than a message can be delayed", async () => {
    setFailure("limited", 3_600);
    await setDue(2 * 3_600_000);
    const { retryAt } = (await run()) as { retryAt: Date };
    expect(await readDue()).toBe(retryAt.toISOString());
    expect(retryAt.getTime()).toBeGreaterThanOrEqual(clock.time + 3_600_000);
    expect(sent.replication).toEqual([]);
  });
});

describe("a POS type without a response", () => {
  const openUntil = (milliseconds: number) =>
    table().put({ ...posTypeKey("Treez"), open_until: new Date(clock.time + milliseconds).toISOString() });
  const breaker = () => table().get(posTypeKey("Treez"), { consistent: true });

  test("is not called, and the run is due again when the next one may be", async () => {
    await openUntil(120_000);
    await setDue(3_600_000);
    const until = new Date(clock.time + 120_000);
    let calls = 0;
    pos.beforePage = () => void calls++;
    expect(await run()).toEqual({ outcome: "posDown", until });
    expect(await readDue()).toBe(until.toISOString());
    expect(calls).toBe(0);
  });

  test("gets a requested full read later", async () => {
    await openUntil(120_000);
    expect(await run({ full: true })).toMatchObject({ outcome: "posDown" });
    expect(await messages(1)).toMatchObject([{ full: true }]);
    expect(sent.delays).toEqual([121_000]);
  });

  test("gets another trial at once if another run of the CRB held the lease", async () => {
    await openUntil(-1_000);
    const before = await breaker();
    const lease = await acquireFreeLease(table(), crbId, "customer", clock);
    expect(await run()).toMatchObject({ outcome: "held" });
    expect(await breaker()).toEqual(before);
    await lease.release();
    expect(await run()).toMatchObject({ outcome: "finished" });
    expect(await breaker()).not.toHaveProperty("open_until");
  });

  test("opens its breaker by failed runs of any CRB, and one that reaches it closes the breaker", async () => {
    await table().put({
      ...posTypeKey("Treez"),
      failures: 9,
      failing_since: new Date(clock.time - 7 * 60_000).toISOString(),
    });
    setFailure("unreachable");
    await run();
    expect(await breaker()).toMatchObject({ failures: 10, open_until: expect.any(String) });
    clearFailure();
    clock.advance(60_000);
    expect(await run()).toMatchObject({ outcome: "finished" });
    expect(await breaker()).not.toHaveProperty("open_until");
  });

  test.each(["limited", "notUnderstood", "credentialsRefused"] as const)(
    "closes its breaker by %s",
    async (failure) => {
      await openUntil(0);
      setFailure(failure);
      expect(await run()).toMatchObject({ outcome: "failed", failure });
      expect(await breaker()).not.toHaveProperty("open_until");
    },
  );
});

describe("an outage", () => {
  test.each(["unreachable", "notUnderstood"] as const)(
    "(%s) is retried by the schedule, after growing pauses",
    async (failure) => {
      setFailure(failure);
      await setDue(24 * 3_600_000);
      const pauses: number[] = [];
      for (let i = 0; i < 4; i++) {
        await setDue(24 * 3_600_000);
        const { retryAt } = (await run()) as { retryAt: Date };
        expect(await readDue()).toBe(retryAt.toISOString());
        pauses.push(retryAt.getTime() - clock.time);
        clock.time = retryAt.getTime();
      }
      for (const [i, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(30_000 * 2 ** i);
        expect(pause).toBeLessThanOrEqual(60_000 * 2 ** i);
      }
      expect(await status()).toBe("Connected");
      expect(sent.replication).toEqual([]);
    },
  );

  test("is not retried before the replication is due, nor after the CRB's association has ended", async () => {
    setFailure("unreachable");
    const before = await readDue();
    await run();
    expect(await readDue()).toBe(before);
    await endAssociation(table(), unusedBucket, crbId, clock);
    expect(await readDue()).toBeUndefined();
    expect(await run()).toEqual({ outcome: "notConnected" });
    expect(await readDue()).toBeUndefined();
  });
});

describe("the POS configuration", () => {
  test.each(["credentialsRefused", "locationGone"] as const)(
    "is Needs Attention after a second %s, and Connected after a success",
    async (failure) => {
      const before = await config();
      setFailure(failure);
      const first = (await run()) as { retryAt: Date };
      expect(first.retryAt.getTime() - clock.time).toBeGreaterThanOrEqual(10 * 60_000);
      expect(first.retryAt.getTime() - clock.time).toBeLessThanOrEqual(20 * 60_000);
      expect(await config()).toEqual(before);
      clock.time = first.retryAt.getTime();
      const second = (await run()) as { retryAt: Date };
      expect(second.retryAt.getTime() - clock.time).toBeGreaterThanOrEqual(60 * 60_000);
      expect(await config()).toEqual({ ...before, status: "Needs Attention", updated_date: clock.now().toISOString() });
      clearFailure();
      clock.advance(1_000);
      expect(await run()).toMatchObject({ outcome: "finished" });
      expect(await config()).toEqual({ ...before, status: "Connected", updated_date: clock.now().toISOString() });
    },
  );

  test("is written only if its status changes", async () => {
    await run();
    const version = async () => (await table().get(crbKey(crbId), { consistent: true }))?.version;
    expect(await version()).toBe(1);
    setFailure("credentialsRefused");
    for (let times = 3; times > 0; times--) await run();
    clock.advance(1_000);
    for (let times = 2; times > 0; times--) await run({ kind: "product" });
    expect(await version()).toBe(2);
  });

  test("moves the CRB to the front of its list if it changes on a later day", async () => {
    const first = async () => {
      const { records } = await listCrbs(table(), spId, { offset: 0, limit: 1 });
      return records[0]?.id;
    };
    const other = randomUUID();
    const record = { ...crbRecord(other), name: `Business ${other}` };
    await createCrb(table(), { record, serviceProviderId: spId, connection: null }, clock);
    expect(await first()).toBe(other);
    clock.advance(24 * 3_600_000);
    setFailure("credentialsRefused");
    await run();
    await run();
    expect(await first()).toBe(crbId);
  });

  test.each(["unreachable", "notUnderstood", "limited", "notPermitted"] as const)(
    "stays Connected after %s",
    async (failure) => {
      setFailure(failure);
      await run();
      expect(await status()).toBe("Connected");
    },
  );

  test.each([
    ["Pending", "Connected"],
    ["Needs Attention", "Connected"],
    ["Not Connected", "Not Connected"],
  ] as const)("changes from %s to %s with a success", async (from: PosConnectionStatus, to) => {
    await change(({ record, ...crb }) => ({
      ...crb,
      record: { ...record, pos_configs: record.pos_configs.map((each) => ({ ...each, status: from })) },
    }));
    await run();
    expect(await status()).toBe(to);
  });

  test("that is Connected again requeues all kinds whose credentials were rejected", async () => {
    setFailure("credentialsRefused");
    for (const kind of ["sale", "customer", "customer", "product"] as const) await run({ kind });
    setFailure("unreachable");
    await run({ kind: "inventory" });
    sent.replication = [];
    clearFailure();
    await run();
    expect(await messages(2)).toEqual([
      { crb_id: crbId, kinds: ["product"] },
      { crb_id: crbId, kinds: ["sale"] },
    ]);
  });

  test("becomes Needs Attention even if the run was killed before it could store that", async () => {
    setFailure("credentialsRefused");
    await run();
    clock.advance(60 * 60_000);
    const crashing = testTableOf(table());
    interceptCalls(crashing).before = (command, input) => {
      const changesCrb = JSON.stringify(input).includes('"pos_configs"');
      if (command === "TransactWriteItemsCommand" && changesCrb) throw new Error("killed");
    };
    const planned = { planned_at: clock.now().toISOString() };
    await expect(run(planned, clock.now(), crashing)).rejects.toThrow("killed");
    expect(await status()).toBe("Connected");
    expect(await run(planned)).toMatchObject({ outcome: "early" });
    expect(await status()).toBe("Needs Attention");
  });

  test("is not changed by a run of an earlier connection", async () => {
    setFailure("credentialsRefused");
    await run();
    pos.beforePage = async () => {
      await changeConnection({ connectedAt: "2026-03-05T00:00:00.000Z" });
      throw new PosError("credentialsRefused");
    };
    await run();
    expect(await status()).toBe("Connected");
  });
});

describe("credentials that a POS rejects", () => {
  const statusOf = async (id: string) => (await readCrb(table(), id))?.record.pos_configs[0]?.status;
  const runRejected = async (crb_id: string) => {
    const result = await run({ crb_id });
    return { ...("rejection" in result && { rejection: result.rejection }), status: await statusOf(crb_id) };
  };
  const [unchanged, attention] = ["Connected", "Needs Attention"];

  test("change no configuration while all businesses of the POS type are affected, however long, except those still rejected afterwards", async () => {
    const ids = [crbId, await createTestCrb(), await createTestCrb()] as const;
    for (const crb_id of ids) await run({ crb_id });
    clock.advance(60_000);
    setFailure("credentialsRefused");
    for (const crb_id of ids) expect(await runRejected(crb_id)).toEqual({ status: unchanged });
    for (const hours of [1, 2, 30]) {
      clock.advance(hours * 3_600_000);
      for (const crb_id of ids) expect(await runRejected(crb_id)).toEqual({ rejection: "service", status: unchanged });
    }
    // The POS accepts two again, and not the third.
    clearFailure();
    for (const crb_id of ids.slice(1)) expect(await run({ crb_id })).toMatchObject({ outcome: "finished" });
    setFailure("credentialsRefused");
    expect(await runRejected(crbId)).toEqual({ rejection: "own", status: attention });
  });

  test("are the business's own fault if the POS accepts another business meanwhile", async () => {
    const other = await createTestCrb();
    setFailure("credentialsRefused");
    expect(await runRejected(crbId)).toEqual({ status: unchanged });
    clock.advance(60_000);
    clearFailure();
    await run({ crb_id: other });
    clock.advance(60_000);
    setFailure("credentialsRefused");
    expect(await runRejected(crbId)).toEqual({ rejection: "own", status: attention });
  });

  test("need another attempt if no other business made a request since, and only one", async () => {
    const other = await createTestCrb();
    await run({ crb_id: other });
    clock.advance(60_000);
    setFailure("credentialsRefused");
    expect(await runRejected(crbId)).toEqual({ status: unchanged });
    clock.advance(1_200_000);
    expect(await runRejected(crbId)).toEqual({ rejection: "undecided", status: unchanged });
    clock.advance(3_600_000);
    expect(await runRejected(crbId)).toEqual({ rejection: "own", status: attention });
  });

  test("are the business's own fault if others were rejected long before, as is a removed location", async () => {
    const other = await createTestCrb();
    setFailure("credentialsRefused");
    await run({ crb_id: other });
    clock.advance(2 * 3_600_000);
    await run();
    clock.advance(1_200_000);
    expect(await runRejected(crbId)).toEqual({ rejection: "own", status: attention });
    const third = await createTestCrb();
    setFailure("locationGone");
    for (const expected of [{}, { rejection: "own" }]) {
      expect(await runRejected(third)).toMatchObject(expected);
    }
    expect(await statusOf(third)).toBe(attention);
  });

  test("leave no CRB id in the outcomes of their POS type", async () => {
    await run();
    setFailure("credentialsRefused");
    await run();
    const item = await table().get(posTypeKey("Treez"));
    expect(item).toMatchObject({ accepted: [{}], refused: [{}] });
    expect(JSON.stringify(item)).not.toContain(crbId.slice(0, 8));
  });
});

describe("stored stock is added to the lists of its locations", () => {
  const ids = ["1", "2", "3", "4", "5", "6"];
  let stock: ScriptedStock;
  beforeEach(() => {
    stock = new ScriptedStock(1);
    stock.put(...ids.map((id) => stockOf(id, { "101": 5 })));
  });
  const replicate = (deadline = new Date(clock.time + 600_000), on = table()) =>
    replicateCrb(on, { crb_id: crbId, kind: "inventory" }, { deadline, clock, connectorOf: () => stock });
  const totalOf = async (list: OrderedList) => (await readPage(table(), list, { offset: 0, limit: 10 })).total;
  const totals = () =>
    Promise.all([
      totalOf(recordList(crbId, "inventory")),
      totalOf(locationInventoryList(crbId, recordId(crbId, "location", "Treez", "101"))),
    ]);
  const inOutbox = async () => (await table().queryPartition(outboxPartition(crbId), { consistent: true })).length;

  test.each(["withdrawn", "ended", "paused"])("even if the connection was %s before the run continued", async (how) => {
    expect(await replicate(clock.now())).toMatchObject({ outcome: "unfinished" });
    expect([await totals(), await inOutbox()]).toEqual([[1, 0], 1]);
    const before = await state("inventory");
    if (how === "withdrawn") await withdrawConsent(table(), { crbId }, clock);
    else if (how === "ended") await endAssociation(table(), unusedBucket, crbId, clock);
    else await setStatus("bank_disconnected");
    expect(await replicate()).toEqual({ outcome: how === "paused" ? "paused" : "notConnected" });
    expect([await totals(), await inOutbox()]).toEqual([[1, 1], 0]);
    if (how !== "paused") return;
    expect(await state("inventory")).toMatchObject({ position: before?.position, held_until: 0 });
    await setStatus("bank_pending");
    expect(await replicate()).toMatchObject({ outcome: "finished", created: 6 });
  });

  /** A table of another process in which consent is withdrawn as soon as a run has stored stock. */
  function createWithdrawingTable(meanwhile: () => Promise<unknown> = async () => undefined) {
    const raced = testTableOf(table());
    const calls = interceptCalls(raced);
    let isStockWrite = false;
    calls.before = (_, input) => {
      isStockWrite = JSON.stringify(input).includes(
        `"Put":{"TableName":"${raced.name}","Item":{"pk":"${outboxPartition(crbId)}"`,
      );
    };
    calls.after = async () => {
      if (!isStockWrite) return;
      await meanwhile();
      await withdrawConsent(table(), { crbId }, clock);
    };
    return raced;
  }

  test("even if consent is withdrawn during the run", async () => {
    expect(await replicate(undefined, createWithdrawingTable())).toEqual({ outcome: "lost" });
    expect([await totals(), await inOutbox()]).toEqual([[1, 1], 0]);
  });

  test("even if the time slice is over then, too", async () => {
    const raced = createWithdrawingTable(async () => {
      for (let i = 0; i < 10; i++) await table().put({ pk: outboxPartition(crbId), sk: String(i), ids: [] });
    });
    expect(await replicate(clock.now(), raced)).toEqual({ outcome: "lost" });
    expect(await inOutbox()).toBeGreaterThan(0);
    expect(await messages(1)).toEqual([{ crb_id: crbId, kinds: ["inventory"] }]);
    await replicate();
    expect([await totals(), await inOutbox()]).toEqual([[1, 1], 0]);
  });

  test("even if that takes several workers", async () => {
    await replicate();
    const id = recordId(crbId, "inventory", "Treez", "1");
    for (let i = 0; i < 10; i++) await table().put({ pk: outboxPartition(crbId), sk: String(i), ids: [id] });
    await withdrawConsent(table(), { crbId }, clock);
    await replicate(clock.now());
    expect(await inOutbox()).toBe(6);
    expect(await messages(1)).toEqual([{ crb_id: crbId, kinds: ["inventory"] }]);
    await replicate();
    expect(await inOutbox()).toBe(0);
    expect(sent.replication).toHaveLength(1);
  });
});

describe("a run neither replicates nor requeues", () => {
  test("a CRB whose association is paused", async () => {
    await setStatus("bank_disconnected");
    expect(await run()).toEqual({ outcome: "paused" });
    expect(await state()).toBeUndefined();
    await setStatus("bank_pending");
    expect(await run()).toMatchObject({ outcome: "finished" });
  });

  test("a CRB that does not exist", async () => {
    crbId = randomUUID();
    expect(await run()).toEqual({ outcome: "notConnected" });
  });
});

test("every kind of a CRB is due a minute after its connection", async () => {
  const dueTimes = await Promise.all(recordKinds.map((kind) => readDue(kind)));
  expect(dueTimes).toEqual(recordKinds.map(() => clock.now().toISOString()));
});
