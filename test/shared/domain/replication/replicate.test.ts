import { describe, expect, test, vi } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { customer as customerSchema } from "../../../../shared/api/schemas/customer.ts";
import { acquireLease } from "../../../../shared/domain/replication/acquireLease.ts";
import { normalizeCustomer } from "../../../../shared/domain/replication/normalizeCustomer.ts";
import { readRejected } from "../../../../shared/domain/replication/rejectedRecords.ts";
import { type ReplicationResult, replicate } from "../../../../shared/domain/replication/replicate.ts";
import { ReplicationLease, replicationLeaseMs } from "../../../../shared/domain/replication/replicationLease.ts";
import { sensitiveHasher } from "../../../../shared/platform/crypto/sensitiveHasher.ts";
import { PosError, type PullRequest, type RejectedPosRecord } from "../../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { searchCustomers } from "../../../../shared/store/customers.ts";
import { rejectedRecordsKey } from "../../../../shared/store/keys/replication.ts";
import { scan } from "../../../tableState.ts";
import { crashAt, crashPoints, letCallsPass, writesOf } from "../../store/crashInjection.ts";
import { plainCustomer, ScriptedPos } from "./scriptedPos.ts";
import { useReplication } from "./useReplication.ts";

const one = useReplication(new ScriptedPos(3));
const { table, calls, clock, pos, connection, reset } = one;
const run = (deadline?: Date) => one.run("customer", deadline && { deadline });
const state = () => one.state("customer");
const listed = () => one.records("customer");
const customers = (...ids: number[]) => ids.map((id) => plainCustomer(String(id)));

/** Compares the whole list, and a search for each customer, with the records of the POS. */
async function expectEqualToPos(): Promise<void> {
  const records = await listed();
  const expected = [...pos.held("customer").values()].map(
    (customer) => normalizeCustomer(connection, customer).content,
  );
  const undated = records.map((record) => ({ ...record, svc_created_date: null, svc_updated_date: null }));
  const byId = (contents: Record<string, unknown>[]) => new Map(contents.map((content) => [content.id, content]));
  expect(records).toHaveLength(expected.length);
  expect(byId(undated)).toEqual(byId(expected));
  const page = { offset: 0, limit: 1000 };
  for (const customer of pos.held("customer").values()) {
    const hash = sensitiveHasher(connection.crbId);
    const last_name = hash.name(customer.last_name) ?? "";
    const phone = hash.phone(customer.cell_phone) ?? "";
    const found = await (await searchCustomers(table(), connection.crbId, { last_name, phone }, page)).read();
    expect(found.records.map((record) => JSON.parse(record).pos_customer_id)).toEqual([customer.pos_customer_id]);
  }
}

describe("a run", () => {
  test("stores everything at first, then new and changed records", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5, 6, 7));
    expect(await run()).toEqual({ outcome: "finished", read: 7, created: 7, changed: 0, unchanged: 0, rejected: 0 });
    await expectEqualToPos();

    clock.advance(86_400_000);
    pos.put("customer", plainCustomer("8"), plainCustomer("2", 1), plainCustomer("3"));
    expect(await run()).toEqual({ outcome: "finished", read: 3, created: 1, changed: 1, unchanged: 1, rejected: 0 });
    await expectEqualToPos();
    const records = await listed();
    expect(records.slice(0, 2).map((record) => record.pos_customer_id)).toEqual(["2", "8"]);
    expect(records[0]).toMatchObject({
      svc_created_date: "2026-03-01T12:00:00.000Z",
      svc_updated_date: "2026-03-02T12:00:00.000Z",
    });
    expect(records.filter((record) => record.svc_updated_date !== "2026-03-01T12:00:00.000Z")).toHaveLength(2);
  });

  test("reads the pages one after the other, all for the same period", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5, 6, 7));
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

  test("without new records changes only its own state", async () => {
    pos.put("customer", plainCustomer("1"));
    await run();
    const before = await listed();
    clock.advance(60_000);
    expect(await run()).toEqual({ outcome: "finished", read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 });
    expect(await listed()).toEqual(before);
    expect(await state()).toMatchObject({
      held_until: 0,
      since: "1",
      position: null,
      succeeded_at: "2026-03-01T12:01:00.000Z",
    });
  });

  test("informs the connector which records are known", async () => {
    pos.put("customer", plainCustomer("1"), plainCustomer("2"));
    const known: unknown[] = [];
    pos.beforePage = async (request) => void known.push(await request.known?.(["1", "3", "2", ""]));
    await run();
    await run();
    expect(known).toEqual([new Set(), new Set(["1", "2"])]);
  });

  test("of the sandbox stores records that fit the specification", async () => {
    connection.businessType = "wholesale";
    clock.time = Date.parse("2026-03-01T00:10:00.000Z");
    const sandbox = sandboxConnector(60);
    const first = await replicate(table(), connection, sandbox, "customer", { clock });
    expect(first).toMatchObject({ outcome: "finished", created: 310, rejected: 0 });
    const records = await listed();
    for (const record of records) customerSchema.parse(record);
    expect(Object.keys(records[0] ?? {})).toEqual(Object.keys(customerSchema.shape));
    clock.advance(180_000);
    const later = await replicate(table(), connection, sandbox, "customer", { clock });
    expect(later).toMatchObject({ created: 3, unchanged: 0 });
    expect("changed" in later && later.changed).toBeGreaterThanOrEqual(2);
  });
});

