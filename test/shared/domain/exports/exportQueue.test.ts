import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ServiceError } from "../../../../shared/api/errors.ts";
import { createExport } from "../../../../shared/domain/exports/createExport.ts";
import { endExport } from "../../../../shared/domain/exports/endExport.ts";
import { processMessage } from "../../../../shared/domain/exports/processMessage.ts";
import { runExport } from "../../../../shared/domain/exports/runExport.ts";
import {
  exportItem,
  readExport,
  type StoredExport,
  waitingItem,
} from "../../../../shared/domain/exports/storedExport.ts";
import { sweepExports } from "../../../../shared/domain/exports/sweepExports.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { exportDueKey, exportKey, liveExportsKey, runningExportKey } from "../../../../shared/store/keys/exports.ts";
import { restoringKey, restoringOfKey } from "../../../../shared/store/keys/replication.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { testTableOf } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { interceptCalls } from "../../store/orderedList/listUnderTest.ts";
import { givenExports } from "./givenExports.ts";

useTestServiceKey();
const table = useTestTable();
useTestBucket();
const sent = useQueues();

const day = 24 * 3_600_000;

/** A service provider with as many CRBs as needed, and its exports. */
async function givenProvider() {
  const given = await givenExports(table());
  const { spId, clientId, clock, stores, call } = given;
  const addCrb = async () => {
    const crbId = randomUUID();
    await createCrb(table(), { record: crbRecord(crbId), serviceProviderId: spId, connection: null });
    return crbId;
  };
  const createFor = (crbId: string, idempotencyKey?: string) =>
    createExport(
      table(),
      { spId, crbId, body: { kinds: ["sales"], format: "ndjson" }, createdBy: { clientId }, idempotencyKey },
      clock,
    );
  const end = (crbId: string, id: string) =>
    endExport(stores, crbId, id, { status: "deleted", reason: "requested" }, clock);
  /** A run of an export; one whose time is over at once begins the export and stores nothing. */
  const run = (one: StoredExport, deadline = clock.now(), with_ = stores) =>
    runExport(with_, { crb_id: one.crb_id, export_id: one.id }, { deadline, clock });
  const runWhole = (one: StoredExport, with_ = stores) => run(one, new Date(clock.time + 600_000), with_);
  /** Requests an export as a caller does. */
  const request = (crbId: string) =>
    call("createExport", { path: { crb_id: crbId }, body: { kinds: ["sales"], format: "ndjson" } });
  return { ...given, addCrb, createFor, end, request, run, runWhole };
}

interface Message {
  crb_id: string;
  export_id: string;
  version: number;
}
const messages = () => sent.exports as Message[];
const queuedIds = () => messages().map(({ export_id }) => export_id);

describe("a CRB's new exports of a day", () => {
  test("are 20, also by requests at once, and deletions give none back", async () => {
    const { crbId, createFor, end, clock, addCrb } = await givenProvider();
    for (let made = 0; made < 17; made++) await end(crbId, (await createFor(crbId)).id);
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => createFor(crbId)));
    const failures = tries.flatMap((each) => (each.status === "rejected" ? [each.reason as ServiceError] : []));
    const tomorrow = Math.ceil((day - (clock.time % day)) / 1_000);
    expect(failures.map(({ kind, details }) => [kind, details.code])).toEqual(
      Array(2).fill(["throttled", "export_day_limit"]),
    );
    for (const { details } of failures) {
      // The clock of the test advances while attempts wait for each other.
      expect(details.retryAfter).toBeGreaterThanOrEqual(tomorrow);
      expect(details.retryAfter).toBeLessThan(tomorrow + 60);
    }
    await createFor(await addCrb());
    clock.advance(tomorrow * 1_000);
    expect(await createFor(crbId)).toMatchObject({ status: "queued" });
  });

  test("are not used up by a repetition, and the response has Retry-After", async () => {
    const { crbId, createFor, end, request } = await givenProvider();
    for (let made = 0; made < 19; made++) await end(crbId, (await createFor(crbId)).id);
    const key = randomUUID();
    const ids = (await Promise.all([1, 2, 3].map(() => createFor(crbId, key)))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    const { status, json, headers } = await request(crbId);
    expect([status, json.code]).toEqual([429, "export_day_limit"]);
    expect(Number(headers?.["Retry-After"])).toBeGreaterThan(0);
    expect(Number(headers?.["Retry-After"])).toBeLessThanOrEqual(day / 1_000);
  });
});

