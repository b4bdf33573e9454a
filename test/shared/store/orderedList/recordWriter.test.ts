import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { WriterOptions } from "../../../../shared/store/orderedList/recordWriter.ts";
import { OutOfTimeError } from "../../../../shared/time/deadline.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { interceptCalls, newList, recordId, recordToWrite, storedRecords } from "./listUnderTest.ts";

const table = await createTestTable();
const many = (count: number, content = 0) => Array.from({ length: count }, (_, name) => recordToWrite(name, content));

test("of a record that is passed twice, the last version and its position count", async () => {
  const { writer, list } = await newList(table);
  await writer().write([recordToWrite(1, 0), recordToWrite(2, 0), recordToWrite(1, 1)]);
  const stored = (await storedRecords(table, list)).map(({ record }) => record);
  expect(stored.map(({ name }) => name)).toEqual([1, 2]);
  expect(stored.map(({ content }) => content)).toEqual([1, 0]);
});

test("a record of the maximum size of an item is stored, and a larger one is rejected", async () => {
  const { writer } = await newList(table);
  const most = 399 * 1024;
  const ofBytes = (name: number, bytes: number) => {
    const empty = Buffer.byteLength(JSON.stringify(recordToWrite(name, 0, { text: "" }).content));
    return recordToWrite(name, 0, { text: "x".repeat(bytes - empty) });
  };
  const result = await writer().write([ofBytes(1, most), ofBytes(2, most + 1)]);
  expect(result).toMatchObject({ created: 1, rejected: [{ id: recordId(2), reason: "too_large" }] });
});

test("the stored record can be merged into the new one", async () => {
  const { writer, write, list } = await newList(table);
  await write([1], 5);
  const merge: WriterOptions["merge"] = (fresh, stored) => ({ ...fresh, content: stored.content });
  expect(await writer({ merge }).write([recordToWrite(1, 6)])).toMatchObject({ unchanged: 1, changed: 0 });
  expect(await writer({ merge }).write([recordToWrite(2, 6)])).toMatchObject({ created: 1 });
  expect((await storedRecords(table, list)).map(({ record }) => record.content)).toEqual([6, 5]);
});

test("derived fields follow a change of other fields, and keep their values until then", async () => {
  const { writer, clock, list } = await newList(table);
  const begun = clock.now().toISOString();
  const write = async (version: number, content: number) => {
    const compute = (fresh: Record<string, unknown>, at: string) => ({
      status: `${version} of ${fresh.content}, ${at}`,
    });
    const { unchanged } = await writer({ derived: { names: ["status"], compute } }).write([recordToWrite(1, content)]);
    return [unchanged, (await storedRecords(table, list))[0]?.record];
  };
  expect(await write(1, 5)).toMatchObject([0, { status: `1 of 5, ${begun}` }]);
  clock.advance(60_000);
  expect(await write(2, 5)).toMatchObject([1, { status: `1 of 5, ${begun}` }]);
  expect(await write(3, 6)).toMatchObject([0, { status: `3 of 6, ${begun}` }]);
  await table.update({ pk: list.pk, sk: recordId(1) }, { body: "" });
  expect(await write(4, 6)).toMatchObject([0, { status: `4 of 6, ${begun}` }]);
});

describe("a table that rejects transactions", () => {
  /** A list whose transactions fail, by their number. */
  async function newFailingList(isRejected: (transaction: number) => boolean, failure?: Error) {
    const own = testTableOf(table);
    const given = await newList(own);
    let transactions = 0;
    interceptCalls(own).before = (command) => {
      if (command !== "TransactWriteItemsCommand" || !isRejected(++transactions)) return;
      throw failure ?? new ServiceError("unavailable");
    };
    return { ...given, countTransactions: () => transactions };
  }

  test("every second time still lets a page be written, in any number of transactions, after pauses", async () => {
    const { writer, list, clock, countTransactions } = await newFailingList((number) => number % 2 === 0);
    const begun = clock.time;
    expect(await writer().write(many(2_600))).toMatchObject({ created: 2_600 });
    // More conflicts than a writer retries without progress.
    expect(countTransactions()).toBeGreaterThan(45);
    expect(clock.time).toBeGreaterThan(begun);
    expect(await storedRecords(table, list)).toHaveLength(2_600);
  });

  test("every time makes the writer give up, or end at its deadline", async () => {
    const { writer, clock, countTransactions } = await newFailingList(() => true);
    await expect(writer().write(many(3))).rejects.toMatchObject({ kind: "unavailable" });
    expect(countTransactions()).toBeGreaterThan(10);
    const deadline = new Date(clock.time + 1);
    await expect(writer({ deadline }).write(many(3))).rejects.toThrow(OutOfTimeError);
  });

  test.each([
    ["an error", new Error("an error")],
    ["a conflict", new ServiceError("conflict")],
  ])("for another reason makes the writer fail at once: %s", async (_, failure) => {
    const { writer, countTransactions } = await newFailingList(() => true, failure);
    await expect(writer().write(many(3))).rejects.toBe(failure);
    expect(countTransactions()).toBe(1);
  });
});

test("a writer past its deadline writes one transaction, and then reports it", async () => {
  const { writer, clock, list } = await newList(table);
  await expect(writer({ deadline: new Date(clock.time) }).write(many(200))).rejects.toThrow(OutOfTimeError);
  const { length } = await storedRecords(table, list);
  expect(length).toBeGreaterThan(50);
  expect(length).toBeLessThan(100);
});

const planned = "2026-03-01T10:00:00.000Z";
test.each([
  ["is prepared while the one before it is sent", 500, 0, [planned]],
  ["that was planned long before it is sent gets a new plan and date", 2_000, 1, ["2026-03-01T10:00:02.000Z", planned]],
])("a transaction %s", async (_, firstMs, expectedReads, stamps) => {
  const { list, clock, writer } = await newList(table);
  await writer().write(many(120));
  const own = testTableOf(table);
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const calls = interceptCalls(own);
  let [startCount, responseCount, readsAfter] = [0, 0, 0];
  // The first transaction is sent once the second one is planned; reads are counted after its response.
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
  await writer({}, own).write(many(120, 1));
  expect(responseCount).toBe(2);
  expect(readsAfter).toBe(expectedReads);
  const stored = await storedRecords(table, list);
  expect(new Set(stored.map(({ record }) => record.svc_updated_date))).toEqual(new Set(stamps));
});
