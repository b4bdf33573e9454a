import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { changeCrb, createCrb, listCrbs, readCrb } from "../../../shared/store/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, TestClock } from "./orderedList/listUnderTest.ts";

const day = 24 * 60 * 60_000;

describe("the CRBs of a service provider", () => {
  let table: Table;
  const clock = new TestClock("2026-03-01T12:00:00.000Z");
  beforeAll(async () => {
    table = await createTestTable();
  });

  async function createCrbs(count: number) {
    const serviceProviderId = randomUUID();
    const ids = Array.from({ length: count }, () => randomUUID());
    for (const id of ids) await createCrb(table, { record: crbRecord(id), serviceProviderId, connection: null }, clock);
    const listPage = async (offset = 0, limit = 10) => {
      const { total, records } = await listCrbs(table, serviceProviderId, { offset, limit });
      return { total, ids: records.map(({ id }) => id) };
    };
    return { serviceProviderId, ids, listPage };
  }

  test("are listed newest first, in pages, and a changed one moves to the front on a later day", async () => {
    const { ids, listPage } = await createCrbs(3);
    const [first = "", second, third] = ids;
    expect(await listPage()).toEqual({ total: 3, ids: [third, second, first] });
    expect(await listPage(1, 1)).toEqual({ total: 3, ids: [second] });
    clock.advance(day);
    const compareHolders = async () => ({});
    const renamed = { ...crbRecord(first), name: "Renamed" };
    expect(await changeCrb(table, first, (crb) => ({ ...crb, record: renamed }), clock, { compareHolders })).toBe(true);
    expect(await listPage()).toEqual({ total: 3, ids: [first, third, second] });
    expect((await readCrb(table, first))?.record).toEqual(renamed);
  });

  test("are created once, and changed only if they exist", async () => {
    const { ids, serviceProviderId, listPage } = await createCrbs(1);
    const [id = ""] = ids;
    const again = { record: { ...crbRecord(id), name: "Again" }, serviceProviderId, connection: null };
    expect(await createCrb(table, again, clock)).toBe(false);
    expect((await readCrb(table, id))?.record.name).toBe("Test Dispensary");
    expect(await changeCrb(table, randomUUID(), (crb) => crb, clock)).toBe(false);
    expect(await changeCrb(table, id, () => undefined, clock)).toBe(false);
    expect((await listPage()).total).toBe(1);
  });

  test("have all of five simultaneous changes, each based on another", async () => {
    const { ids } = await createCrbs(1);
    const [id = ""] = ids;
    const add = () =>
      changeCrb(table, id, (crb) => ({
        ...crb,
        record: { ...crb.record, ftEmployees: (crb.record.ftEmployees ?? 0) + 1 },
      }));
    await Promise.all(Array.from({ length: 5 }, add));
    expect((await readCrb(table, id))?.record.ftEmployees).toBe(5);
  });

  test("have a new one completely or not at all if its creation is killed before or after any call", async () => {
    for (let halfCall = 0; halfCall < 12; halfCall++) {
      const { serviceProviderId, listPage } = await createCrbs(1);
      const id = randomUUID();
      const crb = { record: crbRecord(id), serviceProviderId, connection: null };
      const crashing = testTableOf(table);
      const calls = interceptCalls(crashing);
      let call = 0;
      const kill = () => {
        if (call++ === Math.floor(halfCall / 2)) throw new Error("killed");
      };
      if (halfCall % 2) calls.after = kill;
      else calls.before = kill;
      await createCrb(crashing, crb, clock).catch((error: Error) => expect(error.message).toBe("killed"));
      expect((await listPage()).total).toBe((await readCrb(table, id)) ? 2 : 1);
      await createCrb(table, crb, clock);
      expect((await listPage()).ids[0]).toBe(id);
    }
  });
});
