import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { customer as customerSchema } from "../../../shared/api/schemas/customer.ts";
import { type Connection, PosError } from "../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";
import { sensitiveHasher } from "../../../shared/privacy/hashing.ts";
import { acquireLease, Lease, leaseMilliseconds } from "../../../shared/replication/lease.ts";
import { normaliseCustomer } from "../../../shared/replication/normaliseCustomer.ts";
import { replicate } from "../../../shared/replication/replicate.ts";
import type { Table } from "../../../shared/table/client.ts";
import { searchCustomers } from "../../../shared/table/customers.ts";
import { recordList, replicationKey } from "../../../shared/table/keys.ts";
import { readPage } from "../../../shared/table/rankedList/readPage.ts";
import { useTestServiceKey } from "../../testServiceKey.ts";
import { createTestTable } from "../../testTable.ts";
import { testConnection } from "../pos/sandbox/testConnection.ts";
import { type Calls, interceptCalls, TestClock } from "../table/rankedList/listUnderTest.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";

useTestServiceKey();

let table: Table;
let calls: Calls;
let connection: Connection;
let clock: TestClock;
let pos: ScriptedPos;

beforeAll(async () => {
  table = await createTestTable();
  calls = interceptCalls(table);
});

beforeEach(() => {
  letCallsPass();
  startAnew();
});

function startAnew(): void {
  connection = { ...testConnection, crbId: randomUUID() };
  clock = new TestClock("2026-03-01T12:00:00.000Z");
  pos = new ScriptedPos(3);
}

function letCallsPass(): void {
  calls.before = () => undefined;
  calls.after = () => undefined;
}

const run = (deadline?: Date) =>
  replicate(table, connection, pos, "customer", { clock, ...(deadline && { deadline }) });

const state = () => table.get(replicationKey(connection.crbId, "customer"), { consistent: true });

async function listed(): Promise<Record<string, unknown>[]> {
  const { total, records } = await readPage(table, recordList(connection.crbId, "customer"), {
    offset: 0,
    limit: 1000,
  });
  expect(records).toHaveLength(total);
  return records.map((record) => JSON.parse(record));
}

/** Holds the whole list, and the search for each of its customers, against what the POS holds. */
async function expectEqualToPos(): Promise<void> {
  const records = await listed();
  const expected = [...pos.customers.values()].map((customer) => normaliseCustomer(connection, customer).content);
  const undated = records.map((record) => ({ ...record, svc_created_date: null, svc_updated_date: null }));
  const byId = (contents: Record<string, unknown>[]) => new Map(contents.map((content) => [content.id, content]));
  expect(records).toHaveLength(expected.length);
  expect(byId(undated)).toEqual(byId(expected));
  const page = { offset: 0, limit: 1000 };
  for (const customer of pos.customers.values()) {
    const hash = sensitiveHasher(connection.crbId);
    const last_name = hash.name(customer.last_name) ?? "";
    const phone = hash.phone(customer.cell_phone) ?? "";
    const found = await searchCustomers(table, connection.crbId, { last_name, phone }, page);
    expect(found.records.map((record) => JSON.parse(record).pos_customer_id)).toEqual([customer.pos_customer_id]);
  }
}

