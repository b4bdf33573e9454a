import { describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { entryKey, type IndexedField } from "../../../../shared/store/keys/indexEntries.ts";
import { streamEntries } from "../../../../shared/store/orderedList/indexEntries.ts";
import { openSearch } from "../../../../shared/store/orderedList/openSearch.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, namesOf, newList, recordId, recordToWrite } from "./listUnderTest.ts";

const table = await createTestTable();

const termsOf = ({ name, content }: Record<string, unknown>): IndexedField[] => [
  { field: "name", value: String(name) },
  { field: "content", value: String(content) },
];
const ofContent = (value: number): IndexedField => ({ field: "content", value: String(value) });
const ofName = (value: number): IndexedField => ({ field: "name", value: String(value) });

/** A list of records, each with a name and a content. */
async function openList(...records: (readonly [name: number, content: number])[]) {
  const { list, writer } = await newList(table, { extractIndexedFields: termsOf, clock: systemClock });
  const write = async (...some: typeof records) => {
    for (const [name, content] of some) await writer().write([recordToWrite(name, content)]);
  };
  await write(...records);
  /** A page of a search: its total, and the names of its records. */
  const search = async (
    terms: IndexedField[],
    { reader = table, ...page }: { reader?: Table; offset?: number; limit?: number; maxVerified?: number } = {},
  ) => {
    const opened = await openSearch(reader, list, { offset: 0, limit: 10, ...page, terms }, termsOf);
    const { total, records } = await opened.read();
    return { total, names: namesOf(records) };
  };
  return { list, write, search };
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

const lagging = (command?: "BatchGetItemCommand"): Table =>
  hideFromLaggingReads(testTableOf(table), command && { command });

const byId = (...names: number[]) => names.toSorted((a, b) => (recordId(a) < recordId(b) ? -1 : 1));

describe("a search", () => {
  test.each([2, 100])("keeps its order while matches are added between pages, of %i read", async (maxVerified) => {
    const { write, search } = await openList([1, 0], [2, 0], [3, 0], [4, 0]);
    const found: number[] = [];
    // The fixed order begins with the ids, so that added matches with higher ids move no other one.
    const [, , , ...added] = byId(...Array.from({ length: 12 }, (_, i) => i + 5)).filter(
      (name) => recordId(name) > recordId(byId(1, 2, 3, 4)[3] ?? 0),
    );
    for (let offset = 0, total = 1; offset < total; offset += 1) {
      const page = await search([ofContent(0)], { offset, limit: 1, maxVerified });
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
    const { write, search } = await openList([1, 0], [2, 0], [3, 0]);
    const reader = changeMeanwhile(() => write([3, 1]));
    expect(await search([ofContent(0)], { ...page, reader })).toEqual({ total: 2, names });
  });

  test("returns the records that have all values", async () => {
    const { write, search } = await openList([1, 0], [2, 0]);
    expect((await search([ofName(1), ofContent(0)])).names).toEqual([1]);
    const reader = changeMeanwhile(() => write([1, 2]));
    expect(await search([ofName(1), ofContent(0)], { reader })).toEqual({ total: 0, names: [] });
  });

  test("finds records that eventually consistent reads do not show yet", async () => {
    const { search } = await openList([1, 0], [2, 0]);
    const reader = lagging("BatchGetItemCommand");
    expect(await search([ofContent(0)], { reader })).toEqual({ total: 2, names: [2, 1] });
  });

  test("does not count an index entry with a value that its record does not have", async () => {
    const { list, search } = await openList([1, 0], [2, 5]);
    // As a torn restore may leave them.
    for (const value of [9, 5]) await table.put({ ...entryKey(list, ofContent(value), recordId(1)) });
    expect(await search([ofContent(9)])).toEqual({ total: 0, names: [] });
    expect(await search([ofContent(5)])).toEqual({ total: 1, names: [2] });
  });
});

describe("a search with more matches than it reads", () => {
  const unsorted = { limit: 2, maxVerified: 2 };
  const pages = async ({ search }: Awaited<ReturnType<typeof openList>>) =>
    (await Promise.all([0, 2].map((offset) => search([ofContent(0)], { ...unsorted, offset })))).flatMap(
      ({ names }) => names,
    );

  test("counts only records that have all values", async () => {
    const list = await openList([1, 0], [2, 0], [3, 0]);
    const [name = 0] = await pages(list);
    expect(await list.search([ofContent(0), ofName(name)], unsorted)).toEqual({ total: 1, names: [name] });
  });

  test("skips a page of records that lose the value meanwhile", async () => {
    const list = await openList([1, 0], [2, 0], [3, 0], [4, 0]);
    const [first = 0, second = 0, ...others] = await pages(list);
    const reader = changeMeanwhile(() => list.write([first, 1], [second, 1]));
    expect(await list.search([ofContent(0)], { ...unsorted, reader })).toEqual({ total: 2, names: others });
  });

  test("skips no record on later pages if eventually consistent reads lag", async () => {
    const list = await openList([1, 0], [2, 0], [3, 0], [4, 0]);
    const names = await pages(list);
    const page = { ...unsorted, offset: 2, reader: lagging() };
    expect((await list.search([ofContent(0)], page)).names).toEqual(names.slice(2));
  });
});

test("a stream of a value's entries has all of them, even if eventually consistent reads lag", async () => {
  const { list } = await openList([1, 0], [2, 0], [3, 1]);
  expect((await Array.fromAsync(streamEntries(lagging(), list, ofContent(0)))).flat()).toHaveLength(2);
});

test("a change that keeps a value does not write its index entry", async () => {
  const { list, write, search } = await openList([1, 0]);
  const key = entryKey(list, ofName(1), recordId(1));
  const marked = { ...key, mark: "kept" };
  await table.put(marked);
  await write([1, 1]);
  expect(await table.get(key)).toEqual(marked);
  expect(await table.get(entryKey(list, ofContent(0), recordId(1)))).toBeUndefined();
  expect(await search([ofName(1), ofContent(1)])).toEqual({ total: 1, names: [1] });
});
