import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Item, Table } from "../../../../shared/store/client.ts";
import { entriesPartition, type IndexedField } from "../../../../shared/store/keys/indexEntries.ts";
import { type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { type IndexedFieldExtractor, toIndexedDay } from "../../../../shared/store/orderedList/indexEntries.ts";
import type { MatchQuery } from "../../../../shared/store/orderedList/matchQuery.ts";
import { openMatches, openWindowIntersection } from "../../../../shared/store/orderedList/openMatches.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, newList, newWriter, recordToWrite, setFence, TestClock } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const namesOf = ({ records }: { records: string[] }) => records.map((record) => JSON.parse(record).name as number);

describe("a list with two orders", () => {
  /** Sales of one customer, each with its day in both orders: [update day, sale day], in the order of updates. */
  async function createSales(
    days: readonly (readonly [update: number, sale: number])[],
    extractIndexedFields = termsOf,
  ) {
    const list = recordList(randomUUID(), "sale");
    const key = { pk: `LEASE ${list.pk}`, sk: "LEASE" };
    await setFence(table, key, 1);
    const clock = new TestClock("2026-03-01T10:00:00.000Z");
    const writer = newWriter(table, list, {
      fence: { key, number: 1 },
      clock,
      extractIndexedFields,
      extractSaleDay: ({ content }) => saleDay(Number(content)),
      extractCustomerId: () => "c",
    });
    for (const [name, [update, sale]] of days.entries()) {
      clock.time = Date.parse(`${updateDay(update)}T10:00:00.000Z`);
      await writer.write([recordToWrite(name, sale)]);
    }
    return { list, writer };
  }
  const updateDay = (day: number) => `2026-03-${String(day).padStart(2, "0")}`;
  const saleDay = (day: number) => `2026-02-${String(day).padStart(2, "0")}`;
  const term = { field: "customer", value: "c" };
  const open = (reader: Table, list: OrderedList, wanted: IndexedField, query: MatchQuery, extract = termsOf) =>
    openMatches(
      reader,
      list,
      wanted,
      { ...query, maxMatches: 100, customerId: async () => (wanted.field === "customer" ? "c" : undefined) },
      extract,
    );
  const termsOf: IndexedFieldExtractor = ({ content }) => [{ ...term, day: saleDay(Number(content)) }];
  const contentsOf: IndexedFieldExtractor = ({ content }) => [ofContent(Number(content))];
  const ofContent = (content: number) => ({ field: "content", value: String(content), day: saleDay(content) });

  test("a page whose records all stop matching while it is read is read again, and a page after the last match is empty", async () => {
    const days = [1, 1].map((sale) => [1, sale] as const);
    const { list, writer } = await createSales(days, contentsOf);
    const page = async (reader: Table, offset: number) =>
      (await open(reader, list, ofContent(1), { offset, limit: 1 }, contentsOf)).read();

    const [first = 0] = namesOf(await page(table, 0));
    const reader = testTableOf(table);
    let reads = 0;
    interceptCalls(reader).before = async (command) => {
      if (command === "BatchGetItemCommand" && reads++ === 0) await writer.write([recordToWrite(first, 2)]);
    };
    const { total, records } = await page(reader, 0);
    expect([total, namesOf({ records })]).toEqual([1, [1 - first]]);
    expect(reads).toBe(2);
    expect(await page(reader, 1)).toEqual({ total: 1, records: [] });
  });

  test("an index entry with a value that its record does not have is not counted", async () => {
    const days = [1, 5].map((sale) => [1, sale] as const);
    const { list } = await createSales(days, contentsOf);
    // A torn restore has the index entries of a transaction, but not its record.
    const [entry] = await table.queryPartition(entriesPartition(list, ofContent(1)));
    for (const content of [5, 9]) {
      await table.put({ ...entry, pk: entriesPartition(list, ofContent(content)) } as Item);
    }
    const read = async (content: number) =>
      (await open(table, list, ofContent(content), { offset: 0, limit: 10 }, contentsOf)).read();
    expect(await read(9)).toEqual({ total: 0, records: [] });
    expect(namesOf(await read(5))).toEqual([1]);
  });

  test("an index entry whose record lagging reads hide still counts", async () => {
    const { list } = await createSales([[1, 1]], contentsOf);
    const lagging = testTableOf(table);
    hideFromLaggingReads(lagging, { command: "BatchGetItemCommand", maxReads: 3 });
    const opened = await open(lagging, list, ofContent(1), { offset: 0, limit: 10 }, contentsOf);
    expect(namesOf(await opened.read())).toEqual([0]);
  });

  test.each([[[2, 1, 1, 1, 2]], [[2, 1, 1, 2]], [[1, 1, 1, 1, 2, 2, 1, 1, 1, 1]]])(
    "the newest sales of a customer by sale day are returned, however far apart they are: %j",
    async (days) => {
      const { list } = await createSales(days.map((sale) => [1, sale] as const));
      const query = { offset: 0, limit: 2, order: "saleRank" } as const;
      const opened = await open(testTableOf(table), list, term, query, termsOf);
      const newest = [...days.keys()].filter((name) => days[name] === 2);
      expect(namesOf(await opened.read()).sort()).toEqual(newest);
    },
  );

  test("with windows of both orders, the records of both are returned, on every page", async () => {
    const { list } = await createSales([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
    ]);
    const read = async (rank: [number, number], saleRank: [number, number], offset = 0) => {
      const windows = {
        rank: { from: updateDay(rank[0]), to: updateDay(rank[1]) },
        saleRank: { from: saleDay(saleRank[0]), to: saleDay(saleRank[1]) },
      };
      const { read } = await openWindowIntersection(testTableOf(table), list, { offset, limit: 10, windows });
      return namesOf(await read()).sort();
    };
    expect(await read([1, 5], [1, 2])).toEqual([0, 1, 2, 3]);
    expect(await read([2, 4], [1, 3])).toEqual([1, 2, 3]);
    expect(await read([1, 2], [1, 1])).toEqual([0, 1]);
    expect(await read([2, 4], [1, 3], 1)).toHaveLength(2);
  });

  test("pages after the first skip no record if eventually consistent queries lag", async () => {
    const { list } = await createSales([
      [1, 1],
      [1, 1],
      [2, 1],
    ]);
    const reader = testTableOf(table);
    hideFromLaggingReads(reader, { command: "QueryCommand" });
    const page = { offset: 1, limit: 10 };
    const matches = await open(reader, list, term, page, termsOf);
    expect(namesOf(await matches.read())).toHaveLength(2);
    const windows = { rank: { from: updateDay(1) }, saleRank: { from: saleDay(1) } };
    const both = await openWindowIntersection(reader, list, { ...page, windows });
    expect(namesOf(await both.read())).toHaveLength(2);
  });

  test("a record that changes between the reads of two update days is found on its new day", async () => {
    const { list, writer } = await createSales([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
    ]);
    const windows = {
      rank: { from: updateDay(2), to: updateDay(5) },
      saleRank: { from: saleDay(1), to: saleDay(3) },
    };
    const reader = testTableOf(table);
    const { read } = await openWindowIntersection(reader, list, { offset: 0, limit: 10, windows });
    const left = entriesPartition(list, toIndexedDay("rank", updateDay(2)));
    let isChanged = false;
    interceptCalls(reader).before = async (_, input) => {
      if (isChanged || !JSON.stringify(input).includes(left)) return;
      isChanged = true;
      await writer.write([recordToWrite(1, 2)]);
    };
    expect(namesOf(await read()).sort()).toEqual([1, 2, 3, 4]);
    expect(isChanged).toBe(true);
  });

  test.each([
    { days: "update days", lastUpdate: 24, lastSale: 25 },
    { days: "sale days", lastUpdate: 25, lastSale: 24 },
  ])("the entries of at most 16 $days are read at a time", async ({ lastUpdate, lastSale }) => {
    const { list } = await createSales(Array.from({ length: 25 }, (_, i) => [i + 1, i + 1] as const));
    const windows = {
      rank: { from: updateDay(1), to: updateDay(lastUpdate) },
      saleRank: { from: saleDay(1), to: saleDay(lastSale) },
    };
    const reader = testTableOf(table);
    const { read } = await openWindowIntersection(reader, list, { offset: 0, limit: 100, windows });
    const calls = interceptCalls(reader);
    let inFlight = 0;
    let maxInFlight = 0;
    calls.before = (command) => {
      if (command === "QueryCommand") maxInFlight = Math.max(maxInFlight, ++inFlight);
    };
    calls.after = (command) => {
      if (command === "QueryCommand") inFlight--;
    };
    const { total, records } = await read();
    expect(maxInFlight).toBe(16);
    expect(total).toBe(24);
    expect(namesOf({ records }).sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => i));
  });

  test("a list with one order does not support windows of both", async () => {
    const { list } = await newList(table);
    const windows = { rank: {}, saleRank: {} };
    await expect(openWindowIntersection(table, list, { offset: 0, limit: 1, windows })).rejects.toThrow(
      `${list.pk} has no order by sale day`,
    );
  });
});
