import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { LeaseLostError } from "../../../../shared/store/orderedList/fence.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { describeOrderedList } from "./describeOrderedList.ts";
import {
  expectSoundList,
  interceptCalls,
  newList,
  newWriter,
  pageOf,
  recordToWrite,
  setFence,
  storedRecords,
  TestClock,
} from "./listUnderTest.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describeOrderedList(isThorough ? 100 : 8);

test("a changed record keeps its creation date and moves to the front, even the second time on a day", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table, list, { fence, clock });
  await writer.write([1, 2, 3].map((name) => recordToWrite(name, 0)));
  clock.advance(minute);
  const { ranks, ...counts } = await writer.write([recordToWrite(2, 1), recordToWrite(3, 0)]);
  expect(counts).toEqual({ created: 0, changed: 1, unchanged: 1, rejected: [] });
  expect(ranks.sort()).toEqual(["2026-03-01#00000002", "2026-03-01#00000003"]);
  clock.advance(day);
  await writer.write([recordToWrite(1, 1)]);
  const { records } = await pageOf(table, list, { offset: 0, limit: 10 });
  expect(
    records.map(({ name, svc_created_date: created, svc_updated_date: updated }) => [name, created, updated]),
  ).toEqual([
    [1, "2026-03-01T10:00:00.000Z", "2026-03-02T10:01:00.000Z"],
    [2, "2026-03-01T10:00:00.000Z", "2026-03-01T10:01:00.000Z"],
    [3, "2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.000Z"],
  ]);
});

test("a slow clock puts no record behind listed ones", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-02T10:00:00.000Z");
  await newWriter(table, list, { fence, clock }).write([recordToWrite(1, 0)]);
  clock.advance(-day);
  await newWriter(table, list, { fence, clock }).write([recordToWrite(2, 0)]);
  const { records } = await pageOf(table, list, { offset: 0, limit: 10 });
  expect(records.map(({ name }) => name)).toEqual([2, 1]);
  await expectSoundList(table, list);
});

test("a commit between a writer's reads of day indexes and of empty slots is preserved", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  await newWriter(table, list, { fence, clock }).write([0, 1, 2].map((name) => recordToWrite(name, 0)));
  clock.advance(day);
  const own = testTableOf(table);
  const calls = interceptCalls(own);
  let isCommitted = false;
  calls.before = async (_, input) => {
    if (isCommitted || !JSON.stringify(input).includes(list.orders.rank.slots)) return;
    isCommitted = true;
    await newWriter(table, list, { fence, clock }).write([recordToWrite(1, 1)]);
  };
  await newWriter(own, list, { fence, clock }).write([recordToWrite(0, 1)]);
  expect(isCommitted).toBe(true);
  await expectSoundList(table, list);
});

test("a writer whose lease was taken over stores nothing", async () => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table, list, { fence, clock });
  await writer.write([recordToWrite(1, 0)]);
  await setFence(table, fence.key, 2);
  await expect(writer.write([recordToWrite(1, 1), recordToWrite(2, 0)])).rejects.toThrow(LeaseLostError);
  expect((await storedRecords(table, list)).map(({ record }) => [record.name, record.content])).toEqual([[1, 0]]);
});

test("a record too large for an item is rejected, and the others are written", async () => {
  const { list, fence } = await newList(table);
  const huge = recordToWrite(1, 0);
  const result = await newWriter(table, list, { fence }).write([
    { id: huge.id, content: { ...huge.content, text: "x".repeat(400 * 1024) } },
    recordToWrite(2, 0),
  ]);
  expect(result).toMatchObject({ created: 1, rejected: [{ id: huge.id, reason: "too_large" }] });
});
