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

async function givenList() {
  // Removes the hooks of the previous test.
  interceptCalls(table());
  const { list, fence } = await newList(table());
  const clock = new TestClock(start);
  const writer = (more: Partial<WriterOptions> = {}) => newWriter(table(), list, { fence, clock, ...more });
  const names = async () => (await storedRecords(table(), list)).map(({ record }) => record.name);
  return { list, fence, clock, writer, names };
}

const many = (count: number, content = 0) => Array.from({ length: count }, (_, name) => recordToWrite(name, content));

describe("how stored records are read", () => {
  /** Records calls from now on: command, whether the read is consistent, and the attributes. */
  function noteCalls() {
    const calls: [command: string, consistent: boolean | undefined, attributes: string[]][] = [];
    interceptCalls(table()).before = (command, input) => {
      const [batch] = Object.values((input as BatchGetItemCommandInput).RequestItems ?? {});
      const names = Object.values(batch?.ExpressionAttributeNames ?? {});
      calls.push([command, batch?.ConsistentRead, names.filter((name) => name !== "pk" && name !== "sk").sort()]);
    };
    return calls;
  }
  const consistencyOf = (calls: ReturnType<typeof noteCalls>) =>
    calls.filter(([command]) => command === "BatchGetItemCommand").map(([, consistent]) => consistent);

  test.each([
    [59_999, true],
    [60_000, false],
  ])("%i ms after somebody else's change: consistently %s", async (later, consistent) => {
    const { writer, clock } = await givenList();
    await writer().write(many(3));
    clock.advance(later);
    const calls = noteCalls();
    await writer().write(many(3));
    expect(consistencyOf(calls)).toEqual([consistent]);
  });

  test("consistently where the writer itself has written one of them lately, even if it does not know how that ended", async () => {
    const { writer } = await givenList();
    const own = writer();
    const calls = noteCalls();
    await own.write([recordToWrite(1, 0)]);
    await own.write([recordToWrite(2, 0)]);
    await own.write([recordToWrite(2, 0), recordToWrite(3, 0)]);
    expect(consistencyOf(calls)).toEqual([false, false, true]);
    interceptCalls(table()).after = (command) => {
      if (command === "TransactWriteItemsCommand") throw new Error("the answer is lost");
    };
    await expect(own.write([recordToWrite(4, 0)])).rejects.toThrow("the answer is lost");
    const after = noteCalls();
    await own.write([recordToWrite(4, 0)]);
    expect(consistencyOf(after)).toEqual([true]);
  });

  test("unchanged ones by one call, without what is of no use", async () => {
    const { writer, clock } = await givenList();
    await writer().write(many(3));
    clock.advance(60_000);
    const own = writer();
    await own.write(many(3));
    const calls = noteCalls();
    await own.write(many(3));
    expect(calls).toEqual([["BatchGetItemCommand", false, ["created", "hash", "rank"]]]);
    const searched = noteCalls();
    await writer({ extractIndexedFields: () => [] }).write(many(3));
    await writer({ merge: (content) => content }).write(many(3));
    expect(searched.filter(([command]) => command === "BatchGetItemCommand").map(([, , names]) => names)).toEqual([
      ["body", "created", "hash", "rank"],
      ["body", "created", "hash", "rank"],
    ]);
  });

  test("with the place in the other order where the list has one", async () => {
    const list = recordList(randomUUID(), "sale", 8);
    const key = { pk: `LEASE of ${list.pk}`, sk: "LEASE" };
    await setFence(table(), key, 1);
    const options = { fence: { key, number: 1 }, extractSaleDay: () => "2026-01-01" };
    const calls = noteCalls();
    await newWriter(table(), list, options).write(many(1));
    expect(calls.find(([command]) => command === "BatchGetItemCommand")?.[2]).toContain("saleRank");
  });
});

test("of a record that comes twice the last one counts, and its place", async () => {
  const { writer, list } = await givenList();
  await writer().write([recordToWrite(1, 0), recordToWrite(2, 0), recordToWrite(1, 1)]);
  const stored = (await storedRecords(table(), list)).map(({ record }) => [record.name, record.content]);
  expect(stored).toEqual([
    [1, 1],
    [2, 0],
  ]);
});

test("a record of as many bytes as an item can hold is stored, one of more is rejected", async () => {
  const { writer } = await givenList();
  const most = 399 * 1024;
  const ofBytes = (name: number, bytes: number) => {
    const { id, content } = recordToWrite(name, 0);
    const empty = Buffer.byteLength(JSON.stringify({ ...content, text: "" }));
    return { id, content: { ...content, text: "x".repeat(bytes - empty) } };
  };
  const result = await writer().write([ofBytes(1, most), ofBytes(2, most + 1)]);
  expect(result).toMatchObject({ created: 1, rejected: [{ id: recordId(2), reason: "too_large" }] });
});

test("what is stored takes part in what becomes of a record", async () => {
  const { writer, list } = await givenList();
  await writer().write([recordToWrite(1, 5)]);
  const merge: WriterOptions["merge"] = (fresh, stored) => ({ ...fresh, content: stored.content });
  expect(await writer({ merge }).write([recordToWrite(1, 6)])).toMatchObject({ unchanged: 1, changed: 0 });
  expect(await writer({ merge }).write([recordToWrite(2, 6)])).toMatchObject({ created: 1 });
  expect((await storedRecords(table(), list)).map(({ record }) => record.content)).toEqual([6, 5]);
});

describe("a table that refuses", () => {
  /** Makes transactions fail, by their number. */
  function refuse(isRefused: (transaction: number) => boolean, failure: Error = new ServiceError("unavailable")) {
    let transactions = 0;
    interceptCalls(table()).before = (command) => {
      if (command === "TransactWriteItemsCommand" && isRefused(++transactions)) throw failure;
    };
    return () => transactions;
  }

  test("once: what is left is read anew, consistently, after a pause", async () => {
    const { writer, list, clock } = await givenList();
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

  test("every second transaction: a page goes through, however many that takes", async () => {
    const { writer, names } = await givenList();
    const transactions = refuse((number) => number % 2 === 0);
    expect(await writer().write(many(2_200))).toMatchObject({ created: 2_200 });
    // More conflicts than a writer retries without progress.
    expect(transactions()).toBeGreaterThan(45);
    expect(await names()).toHaveLength(2_200);
  }, 30_000);

  test("every time: the writer gives up, or ends at its deadline", async () => {
    const { writer, clock } = await givenList();
    const transactions = refuse(() => true);
    await expect(writer().write(many(3))).rejects.toMatchObject({ kind: "unavailable" });
    expect(transactions()).toBeGreaterThan(10);
    const deadline = new Date(clock.time + 1);
    await expect(writer({ deadline }).write(many(3))).rejects.toThrow(OutOfTimeError);
  });

  test.each([
    ["a mistake", new Error("a mistake")],
    ["what is no outage", new ServiceError("conflict")],
  ])("for another reason: %s is told at once", async (_, failure) => {
    const { writer } = await givenList();
    const transactions = refuse(() => true, failure);
    await expect(writer().write(many(3))).rejects.toBe(failure);
    expect(transactions()).toBe(1);
  });
});

test("a writer whose time is over writes one transaction, and says so", async () => {
  const { writer, clock, names } = await givenList();
  await expect(writer({ deadline: new Date(clock.time) }).write(many(200))).rejects.toThrow(OutOfTimeError);
  const { length } = await names();
  expect(length).toBeGreaterThan(50);
  expect(length).toBeLessThan(100);
});
