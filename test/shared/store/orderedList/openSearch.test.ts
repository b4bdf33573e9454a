import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { entryKey, type IndexedField } from "../../../../shared/store/keys/indexEntries.ts";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { openSearch } from "../../../../shared/store/orderedList/openSearch.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, newList, newWriter, recordId, recordToWrite } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const termsOf = ({ name, content }: Record<string, unknown>): IndexedField[] => [
  { field: "name", value: String(name) },
  { field: "content", value: String(content) },
];
const ofContent = (value: number): IndexedField => ({ field: "content", value: String(value) });
const ofName = (value: number): IndexedField => ({ field: "name", value: String(value) });

async function openList() {
  const { list, fence } = await newList(table);
  const writer = newWriter(table, list, { fence, clock: systemClock, extractIndexedFields: termsOf });
  const write = async (...records: (readonly [name: number, content: number])[]) => {
    for (const [name, content] of records) await writer.write([recordToWrite(name, content)]);
  };
  return { list, write };
}

/** A page of a search: its total, and the names of its records. */
async function search(
  reader: Table,
  list: OrderedList,
  terms: IndexedField[],
  { offset = 0, limit = 10, maxVerified }: { offset?: number; limit?: number; maxVerified?: number } = {},
): Promise<{ total: number; names: number[] }> {
  const { total, records } = await (
    await openSearch(reader, list, { terms, offset, limit, maxVerified }, termsOf)
  ).read();
  return { total, names: records.map((record) => JSON.parse(record).name) };
}

/** Runs a change before the first read of records, after the index entries were read. */
function changeMeanwhile(change: () => Promise<void>): Table {
  const reader = testTableOf(table);
  let reads = 0;
  interceptCalls(reader).before = async (command) => {
    if (command === "BatchGetItemCommand" && reads++ === 0) await change();
  };
  return reader;
}

const byId = (...names: number[]) => names.toSorted((a, b) => (recordId(a) < recordId(b) ? -1 : 1));

describe("a search", () => {
  test.each([2, 100])("keeps its order while matches are added between pages, of %i read", async (maxVerified) => {
    const { list, write } = await openList();
    await write(...[1, 2, 3, 4].map((name) => [name, 0] as const));
    const found: number[] = [];
    // The fixed order begins with the ids, so that added matches with higher ids move no other one.
    const [, , , ...added] = byId(...Array.from({ length: 12 }, (_, i) => i + 5)).filter(
      (name) => recordId(name) > recordId(byId(1, 2, 3, 4)[3] ?? 0),
    );
    for (let offset = 0, total = 1; offset < total; offset += 1) {
      const page = await search(table, list, [ofContent(0)], { offset, limit: 1, maxVerified });
      ({ total } = page);
      found.push(...page.names);
      const name = added.pop();
      if (name !== undefined) await write([name, 0]);
    }
    expect(found.slice(0, 4)).toEqual(byId(1, 2, 3, 4));
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(byId(...found));
  });

  test.each([
    [{ limit: 2 }, [2, 1]],
    [{ offset: 2, limit: 2 }, []],
  ])("does not return a record that loses the value meanwhile: %j", async (page, names) => {
    const { list, write } = await openList();
    await write([1, 0], [2, 0], [3, 0]);
    const reader = changeMeanwhile(() => write([3, 1]));
    expect(await search(reader, list, [ofContent(0)], page)).toEqual({ total: 2, names });
  });

  test("returns the records that have all values", async () => {
    const { list, write } = await openList();
    await write([1, 0], [2, 0]);
    expect((await search(table, list, [ofName(1), ofContent(0)])).names).toEqual([1]);
    const reader = changeMeanwhile(() => write([1, 2]));
    expect(await search(reader, list, [ofName(1), ofContent(0)])).toEqual({ total: 0, names: [] });
  });

  test("finds records that eventually consistent reads do not show yet", async () => {
    const { list, write } = await openList();
    await write([1, 0], [2, 0]);
    const reader = testTableOf(table);
    hideFromLaggingReads(reader, { command: "BatchGetItemCommand" });
    expect(await search(reader, list, [ofContent(0)])).toEqual({ total: 2, names: [2, 1] });
  });

  test("does not count an index entry with a value that its record does not have", async () => {
    const { list, write } = await openList();
    await write([1, 0], [2, 5]);
    await addStaleEntry(list, 9);
    await addStaleEntry(list, 5);
    expect(await search(table, list, [ofContent(9)])).toEqual({ total: 0, names: [] });
    expect(await search(table, list, [ofContent(5)])).toEqual({ total: 1, names: [2] });
  });
});

/** Adds an entry of record 1 at another value, as a torn restore may. */
async function addStaleEntry(list: OrderedList, value: number): Promise<void> {
  await table.put({ ...entryKey(list, ofContent(value), recordId(1)) });
}

describe("a search with more matches than it reads", () => {
  const unsorted = { limit: 2, maxVerified: 2 };
  const pages = async (reader: Table, list: OrderedList) => {
    const names: number[] = [];
    for (let offset = 0, total = 1; offset < total; offset += unsorted.limit) {
      const page = await search(reader, list, [ofContent(0)], { ...unsorted, offset });
      ({ total } = page);
      names.push(...page.names);
    }
    return names;
  };

  test("counts only records that have all values", async () => {
    const { list, write } = await openList();
    await write([1, 0], [2, 0], [3, 0]);
    const [name = 0] = await pages(table, list);
    expect(await search(table, list, [ofContent(0), ofName(name)], unsorted)).toEqual({ total: 1, names: [name] });
  });

  test("skips a page of records that lose the value meanwhile", async () => {
    const { list, write } = await openList();
    await write([1, 0], [2, 0], [3, 0], [4, 0]);
    const [first, second, ...others] = await pages(table, list);
    const reader = changeMeanwhile(() => write([first ?? 0, 1], [second ?? 0, 1]));
    expect(await search(reader, list, [ofContent(0)], unsorted)).toEqual({ total: 2, names: others });
  });

  test("skips no record on later pages if eventually consistent reads lag", async () => {
    const { list, write } = await openList();
    await write([1, 0], [2, 0], [3, 0], [4, 0]);
    const names = await pages(table, list);
    const reader = testTableOf(table);
    hideFromLaggingReads(reader);
    expect((await search(reader, list, [ofContent(0)], { ...unsorted, offset: 2 })).names).toEqual(names.slice(2));
  });
});

test("a change that keeps a value does not write its index entry", async () => {
  const { list, write } = await openList();
  await write([1, 0]);
  const key = entryKey(list, ofName(1), recordId(1));
  const marked = { ...key, mark: "kept" };
  await table.put(marked);
  await write([1, 1]);
  expect(await table.get(key)).toEqual(marked);
  expect(await table.get(entryKey(list, ofContent(0), recordId(1)))).toBeUndefined();
  expect(await search(table, list, [ofName(1), ofContent(1)])).toEqual({ total: 1, names: [1] });
});