describe("a run", () => {
  test("brings everything at first, then what is new or changed", async () => {
    pos.put(...["1", "2", "3", "4", "5", "6", "7"].map((id) => plainCustomer(id)));
    expect(await run()).toEqual({ outcome: "finished", created: 7, changed: 0, unchanged: 0, rejected: 0 });
    await expectEqualToPos();

    clock.advance(86_400_000);
    pos.put(plainCustomer("8"), plainCustomer("2", 1), plainCustomer("3"));
    expect(await run()).toEqual({ outcome: "finished", created: 1, changed: 1, unchanged: 1, rejected: 0 });
    await expectEqualToPos();
    const records = await listed();
    expect(records.slice(0, 2).map((record) => record.pos_customer_id)).toEqual(["2", "8"]);
    expect(records[0]).toMatchObject({
      svc_created_date: "2026-03-01T12:00:00.000Z",
      svc_updated_date: "2026-03-02T12:00:00.000Z",
    });
    expect(records.filter((record) => record.svc_updated_date !== "2026-03-01T12:00:00.000Z")).toHaveLength(2);
  });

  test("asks for the pages one after the other, all of them from the same watermark to the same instant", async () => {
    pos.put(...["1", "2", "3", "4", "5", "6", "7"].map((id) => plainCustomer(id)));
    pos.beforePage = () => clock.advance(1000);
    const started = clock.now();
    await run();
    await run();
    expect(pos.requests).toEqual([
      { kind: "customer", since: null, position: null, now: started },
      { kind: "customer", since: null, position: "3-7", now: started },
      { kind: "customer", since: null, position: "6-7", now: started },
      { kind: "customer", since: "7", position: null, now: new Date(started.getTime() + 3000) },
    ]);
  });

  test("without anything new changes nothing but its own state", async () => {
    pos.put(plainCustomer("1"));
    await run();
    const before = await listed();
    clock.advance(60_000);
    expect(await run()).toEqual({ outcome: "finished", created: 0, changed: 0, unchanged: 0, rejected: 0 });
    expect(await listed()).toEqual(before);
    expect(await state()).toMatchObject({
      held_until: 0,
      since: "1",
      position: null,
      succeeded_at: "2026-03-01T12:01:00.000Z",
    });
  });

  test("counts what the connector sets aside", async () => {
    const rejecting = new ScriptedPos(3);
    rejecting.put(plainCustomer("1"));
    const pull = rejecting.pull.bind(rejecting);
    rejecting.pull = async (of, request) => ({
      ...(await pull(of, request)),
      rejected: [{ posId: "9", field: "pos_customer_id", reason: "missing" }],
    });
    const result = await replicate(table, connection, rejecting, "customer", { clock });
    expect(result).toMatchObject({ outcome: "finished", created: 1, rejected: 1 });
  });

  test("of the sandbox fills the list with records as the contract has them", async () => {
    connection = { ...connection, businessType: "wholesale" };
    clock = new TestClock("2026-03-01T00:10:00.000Z");
    const sandbox = sandboxConnector(60);
    const first = await replicate(table, connection, sandbox, "customer", { clock });
    expect(first).toMatchObject({ outcome: "finished", created: 310, rejected: 0 });
    const records = await listed();
    for (const record of records) customerSchema.parse(record);
    expect(Object.keys(records[0] ?? {})).toEqual(Object.keys(customerSchema.shape));
    clock.advance(180_000);
    const later = await replicate(table, connection, sandbox, "customer", { clock });
    expect(later).toMatchObject({ created: 3, unchanged: 0 });
    expect("changed" in later && later.changed).toBeGreaterThanOrEqual(2);
  });
});

describe("a run that is killed", () => {
  const before = ["1", "2", "3", "4", "5"].map((id) => plainCustomer(id));
  const after = [plainCustomer("6"), plainCustomer("1", 1), plainCustomer("7"), plainCustomer("5", 2)];

  /** Ends the process, so to speak, with call number `at`: before the engine gets it, or before its answer arrives. */
  function killAt(at: number, when: "before" | "after"): void {
    let count = 0;
    let dead = false;
    const kill = (now: boolean) => {
      dead ||= now;
      if (dead) throw new Error("killed");
    };
    calls.before = () => kill(++count === at && when === "before");
    // Calls may be under way side by side: the first answer once so many were sent.
    calls.after = () => kill(count >= at && when === "after");
  }

  async function callsOfRun(): Promise<number> {
    let count = 0;
    calls.before = () => void count++;
    await run();
    letCallsPass();
    return count;
  }

  async function expectToRecover(at: number, when: "before" | "after"): Promise<void> {
    killAt(at, when);
    await expect(run()).rejects.toThrow("killed");
    letCallsPass();
    clock.advance(leaseMilliseconds);
    expect(await run()).toMatchObject({ outcome: "finished" });
    await expectEqualToPos();
  }

  test.each(["before", "after"] as const)("%s any call at first is made good by the next", async (when) => {
    pos.put(...before);
    const count = await callsOfRun();
    expect(count).toBeGreaterThan(8);
    for (let at = 1; at <= count; at++) {
      startAnew();
      pos.put(...before);
      await expectToRecover(at, when);
    }
  });

  test.each(["before", "after"] as const)("%s any call later on is made good by the next", async (when) => {
    pos.put(...before);
    await run();
    pos.put(...after);
    const count = await callsOfRun();
    expect(count).toBeGreaterThan(8);
    for (let at = 1; at <= count; at++) {
      startAnew();
      pos.put(...before);
      await run();
      clock.advance(86_400_000);
      pos.put(...after);
      await expectToRecover(at, when);
    }
  });

  test("goes on with the page after the last saved one", async () => {
    pos.put(...["1", "2", "3", "4", "5", "6", "7"].map((id) => plainCustomer(id)));
    pos.beforePage = ({ position }) => {
      if (position === "6-7") calls.before = () => Promise.reject(new Error("killed"));
    };
    const started = clock.now();
    await expect(run()).rejects.toThrow("killed");
    letCallsPass();
    pos.beforePage = () => undefined;
    clock.advance(leaseMilliseconds);
    expect(await run()).toEqual({ outcome: "finished", created: 7, changed: 0, unchanged: 0, rejected: 0 });
    expect(pos.requests.at(-1)).toEqual({ kind: "customer", since: null, position: "6-7", now: started });
    expect(pos.requests).toHaveLength(4);
  });
});

