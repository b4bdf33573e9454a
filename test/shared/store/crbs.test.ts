import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Crb } from "../../../shared/store/crb.ts";
import { changeCrb, createCrb, listCrbs, readCrb } from "../../../shared/store/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable } from "../../testTable.ts";
import { hideFromLaggingReads } from "./orderedList/laggingReads.ts";
import { TestClock } from "./orderedList/listUnderTest.ts";

const table = await createTestTable();
const clock = new TestClock("2026-03-01T12:00:00.000Z");

async function createCrbs(count: number) {
  const serviceProviderId = randomUUID();
  const ids = Array.from({ length: count }, () => randomUUID());
  const crbOf = (id: string) => ({ record: crbRecord(id), serviceProviderId, connection: null });
  for (const id of ids) await createCrb(table, crbOf(id), clock);
  const listPage = async (offset = 0, limit = 10) => {
    const { total, records } = await listCrbs(table, serviceProviderId, { offset, limit });
    return { total, ids: records.map(({ id }) => id) };
  };
  return { ids, id: ids[0] ?? "", crbOf, listPage };
}

describe("the CRBs of a service provider", () => {
  test("are listed newest first, in pages, and a changed one moves to the front on a later day", async () => {
    const { ids, listPage } = await createCrbs(3);
    const [first = "", second, third] = ids;
    expect(await listPage()).toEqual({ total: 3, ids: [third, second, first] });
    expect(await listPage(1, 1)).toEqual({ total: 3, ids: [second] });
    clock.advance(24 * 60 * 60_000);
    const compareHolders = async () => ({});
    const renamed = { ...crbRecord(first), name: "Renamed" };
    expect(await changeCrb(table, first, (crb) => ({ ...crb, record: renamed }), clock, { compareHolders })).toBe(true);
    expect(await listPage()).toEqual({ total: 3, ids: [first, third, second] });
    expect((await readCrb(table, first))?.record).toEqual(renamed);
  });

  test("are listed at once, even if eventually consistent reads lack the newest", async () => {
    const { ids, listPage } = await createCrbs(2);
    hideFromLaggingReads(table, { command: "BatchGetItemCommand" });
    expect(await listPage(0, 1)).toEqual({ total: 2, ids: [ids[1]] });
    table.client.middlewareStack.remove("hideReads");
  });

  test("are created once, and changed only if they exist", async () => {
    const { id, crbOf, listPage } = await createCrbs(1);
    const again = { ...crbOf(id), record: { ...crbRecord(id), name: "Again" } };
    expect(await createCrb(table, again, clock)).toBe(false);
    expect((await readCrb(table, id))?.record.name).toBe("Test Dispensary");
    expect(await changeCrb(table, randomUUID(), (crb) => crb, clock)).toBe(false);
    expect(await changeCrb(table, id, () => undefined, clock)).toBe(false);
    expect((await listPage()).total).toBe(1);
  });

  test("have all of five simultaneous changes, each based on another", async () => {
    const { id } = await createCrbs(1);
    const add = (crb: Crb) => ({ ...crb, record: { ...crb.record, ftEmployees: (crb.record.ftEmployees ?? 0) + 1 } });
    await Promise.all(Array.from({ length: 5 }, () => changeCrb(table, id, add)));
    expect((await readCrb(table, id))?.record.ftEmployees).toBe(5);
  });
});
