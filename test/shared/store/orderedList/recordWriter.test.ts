import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import type { WriterOptions } from "../../../../shared/store/orderedList/recordWriter.ts";
import { OutOfTimeError } from "../../../../shared/time/deadline.ts";
import { useTestTable } from "../../../useTestTable.ts";
import {
  expectSoundList,
  interceptCalls,
  newList,
  newWriter,
  recordId,
  recordToWrite,
  storedRecords,
  TestClock,
} from "./listUnderTest.ts";

const table = useTestTable();
const start = "2026-03-01T10:00:00.000Z";

async function createList() {
  // Removes the hooks of the previous test.
  interceptCalls(table());
  const { list, fence } = await newList(table());
  const clock = new TestClock(start);
  const writer = (more: Partial<WriterOptions> = {}) => newWriter(table(), list, { fence, clock, ...more });
  const names = async () => (await storedRecords(table(), list)).map(({ record }) => record.name);
  return { list, fence, clock, writer, names };
}

const many = (count: number, content = 0) => Array.from({ length: count }, (_, name) => recordToWrite(name, content));

test("of a record that is passed twice, the last version and its position count", async () => {
  const { writer, list } = await createList();
  await writer().write([recordToWrite(1, 0), recordToWrite(2, 0), recordToWrite(1, 1)]);
  const stored = (await storedRecords(table(), list)).map(({ record }) => [record.name, record.content]);
  expect(stored).toEqual([
    [1, 1],
    [2, 0],
  ]);
});

test("a record of the maximum size of an item is stored, and a larger one is rejected", async () => {
  const { writer } = await createList();
  const most = 399 * 1024;
  const ofBytes = (name: number, bytes: number) => {
    const { id, content } = recordToWrite(name, 0);
    const empty = Buffer.byteLength(JSON.stringify({ ...content, text: "" }));
    return { id, content: { ...content, text: "x".repeat(bytes - empty) } };
  };
  const result = await writer().write([ofBytes(1, most), ofBytes(2, most + 1)]);
  expect(result).toMatchObject({ created: 1, rejected: [{ id: recordId(2), reason: "too_large" }] });
});

test("the stored record can be merged into the new one", async () => {
  const { writer, list } = await createList();
  await writer().write([recordToWrite(1, 5)]);
  const merge: WriterOptions["merge"] = (fresh, stored) => ({ ...fresh, content: stored.content });
  expect(await writer({ merge }).write([recordToWrite(1, 6)])).toMatchObject({ unchanged: 1, changed: 0 });
  expect(await writer({ merge }).write([recordToWrite(2, 6)])).toMatchObject({ created: 1 });
  expect((await storedRecords(table(), list)).map(({ record }) => record.content)).toEqual([6, 5]);
});

describe("a table that rejects transactions", () => {
  /** Makes transactions fail, by their number. */
  function failTransactions(
    isRejected: (transaction: number) => boolean,
    failure: Error = new ServiceError("unavailable"),
  ) {
    let transactions = 0;
    interceptCalls(table()).before = (command) => {
      if (command === "TransactWriteItemsCommand" && isRejected(++transactions)) throw failure;
    };
    return () => transactions;
  }

  test("once makes the writer try again after a pause", async () => {
    const { writer, list, clock } = await createList();
    const begun = clock.time;
    failTransactions((number) => number === 1);
    expect(await writer().write(many(3))).toMatchObject({ created: 3 });
    expect(clock.time).toBeGreaterThan(begun);
    await expectSoundList(table(), list);
  });

  test("every second time still lets a page be written, in any number of transactions", async () => {
    const { writer, names } = await createList();
    const transactions = failTransactions((number) => number % 2 === 0);
    expect(await writer().write(many(2_600))).toMatchObject({ created: 2_600 });
    // More conflicts than a writer retries without progress.
    expect(transactions()).toBeGreaterThan(45);
    expect(await names()).toHaveLength(2_600);
  });

  test("every time makes the writer give up, or end at its deadline", async () => {
    const { writer, clock } = await createList();
    const transactions = failTransactions(() => true);
    await expect(writer().write(many(3))).rejects.toMatchObject({ kind: "unavailable" });
    expect(transactions()).toBeGreaterThan(10);
    const deadline = new Date(clock.time + 1);
    await expect(writer({ deadline }).write(many(3))).rejects.toThrow(OutOfTimeError);
  });

  test.each([
    ["an error", new Error("an error")],
    ["a conflict", new ServiceError("conflict")],
  ])("for another reason makes the writer fail at once: %s", async (_, failure) => {
    const { writer } = await createList();
    const transactions = failTransactions(() => true, failure);
    await expect(writer().write(many(3))).rejects.toBe(failure);
    expect(transactions()).toBe(1);
  });
});

test("a writer past its deadline writes one transaction, and then reports it", async () => {
  const { writer, clock, names } = await createList();
  await expect(writer({ deadline: new Date(clock.time) }).write(many(200))).rejects.toThrow(OutOfTimeError);
  const { length } = await names();
  expect(length).toBeGreaterThan(50);
  expect(length).toBeLessThan(100);
});
