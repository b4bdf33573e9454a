import { beforeAll, expect, test } from "vitest";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { openItems, readPage, readPositionedPage } from "../../../../shared/store/orderedList/readPage.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { hideResponses } from "./hideResponses.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";
import { recordReads } from "./recordReads.ts";

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

test("slots are first read without consistency, and day indexes once", async () => {
  const reads = recordReads(table());
  expect(await readPage(table(), list, window)).toEqual({ total: 5, records: expected() });
  expect(reads.map(({ asks, consistent }) => [asks[0], consistent])).toEqual([
    ["0000..9999", true],
    ["2026-03-01#00000", false],
    ["2026-03-01#00000001..2026-03-01#00000004", undefined],
  ]);
});

test("slots that do not match the day indexes are read again consistently, with the day indexes", async () => {
  hideResponses(table(), { batches: 1 });
  const reads = recordReads(table());
  expect(await readPage(table(), list, window)).toEqual({ total: 5, records: expected() });
  expect(reads.slice(0, -1).map(({ asks, consistent }) => [asks[0], consistent])).toEqual([
    ["0000..9999", true],
    ["2026-03-01#00000", false],
    ["0000..9999", true],
    ["2026-03-01#00000", true],
  ]);
});

test("a page that the index does not show yet is read again, unless a partial page is enough", async () => {
  hideResponses(table(), { index: 1 });
  expect(await readPage(table(), list, window)).toEqual({ total: 5, records: expected() });
  hideResponses(table(), { index: 1 });
  expect(await readPositionedPage(table(), list, window)).toEqual({ total: 5, places: [] });
  expect(await readPositionedPage(table(), list, window)).toEqual({
    total: 5,
    places: stored.slice(1, 4).map(({ rank, record }) => ({ rank, value: JSON.stringify(record) })),
  });
});

test("a page behind the last record is empty without further reads", async () => {
  const reads = recordReads(table());
  expect(await readPage(table(), list, { offset: 5, limit: 3 })).toEqual({ total: 5, records: [] });
  expect(reads).toHaveLength(1);
});

test("a list has pages only in its own orders", async () => {
  await expect(openItems(table(), list, window, ["sk"], { order: "saleRank" })).rejects.toThrow(
    `${list.pk} has no order saleRank`,
  );
});
