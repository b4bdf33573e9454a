import { setImmediate } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { interceptCalls, newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** More records than a transaction has. */
const records = (content: number) => Array.from({ length: 120 }, (_, i) => recordToWrite(i, content));

/**
 * Changes all records. The writer sends the first transaction once it has planned the second one.
 *
 * @param takes duration of the first transaction in milliseconds, by the clock
 * @returns reads after the first response, and the stamps of all records
 */
async function change({ takes: firstMs }: { takes: number }): Promise<{ readsAfter: number; stamps: Set<string> }> {
  const own = testTableOf(table);
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  await newWriter(table, list, { fence, clock }).write(records(0));
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const calls = interceptCalls(own);
  let [startCount, responseCount, readsAfter] = [0, 0, 0];
  calls.before = async (command) => {
    if (command !== "TransactWriteItemsCommand") readsAfter += responseCount;
    else if (startCount++ === 0) {
      await isRead;
      await setImmediate();
    }
  };
  calls.after = (command) => {
    if (command !== "TransactWriteItemsCommand") return startCount > 0 ? resolve() : undefined;
    responseCount++;
    clock.advance(firstMs);
  };
  await newWriter(own, list, { fence, clock }).write(records(1));
  expect(responseCount).toBe(2);
  const stored = await storedRecords(table, list);
  return { readsAfter, stamps: new Set(stored.map(({ record }) => record.svc_updated_date)) };
}

test("a transaction is prepared while the one before it is sent", async () => {
  const { readsAfter, stamps } = await change({ takes: 500 });
  expect(readsAfter).toBe(0);
  expect(stamps).toEqual(new Set(["2026-03-01T10:00:00.000Z"]));
});

test("a transaction that was planned long before it is sent is planned again, with a new date", async () => {
  const { stamps } = await change({ takes: 2_000 });
  expect(stamps).toEqual(new Set(["2026-03-01T10:00:02.000Z", "2026-03-01T10:00:00.000Z"]));
});
