import { randomUUID } from "node:crypto";
import type { BatchGetItemCommandInput } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../shared/api/errors.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
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
  setFence,
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

describe("the reads of stored records", () => {
  /** Records calls from now on: command, whether the read is consistent, and the attributes. */
  function recordCalls() {
    const calls: [command: string, consistent: boolean | undefined, attributes: string[]][] = [];
    interceptCalls(table()).before = (command, input) => {
      const [batch] = Object.values((input as BatchGetItemCommandInput).RequestItems ?? {});
      const names = Object.values(batch?.ExpressionAttributeNames ?? {});
      calls.push([command, batch?.ConsistentRead, names.filter((name) => name !== "pk" && name !== "sk").sort()]);
    };
    return calls;
  }
  const consistencyOf = (calls: ReturnType<typeof recordCalls>) =>
    calls.filter(([command]) => command === "BatchGetItemCommand").map(([, consistent]) => consistent);

  test.each([
    [59_999, true],
    [60_000, false],
  ])("%i ms after another writer's change are consistent: %s", async (later, consistent) => {
    const { writer, clock } = await createList();
    await writer().write(many(3));
    clock.advance(later);
    const calls = recordCalls();
    await writer().write(many(3));
    expect(consistencyOf(calls)).toEqual([consistent]);
  });

  test("are consistent if the writer has recently written one of the records, even with an unknown outcome", async () => {
    const { writer } = await createList();
    const own = writer();
    const calls = recordCalls();
    await own.write([recordToWrite(1, 0)]);
    await own.write([recordToWrite(2, 0)]);
    await own.write([recordToWrite(2, 0), recordToWrite(3, 0)]);
    expect(consistencyOf(calls)).toEqual([false, false, true]);
    interceptCalls(table()).after = (command) => {
      if (command === "TransactWriteItemsCommand") throw new Error("the response is lost");
    };
    await expect(own.write([recordToWrite(4, 0)])).rejects.toThrow("the response is lost");
    const after = recordCalls();
    await own.write([recordToWrite(4, 0)]);
    expect(consistencyOf(after)).toEqual([true]);
  });

  test("take one call for unchanged records, without unneeded attributes", async () => {
    const { writer, clock } = await createList();
    await writer().write(many(3));
    clock.advance(60_000);
    const own = writer();
    await own.write(many(3));
    const calls = recordCalls();
    await own.write(many(3));
    expect(calls).toEqual([["BatchGetItemCommand", false, ["created", "hash", "rank"]]]);
    const searched = recordCalls();
    await writer({ extractIndexedFields: () => [] }).write(many(3));
    await writer({ merge: (content) => content }).write(many(3));
    expect(searched.filter(([command]) => command === "BatchGetItemCommand").map(([, , names]) => names)).toEqual([
      ["body", "created", "hash", "rank"],
      ["body", "created", "hash", "rank"],
    ]);
  });

  test("include the position in the other order if the list has one", async () => {
    const list = recordList(randomUUID(), "sale", 8);
    const key = { pk: `LEASE of ${list.pk}`, sk: "LEASE" };
    await setFence(table(), key, 1);
    const options = { fence: { key, number: 1 }, extractSaleDay: () => "2026-01-01" };
    const calls = recordCalls();
    await newWriter(table(), list, options).write(many(1));
    expect(calls.find(([command]) => command === "BatchGetItemCommand")?.[2]).toContain("saleRank");
  });
});

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

  test("once makes the writer read the rest again, consistently, after a pause", async () => {
    const { writer, list, clock } = await createList();
    const begun = clock.time;
    const consistent: (boolean | undefined)[] = [];
    let transactions = 0;
    interceptCalls(table()).before = (command, input) => {
      const [batch] = Object.values((input as BatchGetItemCommandInput).RequestItems ?? {});
      if (batch) consistent.push(batch.ConsistentRead);
      if (command === "TransactWriteItemsCommand" && ++transactions === 1) throw new ServiceError("unavailable");
    };
    expect(await writer().write(many(3))).toMatchObject({ created: 3 });
    expect(consistent).toEqual([false, true]);
    expect(clock.time).toBeGreaterThan(begun);
    await expectSoundList(table(), list);
  });

  test("every second time still lets a page be written, in any number of transactions", async () => {
    const { writer, names } = await createList();
    const transactions = failTransactions((number) => number % 2 === 0);
    expect(await writer().write(many(2_200))).toMatchObject({ created: 2_200 });
    // More conflicts than a writer retries without progress.
    expect(transactions()).toBeGreaterThan(45);
    expect(await names()).toHaveLength(2_200);
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