describe("a run that is killed", () => {
  test("is continued after the last saved page", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5, 6, 7));
    pos.beforePage = ({ position }) => {
      if (position === "6-7") calls.before = () => Promise.reject(new Error("killed"));
    };
    const started = clock.now();
    await expect(run()).rejects.toThrow("killed");
    letCallsPass(calls);
    pos.beforePage = () => undefined;
    clock.advance(replicationLeaseMs);
    expect(await run()).toEqual({ outcome: "finished", read: 7, created: 7, changed: 0, unchanged: 0, rejected: 0 });
    expect(pos.requests.at(-1)).toEqual({ kind: "customer", since: null, position: "6-7", now: started });
    expect(pos.requests).toHaveLength(4);
  });
});

describe("the lease", () => {
  test("prevents a second run", async () => {
    pos.put("customer", plainCustomer("1"));
    const lease = await acquireLease(table(), connection.crbId, "customer", clock);
    expect(lease).toBeInstanceOf(ReplicationLease);
    expect(await run()).toEqual({ outcome: "held", until: new Date(clock.time + replicationLeaseMs) });
    expect(pos.requests).toEqual([]);
  });

  test("ends a run that loses it while it saves the state for the next worker", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5));
    let updates = 0;
    calls.before = async (command) => {
      // The first one saves the position.
      if (command !== "UpdateItemCommand" || ++updates !== 2) return;
      clock.advance(replicationLeaseMs);
      await acquireLease(table(), connection.crbId, "customer", clock);
    };
    expect(await run(new Date(clock.time))).toEqual({ outcome: "lost" });
    expect(updates).toBe(2);
  });

  test("ends a run that loses it, and the run writes nothing any more", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4, 5));
    let taken: unknown;
    pos.beforePage = async ({ position }) => {
      if (position === null) return;
      clock.advance(replicationLeaseMs);
      await acquireLease(table(), connection.crbId, "customer", clock);
      taken = await state();
    };
    expect(await run()).toEqual({ outcome: "lost" });
    expect((await listed()).map((record) => record.pos_customer_id).sort()).toEqual(["1", "2", "3"]);
    expect(await state()).toEqual(taken);
  });

  test("is renewed while a page takes long", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      pos.put("customer", plainCustomer("1"));
      pos.beforePage = async () => {
        for (let third = 0; third < 9; third++) {
          clock.advance(replicationLeaseMs / 3);
          await vi.advanceTimersByTimeAsync(replicationLeaseMs / 3);
          await expect.poll(async () => (await state())?.held_until).toBe(clock.time + replicationLeaseMs);
          expect(await acquireLease(table(), connection.crbId, "customer", clock)).not.toBeInstanceOf(ReplicationLease);
        }
      };
      expect(await run()).toMatchObject({ outcome: "finished" });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("a run stops after the page at its deadline, and the next run continues there", async () => {
  pos.put("customer", ...customers(1, 2, 3, 4, 5, 6, 7));
  pos.beforePage = () => clock.advance(60_000);
  const deadline = new Date(clock.time + 100_000);
  expect(await run(deadline)).toMatchObject({ outcome: "unfinished", created: 6 });
  expect(await run()).toMatchObject({ outcome: "finished", created: 7 });
  expect(pos.requests.map(({ position }) => position)).toEqual([null, "3-7", "6-7"]);
  await expectEqualToPos();
});

describe("a POS that fails", () => {
  test.each(["credentialsRefused", "locationGone", "notPermitted", "limited", "unreachable", "notUnderstood"] as const)(
    "with %s ends the run with that failure",
    async (failure) => {
      pos.put("customer", ...customers(1, 2, 3, 4));
      pos.beforePage = ({ position }) => {
        if (position !== null) throw new PosError(failure, { code: "503" });
      };
      const { retryAt, ...result } = (await run()) as Extract<ReplicationResult, { outcome: "failed" }>;
      expect(result).toEqual({ outcome: "failed", failure, code: "503", attempts: 1, since: expect.any(Date) });
      expect(retryAt.getTime()).toBeGreaterThan(clock.time);
      expect(await state()).toMatchObject({
        ...{ error: failure, attempts: 1, not_before: retryAt.toISOString() },
        ...{ held_until: 0, succeeded_at: null, since: null },
      });
      pos.beforePage = () => undefined;
      expect(await run()).toMatchObject({ outcome: "finished", created: 4 });
      expect(await state()).toMatchObject({ error: null });
    },
  );

  test("with an unexpected error leaves nothing of its message in the table", async () => {
    pos.beforePage = () => {
      throw new TypeError("no phone (303) 555-0142 in Plainfirst1");
    };
    await expect(run()).rejects.toThrow(TypeError);
    expect(await state()).toMatchObject({ error: "unexpected", not_before: null, held_until: 0 });
    expect(JSON.stringify(await state())).not.toMatch(/Plain|555-0142/);
  });
});

describe("records that are rejected", () => {
  const item = () => table().get(rejectedRecordsKey(connection.crbId, "customer"), { consistent: true });
  const listedIds = async () => (await readRejected(table(), connection.crbId, "customer")).map(({ pos_id }) => pos_id);
  /** Adds rejected records to each page, and sets whether the pull is complete. */
  function pages(rejected: (request: PullRequest<RecordKind>) => RejectedPosRecord[], complete?: boolean): void {
    pos.afterPage = (page, request) => ({ ...page, rejected: rejected(request), complete: complete ?? page.complete });
  }
  const reject = (...posIds: string[]) => posIds.map((posId) => ({ posId, field: "dob", reason: "invalid_date" }));

  test("are counted and stored with id, field and reason", async () => {
    pos.put("customer", plainCustomer("1"));
    pages(() => reject("9"));
    expect(await run()).toMatchObject({ outcome: "finished", read: 2, created: 1, rejected: 1 });
    const at = clock.now().toISOString();
    expect(await readRejected(table(), connection.crbId, "customer")).toEqual([
      { pos_id: "9", field: "dob", reason: "invalid_date", at },
    ]);
  });

  test("include those that do not fit into an item", async () => {
    pos.put("customer", plainCustomer("1"), { ...plainCustomer("2"), address_1: "x".repeat(400 * 1024) });
    expect(await run()).toMatchObject({ read: 2, created: 1, rejected: 1 });
    expect(await readRejected(table(), connection.crbId, "customer")).toMatchObject([
      { pos_id: "2", field: "", reason: "too_large" },
    ]);
  });

  test("are removed if they become valid, or if a complete pull does not have them", async () => {
    pages(({ since }) => (since === null ? reject("1", "2", "3") : []));
    await run();
    clock.advance(1_000);
    pos.put("customer", plainCustomer("2"));
    pages(() => reject("4"), false);
    await run();
    expect(await listedIds()).toEqual(["4", "1", "3"]);
    clock.advance(1_000);
    pages(() => reject("3"), true);
    await run();
    expect(await listedIds()).toEqual(["3"]);
    clock.advance(1_000);
    pages(() => [], true);
    await run();
    expect(await listedIds()).toEqual([]);
  });

  test("of a complete pull are kept if it continues after a failure", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4));
    pages(({ position }) => (position === null ? reject("8") : reject("9")));
    pos.beforePage = ({ position }) => {
      clock.advance(1_000);
      if (position !== null) throw new PosError("unreachable");
    };
    expect(await run()).toMatchObject({ outcome: "failed" });
    pos.beforePage = () => clock.advance(1_000);
    expect(await run()).toMatchObject({ outcome: "finished", rejected: 2 });
    expect(await listedIds()).toEqual(["9", "8"]);
  });

  test("are counted exactly, each once, even if they are more than can be listed", async () => {
    const posIds = Array.from({ length: 20_500 }, (_, i) => `R-${i}`);
    const withoutId = ["", "", ""];
    pages(({ since }) => reject(...posIds, ...(since === null ? withoutId : [])), false);
    await run();
    expect(await item()).toMatchObject({ count: 20_503, parts: 2 });
    await run();
    expect((await item())?.count).toBe(20_503);
    // Two are fixed, one of them not among the listed ones.
    pages(() => [], false);
    pos.put("customer", plainCustomer("R-0"), plainCustomer("R-20499"));
    await run();
    expect((await item())?.count).toBe(20_501);
    clock.advance(1);
    pages(() => reject("R-7", ""), true);
    await run();
    expect(await item()).toMatchObject({ count: 2, records: [{ pos_id: "R-7" }, { pos_id: "" }] });
  });

  test("without an id are counted exactly, over several workers and if one is killed", async () => {
    const prepare = async () => {
      await reset();
      pos.put("customer", ...customers(1, 2, 3, 4));
      pages(() => reject("", "", ""), true);
    };
    await prepare();
    expect(await run(clock.now())).toMatchObject({ outcome: "unfinished" });
    expect((await item())?.count).toBe(3);
    const writes = await writesOf(calls, run);
    expect(await item()).toMatchObject({ count: 6, records: [{ pos_id: "" }] });
    for (const write of crashPoints(writes)) {
      await prepare();
      await run(clock.now());
      crashAt(calls, write, "after");
      await run().catch(() => undefined);
      letCallsPass(calls);
      clock.advance(replicationLeaseMs);
      if ((await state())?.position) expect(await run()).toMatchObject({ outcome: "finished" });
      expect((await item())?.count).toBe(6);
    }
    clock.advance(60_000);
    pages(() => [], true);
    await run();
    expect(await item()).toMatchObject({ count: 0, records: [] });
  });

  test("without an id are counted once across runs, whatever else is rejected before them", async () => {
    pos.put("customer", plainCustomer("1"));
    pages(() => reject(""), false);
    await run();
    expect((await item())?.count).toBe(1);
    pos.put("customer", ...customers(2, 3, 4, 5));
    pages(({ position }) => reject(position === null ? "9" : ""), false);
    expect(await run()).toMatchObject({ rejected: 2 });
    expect((await item())?.count).toBe(2);
  });

  test("are counted if a clock is behind that of the worker that started the run", async () => {
    pos.put("customer", ...customers(1, 2, 3, 4));
    pages(({ position }) => (position === null ? [] : reject("9")));
    pos.beforePage = ({ position }) => {
      if (position !== null) clock.advance(-2_000);
    };
    expect(await run()).toMatchObject({ outcome: "finished" });
    expect(await item()).toMatchObject({ count: 1, records: [{ pos_id: "9" }] });
  });

  test("are listed up to a maximum number and length, and without an id once per reason", async () => {
    pages(() => reject(...Array.from({ length: 300 }, (_, i) => `${i}`.padEnd(1_000, "x")), "", ""), false);
    await run();
    await run();
    expect((await item())?.count).toBe(302);
    const kept = await readRejected(table(), connection.crbId, "customer");
    expect(kept).toHaveLength(200);
    expect(Math.max(...kept.map(({ pos_id }) => pos_id.length))).toBe(200);
    pages(() => reject("", ""), false);
    await run();
    await run();
    expect((await listedIds()).filter((id) => id === "")).toHaveLength(1);
  });

  test("are not written by a worker that has lost its lease", async () => {
    pages(() => reject("9"));
    pos.beforePage = async () => {
      clock.advance(replicationLeaseMs);
      await acquireLease(table(), connection.crbId, "customer", clock);
    };
    expect(await run()).toEqual({ outcome: "lost" });
    expect(await listedIds()).toEqual([]);
  });
});

test("the table contains no sensitive value in plain text", async () => {
  pos.put("customer", ...customers(1, 2, 3, 4));
  await run();
  pos.put("customer", plainCustomer("3", 1));
  await run();
  const items = await scan(table());
  const mine = items.filter((item) => JSON.stringify(item).includes(connection.crbId));
  expect(mine.length).toBeGreaterThan(4);
  const text = JSON.stringify(items).toLowerCase();
  const found = ["pearl st", "plain", "555-01", "30355501", "72055501", "example.com"].filter((value) =>
    text.includes(value),
  );
  // The address is stored in plain text, as specified. It proves that the other values would be found.
  expect(found).toEqual(["pearl st"]);
});
