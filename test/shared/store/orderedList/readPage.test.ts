import { beforeAll, expect, test } from "vitest";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { openPage, readPage } from "../../../../shared/store/orderedList/readPage.ts";
import { costOf } from "../../../bench/capacity.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

const table = useTestTable();
const window = { offset: 1, limit: 3 };
let list: OrderedList;
let stored: Awaited<ReturnType<typeof storedRecords>>;
beforeAll(async () => {
  const given = await newList(table());
  list = given.list;
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table(), list, { fence: given.fence, clock });
  await writer.write([1, 2, 3, 4, 5].map((name) => recordToWrite(name, 0)));
  clock.advance(24 * 3_600_000);
  await writer.write([recordToWrite(4, 1)]);
  stored = await storedRecords(table(), list);
});

const expected = () => stored.slice(1, 4).map(({ record }) => JSON.stringify(record));

test("a page is read again consistently if lagging reads hide the empty sequence numbers", async () => {
  const reader = testTableOf(table());
  hideFromLaggingReads(reader);
  expect(await readPage(reader, list, window)).toEqual({ total: 5, records: expected() });
});

test("a page that the index does not show yet is read again", async () => {
  hideFromIndex(table(), 1);
  expect(await readPage(table(), list, window)).toEqual({ total: 5, records: expected() });
});

test("a page behind the last record is empty and costs one read unit", async () => {
  const { result, readUnits } = await costOf(table().client, () => readPage(table(), list, { offset: 5, limit: 3 }));
  expect([result, readUnits]).toEqual([{ total: 5, records: [] }, 1]);
});

test("a list has pages only in its own orders", async () => {
  await expect(openPage(table(), list, window, { order: "saleRank" })).rejects.toThrow(
    `${list.pk} has no order saleRank`,
  );
});
