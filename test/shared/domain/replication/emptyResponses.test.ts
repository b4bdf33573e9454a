import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { replicate } from "../../../../shared/domain/replication/replicate.ts";
import type { Connection } from "../../../../shared/pos/connector.ts";
import { streamInventoryInStock } from "../../../../shared/store/inventory.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../../shared/store/keys/replication.ts";
import { readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { sampleCases } from "../../../thorough.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { emptied } from "../../pos/fakes/emptied.ts";
import { expectedRecords } from "../../pos/fakes/expectedRecords.ts";
import { kindsAmong, kindsOf, posNames, traitsOf } from "../../pos/fakes/fakePos.ts";
import { FakePosUnderTest } from "../../pos/fakes/fakePosUnderTest.ts";
import { TestClock } from "../../store/orderedList/listUnderTest.ts";

// A POS that fails by returning every list empty with status 200 must not empty the table.

useTestServiceKey();

const table = useTestTable();

const state = (crbId: string, kind: RecordKind) => table().get(replicationKey(crbId, kind), { consistent: true });
const inStock = async (crbId: string) => (await Array.fromAsync(streamInventoryInStock(table(), crbId))).flat().length;

describe.each(sampleCases(posNames, 1))("%s", (name) => {
  const fake = new FakePosUnderTest(name, "2026-03-10T19:30:00.000Z");

  /** A new business, and runs of its replication that start an hour apart. */
  function createBusiness(kind: RecordKind) {
    const connection: Connection = { ...fake.pos.connection, crbId: randomUUID() };
    const run = async () => {
      const clock = new TestClock(fake.later(60).toISOString());
      return replicate(table(), connection, fake.pos.connector(), kind, { clock });
    };
    return { crbId: connection.crbId, run };
  }
  const emptyResponses = () => {
    fake.pos.server.rewrite = (body, request) => emptied(name, body, request);
  };
  const restoreResponses = () => {
    fake.pos.server.rewrite = (body) => body;
  };

  test.each(kindsAmong(name, "inventory"))("%s stays, until a second empty response confirms it", async (kind) => {
    const { crbId, run } = createBusiness(kind);
    await run();
    const stock = await inStock(crbId);
    expect(stock).toBeGreaterThan(5);

    emptyResponses();
    const first = await run();
    expect(await inStock(crbId)).toBe(stock);
    if (traitsOf(name).neverProvesEmptyStock) {
      expect(first).not.toHaveProperty("unconfirmed");
      await run();
      expect(await inStock(crbId)).toBe(stock);
      return;
    }
    const unconfirmed = { since: fake.now.toISOString(), records: stock };
    expect(first).toMatchObject({ outcome: "finished", changed: 0, unconfirmed });
    expect(await state(crbId, kind)).toMatchObject({ unconfirmed, since: null });

    restoreResponses();
    expect(await run()).not.toHaveProperty("unconfirmed");
    expect(await state(crbId, kind)).toMatchObject({ unconfirmed: null, in_stock: stock });
    expect(await inStock(crbId)).toBe(stock);

    emptyResponses();
    expect(await run()).toHaveProperty("unconfirmed");
    expect(await run()).toMatchObject({ outcome: "finished", changed: stock });
    expect(await inStock(crbId)).toBe(0);

    restoreResponses();
    await run();
    expect(await inStock(crbId)).toBe(stock);
  });

  test.each(kindsOf(name))("an empty first response skips no %s: the next run reads all of them", async (kind) => {
    const { crbId, run } = createBusiness(kind);
    emptyResponses();
    const first = await run();
    const read = first.outcome === "finished" ? first.read : Number.NaN;
    // In some systems the store itself is a location if no rooms are listed.
    expect(read).toBeLessThanOrEqual(kind === "location" ? 1 : 0);
    expect("unconfirmed" in first).toBe(read === 0);
    restoreResponses();
    expect(await run()).not.toHaveProperty("unconfirmed");
    const { total } = await readPage(table(), recordList(crbId, kind), { offset: 0, limit: 1 });
    const expected = expectedRecords(name, fake.pos.shop)[kind] ?? 0;
    expect(expected).toBeGreaterThan(0);
    expect(total).toBe(expected + read);
  });
});
