import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { entryKey, type IndexedField } from "../../../../shared/store/keys/indexEntries.ts";
import { type OrderedList, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { hasAll, type IndexedFieldExtractor } from "../../../../shared/store/orderedList/indexEntries.ts";
import type { MatchQuery } from "../../../../shared/store/orderedList/openMatches.ts";
import { openMatches, openWindowIntersection } from "../../../../shared/store/orderedList/openMatches.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, newList, newWriter, recordId, recordToWrite, setFence, TestClock } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

type Query = Omit<MatchQuery, "order"> & Partial<Pick<MatchQuery, "order">>;

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
  const saleDay = (content: number) => `2026-02-${String(Math.floor(content)).padStart(2, "0")}`;
  const term = { field: "customer", value: "c" };
  const open = (reader: Table, list: OrderedList, wanted: IndexedField, query: Query, extract = termsOf) =>
    openMatches(reader, list, {
      order: "rank",
      ...query,
      terms: [wanted],
      isMatch: (record) => hasAll(extract(record), [wanted]),
      maxMatches: 100,
      customerId: async () => (wanted.field === "customer" ? "c" : undefined),
    });
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
    const sale = (content: number) => entryKey(list, { ...ofContent(content), day: saleDay(1) }, recordId(0));
    const entry = await table.get(sale(1));
    for (const content of [5, 9]) await table.put({ ...entry, ...sale(content) });
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
    // A minute after the change, and five seconds for each of the clocks of the writer and the reader.
    const clock = new TestClock("2026-03-02T10:01:09.999Z");
    const reader = testTableOf(table, clock);
    hideFromLaggingReads(reader, { command: "QueryCommand" });
    const page = { offset: 1, limit: 10 };
    const matches = await open(reader, list, term, page, termsOf);
    expect(namesOf(await matches.read())).toHaveLength(2);
    // Later, a read that shows less than the change is not expected.
    clock.advance(1);
    expect((await (await open(reader, list, term, page, termsOf)).read()).total).toBe(0);
  });

  test("a page by sale day takes a query for the sales in their order, and half a unit for each later correction", async () => {
    const { list, writer } = await createSales([]);
    const names = Array.from({ length: 120 }, (_, name) => name);
    await writer.write(names.map((name) => recordToWrite(name, 1 + name / 120)));
    await writer.write([100, 110].map((name) => recordToWrite(name, 1.999)));
    await writer.write(names.map((name) => recordToWrite(1_000 + name, 3)));
    const own = testTableOf(table);
    const query = { offset: 120, limit: 120, order: "saleRank" } as const;
    const { result, readUnits } = await costOf(own.client, async () => {
      const opened = await openMatches(own, list, {
        ...query,
        terms: [term],
        isMatch: () => true,
        maxMatches: 1_000,
        customerId: async () => "c",
      });
      return opened.read();
    });
    expect(namesOf(result).toSorted((a, b) => a - b)).toEqual(names);
    expect(readUnits).toBeLessThanOrEqual(10);
  });

  describe("with windows of both orders", () => {
    const windows = { rank: { from: updateDay(2), to: updateDay(9) }, saleRank: { from: saleDay(1), to: saleDay(3) } };
    const days = [1, 2, 3, 4, 5].map((day) => [day, Math.ceil(day / 2)] as const);
    const page = { offset: 0, limit: 10, windows };

    test.each(["rank", "saleRank"] as const)(
      "a record that changes while the window of %s is read is found at its new place",
      async (narrower) => {
        const { list, writer } = await createSales(days);
        const narrow = {
          ...windows,
          ...(narrower === "saleRank" && { saleRank: { from: saleDay(2), to: saleDay(2) } }),
        };
        const reader = testTableOf(table, new TestClock("2026-03-05T10:00:00.000Z"));
        const { read } = await openWindowIntersection(reader, list, { ...page, windows: narrow });
        let isChanged = false;
        interceptCalls(reader).before = async (_, input) => {
          if (isChanged || !(input as { IndexName?: string }).IndexName) return;
          isChanged = true;
          await writer.write([recordToWrite(2, 2.5)]);
        };
        const names = namesOf(await read()).sort();
        expect([names, isChanged]).toEqual([narrower === "rank" ? [1, 2, 3, 4] : [2, 3], true]);
      },
    );

    test("records that the index does not show yet are waited for, while new ones are not", async () => {
      const { list, writer } = await createSales(days);
      const reader = testTableOf(table, new TestClock("2026-03-05T10:00:00.000Z"));
      hideFromIndex(reader, 3);
      const { read } = await openWindowIntersection(reader, list, page);
      let writes = 0;
      interceptCalls(reader).after = async (command) => {
        if (command === "QueryCommand") await writer.write([recordToWrite(100 + writes++, 1)]);
      };
      const { total, records } = await read();
      expect([total, namesOf({ records }).sort()]).toEqual([4, [1, 2, 3, 4]]);
    });

    test("a page is not read without the records that the index never shows", async () => {
      const { list } = await createSales(days);
      const reader = testTableOf(table, new TestClock("2026-03-05T10:00:00.000Z"));
      hideFromIndex(reader, Number.POSITIVE_INFINITY);
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
  });

  test("a list with one order does not support windows of both", async () => {
    const { list } = await newList(table);
    const windows = { rank: {}, saleRank: {} };
    await expect(openWindowIntersection(table, list, { offset: 0, limit: 1, windows })).rejects.toThrow(
      `${list.pk} has no order by sale day`,
    );
  });
});
