import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../shared/table/client.ts";
import { loadLists, openPackedPage } from "../../../shared/table/packedList.ts";
import { changePackedLists, type ListChange } from "../../../shared/table/packedListWriter.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { interceptCalls, TestClock } from "./rankedList/listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const clock = new TestClock("2026-03-01T12:00:00.000Z");
const keyOf = (number: number) => String(number).padStart(6, "0");
const bodyOf = (number: number, text = "") => JSON.stringify({ number, text });

/** A list and the model it is held against. */
function givenList(pk = `LIST ${randomUUID()}`) {
  const model = new Map<string, string>();
  const change = async (changed: ListChange, writer = table) => {
    for (const [key, body] of changed) {
      if (body === null) model.delete(key);
      else model.set(key, body);
    }
    await changePackedLists(writer, new Map([[pk, changed]]), clock);
  };
  const expectSound = async () => {
    const expected = [...model].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, body]) => body);
    for (const page of [
      { offset: 0, limit: 1000 },
      { offset: 150, limit: 100 },
      { offset: 199, limit: 2 },
      { offset: expected.length - 1, limit: 10 },
      { offset: expected.length, limit: 10 },
    ].filter(({ offset }) => offset >= 0)) {
      expect(await (await openPackedPage(table, pk, page)).read()).toEqual({
        total: expected.length,
        records: expected.slice(page.offset, page.offset + page.limit),
      });
    }
  };
  return { pk, model, change, expectSound };
}

const numbers = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, i) => from + i * step);
const adding = (all: number[], text = "") => new Map(all.map((number) => [keyOf(number), bodyOf(number, text)]));
const removing = (all: number[]) => new Map(all.map((number) => [keyOf(number), null]));

test("a list grows from nothing over one item to many chunks, and shrinks back", async () => {
  const { pk, change, expectSound } = givenList();
  await expectSound();
  await change(adding([5]));
  await expectSound();
  await change(adding(numbers(10, 150)));
  await expectSound();
  expect((await loadLists(table, [pk])).get(pk)?.records).toBeDefined();
  await change(adding(numbers(1000, 3000, 3)));
  await expectSound();
  await change(adding(numbers(1001, 900, 7), "between"));
  await expectSound();
  await change(new Map<string, string | null>([...removing(numbers(1000, 2900, 3)), ...adding([999_999, 1])]));
  await expectSound();
  const items = await table.queryPartition(pk);
  const { chunks } = (await loadLists(table, [pk])).get(pk) ?? expect.fail("no list");
  expect(items.filter(({ sk }) => sk !== "LIST")).toHaveLength(chunks.length);
  await change(removing(numbers(0, 30_000)));
  await change(removing([999_999]));
  await expectSound();
  await change(adding([7]));
  await expectSound();
});

test("chunks hold two hundred at most, and no more bytes than an item", async () => {
  const { pk, change, expectSound } = givenList();
  const heavy = new Map(numbers(0, 40).map((number) => [keyOf(number), bodyOf(number, randomUUID().repeat(1500))]));
  await change(heavy);
  await change(adding(numbers(100, 1000)));
  await expectSound();
  const { chunks } = (await loadLists(table, [pk])).get(pk) ?? expect.fail("no list");
  expect(Math.max(...chunks.map(({ count }) => count))).toBeLessThanOrEqual(200);
});

test("the same change again writes nothing", async () => {
  const { pk, change } = givenList();
  await change(adding(numbers(0, 700)));
  const before = await table.queryPartition(pk);
  await change(adding(numbers(0, 700)));
  await change(removing([5000]));
  expect(await table.queryPartition(pk)).toEqual(before);
});

test("random changes of many lists at once, by two writers, leave each as it should be", async () => {
  const lists = numbers(0, 6).map(() => givenList());
  let seed = 1;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 0; round < 12; round++) {
    // Two writers touch keys of their own, of the same lists.
    const changesOf = (writer: number) =>
      new Map(
        lists.map(({ pk, model }) => {
          const change = new Map<string, string | null>();
          for (const number of numbers(0, 1 + random(300))) {
            const key = keyOf(random(2000) * 2 + writer);
            const body = random(3) === 0 ? null : bodyOf(number, `round ${round}`);
            change.set(key, body);
            if (body === null) model.delete(key);
            else model.set(key, body);
          }
          return [pk, change] as const;
        }),
      );
    await Promise.all([0, 1].map((writer) => changePackedLists(testTableOf(table), changesOf(writer), clock)));
  }
  for (const list of lists) await list.expectSound();
});

test("a reader who read the list before its chunks were replaced reads it again", async () => {
  const { pk, model, change } = givenList();
  await change(adding(numbers(0, 900)));
  const reader = testTableOf(table);
  const calls = interceptCalls(reader);
  let reads = 0;
  calls.after = async () => {
    if (reads++ === 0) await change(adding(numbers(0, 900), "later"));
  };
  const { records } = await (await openPackedPage(reader, pk, { offset: 300, limit: 20 })).read();
  expect(records).toEqual([...model.values()].reverse().slice(300, 320));
  expect(records[0]).toContain("later");
});
