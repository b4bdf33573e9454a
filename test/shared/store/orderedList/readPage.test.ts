import { expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { joinStates, openPage, readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { newList, storedRecords } from "./listUnderTest.ts";

const table = await createTestTable();
const { list, clock, write } = await newList(table);
await write([1, 2, 3, 4, 5]);
clock.advance(24 * 3_600_000);
await write([4], 1);
const window = { offset: 1, limit: 3 };
const records = (await storedRecords(table, list)).slice(1, 4).map(({ record }) => JSON.stringify(record));

test.each<[string, (reader: Table) => Table]>([
  ["consistently if lagging reads hide the empty sequence numbers", (reader) => hideFromLaggingReads(reader)],
  ["if the index does not show it yet", (reader) => hideFromIndex(reader, 1)],
])("a page is read again %s", async (_, hideFrom) => {
  expect(await readPage(hideFrom(testTableOf(table)), list, window)).toEqual({ total: 5, records });
});

test("a page behind the last record is empty and costs one read unit", async () => {
  const { result, readUnits } = await costOf(table.client, () => readPage(table, list, { offset: 5, limit: 3 }));
  expect([result, readUnits]).toEqual([{ total: 5, records: [] }, 1]);
});

test("a list has pages only in its own orders", async () => {
  await expect(openPage(table, list, window, { order: "saleRank" })).rejects.toThrow("has no order saleRank");
});

test("the joint state of several lists is as recent as the latest change, and no other lists have the same", () => {
  const state = (text: string, changedAt: number) => ({ text, changedAt });
  expect(joinStates(state("a", 5), state("b", 9), state("c", 7)).changedAt).toBe(9);
  const texts = [joinStates(state("a", 1), state("bc", 1)), joinStates(state("ab", 1), state("c", 1))];
  expect(texts[0]?.text).not.toBe(texts[1]?.text);
});
