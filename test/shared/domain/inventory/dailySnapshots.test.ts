import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { serviceBucket } from "../../../../shared/domain/documents/bucket.ts";
import { snapshotPrefix } from "../../../../shared/domain/documents/objectPrefixes.ts";
import { listLocationInventory } from "../../../../shared/domain/inventory/listLocationInventory.ts";
import type { Table } from "../../../../shared/store/client.ts";
import { changeCrb, createCrb } from "../../../../shared/store/crbs.ts";
import { locationInventoryList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { RecordWriter } from "../../../../shared/store/orderedList/recordWriter.ts";
import { crbRecord } from "../../../crbRecord.ts";
import { scan } from "../../../tableState.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { useTestBucket } from "../../../useTestBucket.ts";
import { crashStep, letCallsPass } from "../../store/crashInjection.ts";
import { interceptCalls, recordId, setFence, TestClock } from "../../store/orderedList/listUnderTest.ts";
import { writeInventory } from "../../store/writeInventory.ts";

useTestBucket();
const filesOf = async (crbId: string) => (await serviceBucket().list(snapshotPrefix(crbId))).map(({ key }) => key);

const day = 24 * 60 * 60_000;
const [here, there, nowhere] = [randomUUID(), randomUUID(), randomUUID()];

function inventory(number: number, quantities: Record<string, number>) {
  return {
    id: recordId(number),
    content: {
      id: recordId(number),
      product_id: null,
      name: `package ${number}`,
      total_quantity: Object.values(quantities).reduce((sum, quantity) => sum + quantity, 0),
      svc_created_date: null,
      svc_updated_date: null,
      location_data: Object.entries(quantities).map(([location_id, quantity]) => ({ location_id, quantity })),
    },
  };
}

describe("the inventory of a location, now and as of a day", () => {
  let table: Table;
  let crbId: string;
  let clock: TestClock;
  let fence: { key: { pk: string; sk: string }; number: number };

  /** One run of replication on the clock's local day. */
  const run = (records: ReturnType<typeof inventory>[], on: Table = table) =>
    writeInventory(on, crbId, { fence, clock }, records);

  async function quantities(locationId: string, date?: string, window = { offset: 0, limit: 1000 }) {
    const page = await (await listLocationInventory(table, crbId, locationId, { ...window, date }, clock)).read();
    const records = page.records.map((record) => JSON.parse(record));
    return { total: page.total, quantities: Object.fromEntries(records.map(({ name, quantity }) => [name, quantity])) };
  }

  beforeEach(async () => {
    table = await createTestTable();
    crbId = randomUUID();
    clock = new TestClock("2026-01-10T20:00:00.000Z");
    fence = { key: { pk: "LEASE", sk: crbId }, number: 1 };
    await setFence(table, fence.key, 1);
    const record = crbRecord(crbId);
    await createCrb(table, { record, serviceProviderId: randomUUID(), connection: null });
    const locations = [here, there, nowhere].map((id) => ({ id, content: { id, name: id, svc_created_date: null } }));
    await new RecordWriter(table, recordList(crbId, "location"), { fence, clock }).write(locations);
  });

  test("shows the current state today and without a date, and past states for earlier days", async () => {
    await run([inventory(1, { [here]: 5, [there]: 2 }), inventory(2, { [here]: 7 })]);
    clock.advance(3 * day);
    await run([inventory(1, { [here]: 4, [there]: 2 })]);
    const first = { total: 2, quantities: { "package 1": 5, "package 2": 7 } };
    const second = { total: 2, quantities: { "package 1": 4, "package 2": 7 } };
    expect(await quantities(here)).toEqual(second);
    expect(await quantities(here, "2026-01-13")).toEqual(second);
    for (const date of ["2026-01-10", "2026-01-11", "2026-01-12"]) expect(await quantities(here, date)).toEqual(first);
    expect(await quantities(here, "2026-01-09")).toEqual({ total: 0, quantities: {} });
    expect(await quantities(nowhere, "2026-01-10")).toEqual({ total: 0, quantities: {} });
    expect(await quantities(here, "2026-01-10", { offset: 1, limit: 1 })).toMatchObject({ total: 2 });
    clock.advance(day);
    expect(await quantities(here, "2026-01-14")).toEqual(second);
  });

  test("has days in the CRB's time zone: 06:59 UTC belongs to the previous day, 07:00 to the next", async () => {
    clock.time = Date.parse("2026-01-11T06:59:00.000Z");
    await run([inventory(1, { [here]: 1 })]);
    await expect(quantities(here, "2026-01-11")).rejects.toThrow("The request is not valid");
    clock.time = Date.parse("2026-01-11T07:00:00.000Z");
    expect((await quantities(here, "2026-01-11")).quantities).toEqual({ "package 1": 1 });
    await run([inventory(1, { [here]: 2 })]);
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 1 });
    expect((await quantities(here, "2026-01-11")).quantities).toEqual({ "package 1": 2 });
  });

  test("shows the current state today, even if a corrected time zone makes the inventory's day tomorrow", async () => {
    clock.time = Date.parse("2026-01-11T06:30:00.000Z");
    await run([inventory(1, { [here]: 1 })]);
    clock.time = Date.parse("2026-01-11T07:30:00.000Z");
    await run([inventory(1, { [here]: 2 })]);
    await changeCrb(table, crbId, ({ record, ...crb }) => ({
      ...crb,
      record: { ...record, timezone: "America/Los_Angeles" },
    }));
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 2 });
    clock.advance(day);
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 1 });
    expect((await quantities(here, "2026-01-11")).quantities).toEqual({ "package 1": 2 });
  });

  test("has quantity 0 for a record that leaves a location", async () => {
    await run([inventory(1, { [here]: 5, [there]: 2 })]);
    await run([inventory(1, { [there]: 7 })]);
    expect((await quantities(here)).quantities).toEqual({ "package 1": 0 });
    expect((await quantities(there)).quantities).toEqual({ "package 1": 7 });
    const { ranks, ...counts } = await run([inventory(1, { [there]: 7 })]);
    expect(counts).toMatchObject({ changed: 0, unchanged: 1 });
    await run([inventory(1, { [there]: 3 })]);
    const { records } = await (await listLocationInventory(table, crbId, here, { offset: 0, limit: 1 }, clock)).read();
    expect(JSON.parse(records[0] ?? "")).toMatchObject({ quantity: 0, total_quantity: 3 });
  });

  test("has pages across parts of the file without a gap or a repeat", async () => {
    const many = Array.from({ length: 1_203 }, (_, number) => inventory(number, { [here]: number }));
    await run(many);
    clock.advance(day);
    const page = { offset: 0, limit: 1000 };
    const { records: all } = await readPage(table, locationInventoryList(crbId, here), page);
    const rest = await readPage(table, locationInventoryList(crbId, here), { offset: 1000, limit: 1000 });
    const before = [...all, ...rest.records];
    await run(many.map(({ content }, number) => inventory(number, { [here]: content.total_quantity + 1 })));
    for (const [offset, limit] of [
      [0, 1000],
      [499, 2],
      [500, 500],
      [1_000, 1000],
      [1_203, 5],
      [999_999, 1000],
    ] as const) {
      const snapshot = await (
        await listLocationInventory(table, crbId, here, { offset, limit, date: "2026-01-10" }, clock)
      ).read();
      expect(snapshot).toEqual({ total: 1_203, records: before.slice(offset, offset + limit) });
    }
  });

  test("is the same after a crash before or after any call and a second run", async () => {
    for (let halfCall = 0; ; halfCall += crashStep) {
      const afterwards = halfCall % 2 === 1;
      crbId = randomUUID();
      clock.time = Date.parse("2026-01-10T20:00:00.000Z");
      await createCrb(table, { record: crbRecord(crbId), serviceProviderId: randomUUID(), connection: null });
      const location = { id: here, content: { id: here, name: "here", svc_created_date: null } };
      await new RecordWriter(table, recordList(crbId, "location"), { fence, clock }).write([location]);
      await run([inventory(1, { [here]: 5 }), inventory(2, { [here]: 6 })]);
      clock.advance(day);
      const crashing = testTableOf(table);
      const calls = interceptCalls(crashing);
      interceptCalls(serviceBucket(), calls);
      let call = 0;
      const kill = () => {
        if (call++ === Math.floor(halfCall / 2)) throw new Error("killed");
      };
      if (afterwards) calls.after = kill;
      else calls.before = kill;
      const killed = await run([inventory(1, { [here]: 1 })], crashing).then(
        () => false,
        (error: Error) => error.message === "killed",
      );
      letCallsPass(calls);
      await run([inventory(1, { [here]: 1 })]);
      expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 5, "package 2": 6 });
      expect((await quantities(here)).quantities).toEqual({ "package 1": 1, "package 2": 6 });
      expect(await filesOf(crbId)).toHaveLength(1);
      if (!killed) {
        expect(halfCall).toBeGreaterThan(15);
        break;
      }
    }
  });

  test("is not stored by a worker that lost its lease", async () => {
    await run([inventory(1, { [here]: 5 })]);
    clock.advance(day);
    await setFence(table, fence.key, 2);
    await expect(run([inventory(1, { [here]: 1 })])).rejects.toThrow(LeaseLostError);
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 5 });
    expect(await filesOf(crbId)).toEqual([]);
  });

  test("is that of the last worker, even if one that lost its lease has stored an earlier state of the same day", async () => {
    await run([inventory(1, { [here]: 5 })]);
    clock.advance(day);
    const calls = interceptCalls(serviceBucket());
    calls.before = () => setFence(table, fence.key, 2);
    await expect(run([inventory(1, { [here]: 1 })])).rejects.toThrow(LeaseLostError);
    letCallsPass(calls);
    const [early, ...others] = await filesOf(crbId);
    expect(others).toEqual([]);
    // By the clock of the next worker, the day has not ended.
    fence = { ...fence, number: 2 };
    clock.advance(-day);
    await run([inventory(1, { [here]: 4 })]);
    clock.advance(day);
    await run([inventory(1, { [here]: 1 })]);
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 4 });
    expect(await filesOf(crbId)).toContain(early);
  });

  test("is of one state, even if the list changes while it is read", async () => {
    await run(Array.from({ length: 300 }, (_, number) => inventory(number, { [here]: 5 })));
    clock.advance(day);
    const reading = testTableOf(table);
    const calls = interceptCalls(reading);
    let pages = 0;
    calls.after = async (command) => {
      if (command !== "QueryCommand" || ++pages !== 8) return;
      // A worker whose clock is behind changes a record of the second page.
      clock.advance(-day);
      await run([inventory(0, { [here]: 4 })]);
      clock.advance(day);
    };
    await run([inventory(1, { [here]: 1 })], reading);
    const { total, quantities: found } = await quantities(here, "2026-01-10");
    expect(total).toBe(300);
    expect(Object.keys(found)).toHaveLength(300);
    expect(found["package 0"]).toBe(4);
  });

  test("is stored once, and not again on days without a change of the location", async () => {
    await run([inventory(1, { [here]: 5 }), inventory(2, { [there]: 5 })]);
    clock.advance(day);
    await Promise.all([1, 2, 3].map(() => run([inventory(1, { [here]: 4 })]).catch(() => undefined)));
    expect(await filesOf(crbId)).toHaveLength(2);
    clock.advance(day);
    await run([inventory(1, { [here]: 3 })]);
    expect((await filesOf(crbId)).filter((key) => key.includes(here))).toHaveLength(2);
    expect((await filesOf(crbId)).filter((key) => key.includes(there))).toHaveLength(1);
    expect((await quantities(there, "2026-01-11")).quantities).toEqual({ "package 2": 5 });
  });

  test("is an error if the file was lost, not the state of another day", async () => {
    await run([inventory(1, { [here]: 5 })]);
    clock.advance(day);
    await run([inventory(1, { [here]: 4 })]);
    clock.advance(day);
    await run([inventory(1, { [here]: 3 })]);
    const [, lost = ""] = await filesOf(crbId);
    await serviceBucket().remove(lost);
    await expect(quantities(here, "2026-01-11")).rejects.toThrow("docs/operations/restore.md#lost-files");
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 5 });
    expect((await quantities(here)).quantities).toEqual({ "package 1": 3 });
  });

  test("is that of the restored table, if the table is restored and the bucket is not", async () => {
    await run([inventory(1, { [here]: 5 })]);
    const backup = await scan(table);
    await run([inventory(1, { [here]: 4 })]);
    clock.advance(day);
    await run([inventory(1, { [here]: 3 })]);
    const before = await filesOf(crbId);
    table = await createTestTable();
    for (const item of backup) await table.put(item);
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 5 });
    await run([inventory(1, { [here]: 2 })]);
    expect((await quantities(here, "2026-01-10")).quantities).toEqual({ "package 1": 5 });
    expect((await quantities(here)).quantities).toEqual({ "package 1": 2 });
    expect(await filesOf(crbId)).toEqual(expect.arrayContaining(before));
  });

  test("is not found for an unknown location", async () => {
    await expect(quantities(randomUUID())).rejects.toThrow("No inventory location with this id");
  });
});