describe("the lease", () => {
  test("keeps a second run away", async () => {
    pos.put(plainCustomer("1"));
    const lease = await acquireLease(table, connection.crbId, "customer", clock);
    expect(lease).toBeInstanceOf(Lease);
    expect(await run()).toEqual({ outcome: "held", until: new Date(clock.time + leaseMilliseconds) });
    expect(pos.requests).toEqual([]);
  });

  test("that another took over stops the run, which writes nothing any more", async () => {
    pos.put(...["1", "2", "3", "4", "5"].map((id) => plainCustomer(id)));
    let taken: unknown;
    pos.beforePage = async ({ position }) => {
      if (position === null) return;
      clock.advance(leaseMilliseconds);
      await acquireLease(table, connection.crbId, "customer", clock);
      taken = await state();
    };
    expect(await run()).toEqual({ outcome: "lost" });
    expect((await listed()).map((record) => record.pos_customer_id).sort()).toEqual(["1", "2", "3"]);
    expect(await state()).toEqual(taken);
  });

  test("is renewed while a page takes long", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      pos.put(plainCustomer("1"));
      pos.beforePage = async () => {
        for (let third = 0; third < 9; third++) {
          clock.advance(leaseMilliseconds / 3);
          await vi.advanceTimersByTimeAsync(leaseMilliseconds / 3);
          await vi.waitFor(async () => expect((await state())?.held_until).toBe(clock.time + leaseMilliseconds));
          expect(await acquireLease(table, connection.crbId, "customer", clock)).not.toBeInstanceOf(Lease);
        }
      };
      expect(await run()).toMatchObject({ outcome: "finished" });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("a run whose time is over stops after a page, and the next goes on there", async () => {
  pos.put(...["1", "2", "3", "4", "5", "6", "7"].map((id) => plainCustomer(id)));
  pos.beforePage = () => clock.advance(60_000);
  const deadline = new Date(clock.time + 100_000);
  expect(await run(deadline)).toMatchObject({ outcome: "unfinished", created: 6 });
  expect(await run()).toMatchObject({ outcome: "finished", created: 7 });
  expect(pos.requests.map(({ position }) => position)).toEqual([null, "3-7", "6-7"]);
  await expectEqualToPos();
});

describe("a POS that fails", () => {
  test.each(["credentialsRefused", "locationGone", "unreachable"] as const)(
    "by %s ends the run with that",
    async (failure) => {
      pos.put(...["1", "2", "3", "4"].map((id) => plainCustomer(id)));
      pos.beforePage = ({ position }) => {
        if (position !== null) throw new PosError(failure);
      };
      await expect(run()).rejects.toThrow(new PosError(failure));
      expect(await state()).toMatchObject({ error: failure, held_until: 0, succeeded_at: null, since: null });
      pos.beforePage = () => undefined;
      expect(await run()).toMatchObject({ outcome: "finished", created: 4 });
      expect(await state()).toMatchObject({ error: null });
    },
  );

  test("in a way of its own leaves no trace of what it said", async () => {
    pos.beforePage = () => {
      throw new TypeError("no phone (303) 555-0142 in Plainfirst1");
    };
    await expect(run()).rejects.toThrow(TypeError);
    expect(await state()).toMatchObject({ error: "unexpected", held_until: 0 });
    expect(JSON.stringify(await state())).not.toMatch(/Plain|555/);
  });
});

test("no plain sensitive value is anywhere in the table", async () => {
  pos.put(...["1", "2", "3", "4"].map((id) => plainCustomer(id)));
  await run();
  pos.put(plainCustomer("3", 1));
  await run();
  const { Items: items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
  const mine = items.filter((item) => JSON.stringify(item).includes(connection.crbId));
  expect(mine.length).toBeGreaterThan(4);
  const text = JSON.stringify(items).toLowerCase();
  const found = ["pearl st", "plain", "555-01", "30355501", "72055501", "example.com"].filter((value) =>
    text.includes(value),
  );
  // The address, which the contract stores plain, shows that the others would be found.
  expect(found).toEqual(["pearl st"]);
});
