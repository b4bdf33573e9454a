import { beforeAll, expect, test } from "vitest";
import { purgeRecords } from "../../../../shared/domain/crbs/purge/purgeRecords.ts";
import { eraseCustomer } from "../../../../shared/domain/replication/eraseCustomer.ts";
import { type Item, itemId, type Table } from "../../../../shared/store/client.ts";
import { createCrb } from "../../../../shared/store/crbs.ts";
import { entriesPartition, entryPrefix } from "../../../../shared/store/keys/indexEntries.ts";
import type { Key } from "../../../../shared/store/keys/key.ts";
import { storedFormatKey } from "../../../../shared/store/keys/storedFormat.ts";
import { crbRecord } from "../../../crbRecord.ts";
import {
  dedicatedIndexesOf,
  faultsOfDedicatedIndexes,
  isOfEntries,
} from "../../../system/chaos/faultsOfDedicatedIndexes.ts";
import { scan } from "../../../system/chaos/tableState.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { crashAt, crashPoints, crashStep, sides, writesOf } from "../crashInjection.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, TestClock } from "./listUnderTest.ts";
import { SalesUnderTest, segmentSize } from "./salesUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** Sales of one customer, on four days in turn: enough for dedicated indexes of the customer's values. */
const sales = Array.from({ length: 6 }, (_, name) => ({ name, customer: "1", day: 1 + (name % 4), version: 0 }));

const clock = () => new TestClock("2026-03-01T10:00:00.000Z");
const later = new TestClock("2027-01-02T10:00:00.000Z");

const isOfTable = ({ pk }: Key) => pk.startsWith("LEASE") || pk === storedFormatKey.pk;
const remainingIds = async () => (await scan(table)).filter((item) => !isOfTable(item)).map(itemId);

test("a purge leaves nothing of a dedicated index, even if reads lag or its creation was killed", async () => {
  const whole = new SalesUnderTest();
  await whole.begin(table);
  const counted = testTableOf(table);
  const writes = await writesOf(interceptCalls(counted), () => whole.writer(counted, clock()).write(sales));
  expect(Object.keys(dedicatedIndexesOf(await scan(table), whole.list))).toHaveLength(2);
  const lagging = testTableOf(table);
  hideFromLaggingReads(lagging);
  await purgeRecords(lagging, whole.crbId, () => undefined);
  expect(await remainingIds()).toEqual([]);
  for (const write of crashPoints(writes)) {
    for (const side of sides) {
      const interrupted = new SalesUnderTest();
      await interrupted.begin(table);
      const crashing = testTableOf(table);
      crashAt(interceptCalls(crashing), write, side);
      await expect(interrupted.writer(crashing, clock()).write(sales)).rejects.toThrow("killed");
      // The named index continues in another year.
      if (side === "after")
        await interrupted.writer(table, later).write([{ name: 9, customer: "2", day: 1, version: 0 }]);
      await purgeRecords(table, interrupted.crbId, () => undefined);
      expect(await remainingIds(), `${side} write ${write}`).toEqual([]);
    }
  }
});

/** Items that count the entries of values, whether or not their dedicated indexes are named. */
const countsIn = (items: readonly Item[]) => items.filter(({ pk }) => pk.startsWith(entryPrefix) && !isOfEntries(pk));

test("an erasure leaves nothing of the customer's dedicated indexes, even if it is killed at any write", async () => {
  let crashes = 0;
  for (let isFinished = false; !isFinished; crashes += crashStep) {
    const shop = new SalesUnderTest();
    const { crbId, list } = shop;
    const connection = { posType: "Dutchie" as const, locationId: null, connectedAt: "2026-03-01T00:00:00.000Z" };
    await createCrb(table, { record: crbRecord(crbId), serviceProviderId: crbId, connection });
    await shop.begin(table);
    const times = clock();
    await shop.writer(table, times).write(sales);
    const others = sales.map((sale) => ({ ...sale, name: sale.name + 10, customer: "2" }));
    await shop.writer(table, times).write(others);
    expect(Object.keys(dedicatedIndexesOf(await scan(table), list))).toHaveLength(4);

    const [customerId, otherId] = [shop.customerId("1"), shop.customerId("2")];
    const crashing = testTableOf(table);
    crashAt(interceptCalls(crashing), 1 + (crashes >> 1), sides[crashes % 2] ?? "before");
    isFinished = await eraseCustomer(crashing, crbId, customerId, { clock: times, segmentSize }).then(
      () => true,
      () => false,
    );
    // The lease of a killed worker expires.
    times.advance(61_000);
    await eraseCustomer(table, crbId, customerId, { clock: times, segmentSize });
    const items = await scan(table);
    const remaining = Object.keys(dedicatedIndexesOf(items, list)).sort();
    const ofOther = [
      { field: "customer_id", value: otherId },
      { field: "pos_customer_id", value: "2" },
    ].map((term) => entriesPartition(list, term));
    expect(remaining, `crash ${crashes}`).toEqual(ofOther.sort());
    const counted = countsIn(items).map(({ pk }) => pk.slice(0, pk.indexOf("#", entryPrefix.length)));
    expect([...new Set(counted)].sort(), `crash ${crashes}`).toEqual(remaining);
    expect(items.filter(({ unbegun }) => unbegun !== undefined)).toEqual([]);
    expect(faultsOfDedicatedIndexes(items, list)).toEqual([]);
    for (const customer of ["1", "2"]) {
      const query = { pos_customer_id: customer, offset: 0, limit: 10 };
      expect(await shop.page(table, query)).toEqual(await shop.expected(table, query));
    }
    await purgeRecords(table, crbId, () => undefined);
  }
  expect(crashes).toBeGreaterThan(20);
});
