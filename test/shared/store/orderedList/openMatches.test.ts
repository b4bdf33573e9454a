import { describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { entryKey, type IndexedField } from "../../../../shared/store/keys/indexEntries.ts";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { hasAll, type IndexedFieldExtractor } from "../../../../shared/store/orderedList/indexEntries.ts";
import type { MatchQuery } from "../../../../shared/store/orderedList/openMatches.ts";
import { openMatches, openWindowIntersection } from "../../../../shared/store/orderedList/openMatches.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, namesOf, newList, recordId, recordToWrite, TestClock } from "./listUnderTest.ts";

const table = await createTestTable();
const updateDay = (day: number) => `2026-03-${String(day).padStart(2, "0")}`;
const saleDay = (content: number) => `2026-02-${String(Math.floor(content)).padStart(2, "0")}`;
const ofCustomer = { field: "customer", value: "c" };
const ofContent = (content: number) => ({ field: "content", value: String(content), day: saleDay(content) });
const fieldsOf: IndexedFieldExtractor = ({ content }) => [
  { ...ofCustomer, day: saleDay(Number(content)) },
  ofContent(Number(content)),
];

/** Sales of one customer, each with its day in both orders: [update day, sale day], in the order of updates. */
async function createSales(days: readonly (readonly [update: number, sale: number])[]) {
  const { list, clock, writer } = await newList(table, {
    kind: "sale",
    segmentSize: 4_096,
    extractIndexedFields: fieldsOf,
    extractSaleDay: ({ content }) => saleDay(Number(content)),
    extractCustomerId: () => "c",
  });
  const sales = writer();
  const write = (names: readonly number[], content: (name: number) => number) =>
    sales.write(names.map((name) => recordToWrite(name, content(name))));
  for (const [name, [update, sale]] of days.entries()) {
    clock.time = Date.parse(`${updateDay(update)}T10:00:00.000Z`);
    await write([name], () => sale);
  }
  return { list, write };
}

/** Reads a page of the sales with a value. */
async function read(reader: Table, list: OrderedList, wanted: IndexedField, query: Partial<MatchQuery> = {}) {
  const opened = await openMatches(reader, list, {
    ...{ offset: 0, limit: 10, order: "rank" },
    ...query,
    terms: [wanted],
    isMatch: (record) => hasAll(fieldsOf(record), [wanted]),
    maxMatches: 1_000,
    customerId: async () => (wanted.field === "customer" ? "c" : undefined),
  });
  const { total, records } = await opened.read();
  return { total, names: namesOf(records) };
}

test("a page whose records all stop matching while it is read is read again, and a page after the last match is empty", async () => {
  const { list, write } = await createSales([1, 1].map((sale) => [1, sale] as const));
  const page = (reader: Table, offset: number) => read(reader, list, ofContent(1), { offset, limit: 1 });
  const [first = 0] = (await page(table, 0)).names;
  const reader = testTableOf(table);
  let reads = 0;
  interceptCalls(reader).before = async (command) => {
    if (command === "BatchGetItemCommand" && reads++ === 0) await write([first], () => 2);
  };
  expect(await page(reader, 0)).toEqual({ total: 1, names: [1 - first] });
  expect(reads).toBe(2);
  expect(await page(reader, 1)).toEqual({ total: 1, names: [] });
});

test("an index entry with a value that its record does not have is not counted", async () => {
  const { list } = await createSales([1, 5].map((sale) => [1, sale] as const));
  // A torn restore has the index entries of a transaction, but not its record.
  const sale = (content: number) => entryKey(list, { ...ofContent(content), day: saleDay(1) }, recordId(0));
  const entry = await table.get(sale(1));
  for (const content of [5, 9]) await table.put({ ...entry, ...sale(content) });
  expect(await read(table, list, ofContent(9))).toEqual({ total: 0, names: [] });
  expect((await read(table, list, ofContent(5))).names).toEqual([1]);
});

test("an index entry whose record lagging reads hide still counts", async () => {
  const { list } = await createSales([[1, 1]]);
  const lagging = hideFromLaggingReads(testTableOf(table), { command: "BatchGetItemCommand", maxReads: 3 });
  expect((await read(lagging, list, ofContent(1))).names).toEqual([0]);
});

test("pages after the first skip no record if eventually consistent queries lag", async () => {
  const { list } = await createSales([1, 1, 2].map((update) => [update, 1] as const));
  // A minute after the change, and five seconds for each of the clocks of the writer and the reader.
  const clock = new TestClock("2026-03-02T10:01:09.999Z");
  const reader = hideFromLaggingReads(testTableOf(table, clock), { command: "QueryCommand" });
  expect((await read(reader, list, ofCustomer, { offset: 1 })).names).toHaveLength(2);
  // Later, a read that shows less than the change is not expected.
  clock.advance(1);
  expect((await read(reader, list, ofCustomer, { offset: 1 })).total).toBe(0);
});

test("a page by sale day takes a query for the sales in their order, and half a unit for each later correction", async () => {
  const { list, write } = await createSales([]);
  const names = Array.from({ length: 120 }, (_, name) => name);
  await write(names, (name) => 1 + name / 120);
  await write([100, 110], () => 1.999);
  await write(
    names.map((name) => 1_000 + name),
    () => 3,
  );
  const own = testTableOf(table);
  const query = { offset: 120, limit: 120, order: "saleRank" } as const;
  const { result, readUnits } = await costOf(own.client, () => read(own, list, ofCustomer, query));
  expect(result.names.toSorted((a, b) => a - b)).toEqual(names);
  expect(readUnits).toBeLessThanOrEqual(10);
});

describe("with windows of both orders", () => {
  const windows = { rank: { from: updateDay(2), to: updateDay(9) }, saleRank: { from: saleDay(1), to: saleDay(3) } };
  const days = [1, 2, 3, 4, 5].map((day) => [day, Math.ceil(day / 2)] as const);
  const page = { offset: 0, limit: 10, windows };
  const newReader = () => testTableOf(table, new TestClock("2026-03-05T10:00:00.000Z"));

  const orders = ["rank", "saleRank"] as const;
  test.each(orders)("a record that moves while the window of %s is read is still found", async (narrower) => {
    const { list, write } = await createSales(days);
    const narrow = { ...windows, ...(narrower === "saleRank" && { saleRank: { from: saleDay(2), to: saleDay(2) } }) };
    const reader = newReader();
    const { read } = await openWindowIntersection(reader, list, { ...page, windows: narrow });
    let isChanged = false;
    interceptCalls(reader).before = async (_, input) => {
      if (isChanged || !(input as { IndexName?: string }).IndexName) return;
      isChanged = true;
      await write([2], () => 2.5);
    };
    const names = namesOf((await read()).records).sort();
    expect([names, isChanged]).toEqual([narrower === "rank" ? [1, 2, 3, 4] : [2, 3], true]);
  });

  test("records that the index does not show yet are waited for, while new ones are not", async () => {
    const { list, write } = await createSales(days);
    const reader = hideFromIndex(newReader(), 3);
    const { read } = await openWindowIntersection(reader, list, page);
    let writes = 0;
    interceptCalls(reader).after = async (command) => {
      if (command === "QueryCommand") await write([100 + writes++], () => 1);
    };
    const { total, records } = await read();
    expect([total, namesOf(records).sort()]).toEqual([4, [1, 2, 3, 4]]);
  });

  test("a page is not read without the records that the index never shows", async () => {
    const { list } = await createSales(days);
    const reader = hideFromIndex(newReader(), Number.POSITIVE_INFINITY);
    const { read } = await openWindowIntersection(reader, list, page);
    await expect(read()).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("a window of updates that excludes nothing costs no more than none", async () => {
    const { list } = await createSales(days);
    const reader = testTableOf(table);
    const all = { ...windows, rank: { from: updateDay(1) } };
    const { read } = await openWindowIntersection(reader, list, { ...page, limit: 2, windows: all });
    const calls: string[] = [];
    interceptCalls(reader).before = (command) => void calls.push(command);
    expect((await read()).total).toBe(5);
    expect(calls).toEqual(["QueryCommand"]);
  });

  test("a list with one order has no page", async () => {
    const { list } = await newList(table);
    await expect(openWindowIntersection(table, list, page)).rejects.toThrow(`${list.pk} has no order by sale day`);
  });
});