describe("the exports of a service provider", () => {
  test("run one at a time, also if two workers begin at once", async () => {
    const { crbId, addCrb, createFor, write, run, runWhole } = await givenProvider();
    await write("sale", [1, 2, 3]);
    const pair = [await createFor(crbId), await createFor(await addCrb())];
    const outcomes = (await Promise.all(pair.map((one) => run(one)))).map(({ outcome }) => outcome);
    expect([...outcomes].sort()).toEqual(["continues", "waits"]);
    const [running, waiting] = outcomes[0] === "continues" ? pair : pair.toReversed();
    if (!running || !waiting) return expect.fail("no exports");
    expect(await run(waiting)).toMatchObject({ outcome: "waits" });
    expect(await runWhole(running)).toMatchObject({ outcome: "ready" });
    expect(await run(waiting)).toMatchObject({ outcome: "continues" });
  });

  test("take turns with those of another one, however many it has requested before", async () => {
    const [many, few] = [await givenProvider(), await givenProvider()];
    const order = new Map<string, string>();
    for (const name of ["many 1", "many 2", "many 3"])
      order.set((await many.request(await many.addCrb())).json.id, name);
    for (const name of ["few 1", "few 2"]) order.set((await few.request(await few.addCrb())).json.id, name);
    // Only the first of each is in the queue.
    expect([...new Set(queuedIds())].map((id) => order.get(id))).toEqual(["many 1", "few 1"]);
    const ran: unknown[] = [];
    for (let message = messages().shift(); message; message = messages().shift()) {
      const { crb_id, export_id } = message;
      const before = await readExport(table(), crb_id, export_id, new Date());
      if (before?.status === "queued") ran.push(order.get(export_id));
      await processMessage(
        many.stores,
        { body: JSON.stringify(message), messageId: "1" },
        new Date(Date.now() + 600_000),
      );
    }
    expect(ran).toEqual(["many 1", "few 1", "many 2", "few 2", "many 3"]);
  });

  test("get no further turn by messages that arrive twice", async () => {
    const { request, crbId, write, stores } = await givenProvider();
    await write("sale", [1, 2, 3]);
    await request(crbId);
    const [message = expect.fail("no message")] = messages().splice(0);
    const process = () =>
      processMessage(stores, { body: JSON.stringify(message), messageId: "1" }, new Date(Date.now() - 1));
    // The time of the run is over at once, so that it continues by another message.
    for (const _ of ["first", "second", "third"]) await process();
    expect(messages()).toMatchObject([{ export_id: message.export_id }]);
    expect(messages()[0]?.version).toBeGreaterThan(message.version);
  });

  test("continue after one whose worker was killed each time", async () => {
    const { crbId, addCrb, createFor, write, read, stores, clock, run, runWhole } = await givenProvider();
    await write("sale", [1, 2, 3]);
    const first = await createFor(crbId);
    clock.advance(1);
    const second = await createFor(await addCrb());
    const runFirst = async () => {
      const dying = testTableOf(table());
      let isDead = false;
      interceptCalls(dying).before = (command) => {
        isDead ||= command === "QueryCommand";
        if (isDead) throw new Error("killed");
      };
      return runWhole(first, { ...stores, table: dying }).catch(() => "killed");
    };
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await runFirst()).toBe("killed");
      expect(await read(first.id)).toMatchObject({ status: "running", failures: attempt });
      clock.advance(20 * 60_000);
      // The sweeper queues the first one only: the second one has to wait for it.
      expect(await sweepExports(stores, clock)).toMatchObject({ failed: 0 });
      expect(queuedIds()).toContain(first.id);
      expect(queuedIds()).not.toContain(second.id);
    }
    expect(await run(first)).toMatchObject({ outcome: "failed" });
    expect(await read(first.id)).toMatchObject({ status: "failed", error: "unexpected" });
    await sweepExports(stores, clock);
    expect(queuedIds()).toContain(second.id);
  });

  test.each(["queued", "running"] as const)("continue after a %s one is deleted", async (status) => {
    const { crbId, addCrb, createFor, end, stores, clock, spId, read, run } = await givenProvider();
    const first = await createFor(crbId);
    clock.advance(1);
    const second = await createFor(await addCrb());
    const running = () => table().get(runningExportKey(spId), { consistent: true });
    if (status === "running") {
      expect(await run(first)).toMatchObject({ outcome: "continues" });
      expect(await running()).toBeDefined();
    }
    expect((await read(first.id)).status).toBe(status);
    await end(crbId, first.id);
    expect(await running()).toBeUndefined();
    clock.advance(120_000);
    await sweepExports(stores, clock);
    expect(queuedIds()).toContain(second.id);
    expect(queuedIds()).not.toContain(first.id);
  });

  test.each(["queued", "running"] as const)("continue while the CRB of a %s one is being restored", async (status) => {
    const { crbId, addCrb, createFor, stores, clock, spId, read, run, runWhole } = await givenProvider();
    const first = await createFor(crbId);
    clock.advance(1);
    const second = await createFor(await addCrb());
    if (status === "running") expect(await run(first)).toMatchObject({ outcome: "continues" });
    const marks = [restoringKey(crbId), restoringOfKey(spId, crbId)];
    for (const mark of marks) await table().put({ ...mark, sp_id: spId });
    const sweep = async () => {
      sent.exports.splice(0);
      clock.advance(20 * 60_000);
      expect(await sweepExports(stores, clock)).toMatchObject({ failed: 0 });
      return queuedIds().filter((id) => [first.id, second.id].includes(id));
    };
    if (status === "running") {
      expect(await sweep()).toEqual([first.id]);
      expect(await run(first)).toMatchObject({ outcome: "waits" });
    }
    expect(await read(first.id)).toMatchObject({ status: "queued", started_at: null });
    expect(await sweep()).toEqual([second.id]);
    expect(await runWhole(second)).toMatchObject({ outcome: "ready" });
    expect(await sweep()).toEqual([]);
    for (const mark of marks) await table().delete(mark);
    expect(await sweep()).toEqual([first.id]);
    expect(await runWhole(first)).toMatchObject({ outcome: "ready" });
  });

  // After a restore, the table may hold a part of a transaction.
  test.each(["ready", "deleted", "missing"])("continue after a place to run whose export is %s", async (status) => {
    const { crbId, addCrb, createFor, end, request, spId, run, runWhole } = await givenProvider();
    const first = await createFor(crbId);
    await run(first);
    const place = (await table().get(runningExportKey(spId))) ?? expect.fail("no place");
    if (status === "ready") await runWhole(first);
    else await end(crbId, first.id);
    if (status === "missing") await table().delete(exportKey(crbId, first.id));
    await table().put(place);
    const { json: second } = await request(await addCrb());
    expect(queuedIds()).toContain(second.id);
    expect(await run(second)).toMatchObject({ outcome: "continues" });
  });

  test("continue after a place in the line whose export is missing", async () => {
    const { crbId, addCrb, createFor, end, request } = await givenProvider();
    const first = await createFor(crbId);
    await end(crbId, first.id);
    await table().put(waitingItem(first));
    const { json: second } = await request(await addCrb());
    expect(queuedIds()).toContain(second.id);
  });

  test("get back their missing places in the line", async () => {
    const { crbId, addCrb, createFor, end, stores, clock, run } = await givenProvider();
    const first = await createFor(crbId);
    clock.advance(1);
    const second = await createFor(await addCrb());
    for (const one of [first, second]) {
      const { pk, sk } = waitingItem(one);
      await table().delete({ pk, sk });
    }
    clock.advance(120_000);
    await sweepExports(stores, clock);
    expect(queuedIds()).toContain(first.id);
    expect(queuedIds()).not.toContain(second.id);
    expect(await run(first)).toMatchObject({ outcome: "continues" });
    await end(crbId, first.id);
    await sweepExports(stores, clock);
    expect(queuedIds()).toContain(second.id);
  });

  test("continue after a running one that the sweeper would not read", async () => {
    const { crbId, addCrb, createFor, stores, clock, run } = await givenProvider();
    const first = await createFor(crbId);
    await run(first);
    await table().delete(exportDueKey(first.due, crbId, first.id));
    clock.advance(1);
    await createFor(await addCrb());
    clock.advance(120_000);
    for (const _ of ["entry of the first", "run of the first"]) await sweepExports(stores, clock);
    expect(queuedIds()).toContain(first.id);
  });

  test("cost a sweep one read for a hundred that wait, and the next sweep continues after a deadline or a kill", async () => {
    const { crbId, createFor, stores, clock } = await givenProvider();
    const first = await createFor(crbId);
    clock.advance(120_000);
    const countCalls = async () => {
      const counting = testTableOf(table());
      const calls: string[] = [];
      interceptCalls(counting).before = (command) => void calls.push(command);
      expect(await sweepExports({ ...stores, table: counting }, clock)).toMatchObject({ failed: 0 });
      return calls.length;
    };
    const before = await countCalls();
    for (let i = 0; i < 150; i++) {
      const one = { ...first, id: randomUUID() };
      for (const item of [exportItem(one), waitingItem(one), exportDueKey(one.due, crbId, one.id)])
        await table().put({ ...item });
    }
    expect(await countCalls()).toBeLessThanOrEqual(before + 2);
    clock.advance(7 * day);
    expect(await sweepExports(stores, clock, clock.now())).toEqual({ ended: 0, queued: 0, failed: 0 });
    const dying = testTableOf(table());
    let remaining = 400;
    interceptCalls(dying).before = () => {
      if (remaining-- <= 0) throw new Error("killed");
    };
    const { ended } = await sweepExports({ ...stores, table: dying }, clock);
    expect(ended).toBeGreaterThan(10);
    const { ended: rest } = await sweepExports(stores, clock);
    expect([ended + rest >= 151, rest < 151]).toEqual([true, true]);
    expect(await sweepExports(stores, clock)).toMatchObject({ ended: 0, failed: 0 });
  });

  test("wait for seven days at most, however long others run", async () => {
    const { addCrb, createFor, end, stores, clock } = await givenProvider();
    const crbId = await addCrb();
    const { id } = await createFor(crbId);
    clock.advance(7 * day - 1);
    await sweepExports(stores, clock);
    expect(queuedIds()).toContain(id);
    clock.advance(1);
    await sweepExports(stores, clock);
    expect(await end(crbId, id)).toMatchObject({ status: "failed", error: "too_slow" });
  });

  // DynamoDB removes items by their TTL attribute also while the service is paused.
  test.each(["queued", "running"] as const)(
    "run after a pause of a month with a %s one before them",
    async (status) => {
      const { crbId, addCrb, createFor, stores, clock, read, run } = await givenProvider();
      const first = await createFor(crbId);
      if (status === "running") await run(first);
      clock.advance(30 * day);
      const stored = await table().get(exportKey(crbId, first.id));
      if (stored?.expires !== undefined) await table().delete(exportKey(crbId, first.id));
      const second = await createFor(await addCrb());
      clock.advance(120_000);
      for (const _ of ["end of the first", "start of the second"]) await sweepExports(stores, clock);
      expect(queuedIds()).toContain(second.id);
      expect(await run(second)).toMatchObject({ outcome: "continues" });
      // The first one has ended with its limit freed, and DynamoDB may remove it now.
      expect((await table().get(liveExportsKey(crbId)))?.ids).toBeUndefined();
      expect((await table().get(exportKey(crbId, first.id)))?.expires).toBeLessThan(clock.time / 1_000);
      await expect(read(first.id)).rejects.toThrow("no export");
    },
  );
});
