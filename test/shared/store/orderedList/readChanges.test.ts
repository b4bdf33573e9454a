import { beforeAll, expect, test } from "vitest";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import { rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { readChanges, readHead } from "../../../../shared/store/orderedList/readChanges.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { newList, recordToWrite, storedRecords } from "./listUnderTest.ts";

const table = await createTestTable();
const [first, third] = ["2026-03-01", "2026-03-03"];
const { list, clock, writer: newWriter } = await newList(table);
/** Oldest first. */
let ranks: string[];
beforeAll(async () => {
  const writer = newWriter();
  const write = (names: readonly number[], content: number) =>
    writer.write(names.map((name) => recordToWrite(name, content)));
  // The first day has three segments. The second is left without records, and the others have lost some.
  await write([...Array(20).keys()], 0);
  clock.advance(24 * 3_600_000);
  await write([1, 8, 9, 10, 11, 12, 13, 14, 15, 17], 1);
  clock.advance(24 * 3_600_000);
  // The newest day has lost its second record.
  await write([2, 3, 4], 1);
  await write([3], 2);
  ranks = (await storedRecords(table, list)).map(({ rank }) => rank).reverse();
});

/** The positions of some changes. */
async function follow(after: string | undefined, limit = 1_000, reader = table) {
  const cursor = after === undefined ? undefined : { rank: after, isCurrent: () => true };
  const { places, generation: _, ...result } = await readChanges(reader, list, { after: cursor, limit });
  return { ranks: places.map(({ rank }) => rank), ...result };
}

test("the changes after any position are the records behind it, whether or not the position is in use", async () => {
  const unused = [1, 7, 8, 12, 15, 16, 17].map((slot) => formatPosition(first, slot));
  for (const after of [...ranks, ...unused, formatPosition(third, 1)]) {
    const behind = ranks.filter((rank) => rank > after);
    expect(await follow(after), after).toEqual({ ranks: behind, hasMore: false, isReset: false });
    const some = await follow(after, 3);
    expect([some.ranks, some.hasMore], after).toEqual([behind.slice(0, 3), behind.length > 3]);
  }
});

test("the end of the changes costs no more than the day indexes, and few changes of a long list hardly more", async () => {
  const unitsOf = async (after?: string, limit?: number) =>
    (await costOf(table.client, () => follow(after, limit))).readUnits;
  expect(await unitsOf(ranks.at(-1))).toBe(1);
  expect(await unitsOf(undefined, 2)).toBeLessThanOrEqual(3);
});

test.each([
  ["from the beginning", undefined],
  ["after a position", formatPosition(first, 3)],
])("changes %s are read again consistently if lagging reads hide the empty sequence numbers", async (_, after) => {
  const reader = hideFromLaggingReads(testTableOf(table));
  expect((await follow(after, 1_000, reader)).ranks).toEqual(ranks.filter((rank) => !after || rank > after));
});

test("a page that the index does not show yet is empty, and more follow", async () => {
  const reader = hideFromIndex(testTableOf(table), 1);
  expect(await follow(ranks[3], 1_000, reader)).toMatchObject({ ranks: [], hasMore: true, isReset: false });
});

test("the head is the position of the last change, and the number of records includes all years", async () => {
  const { list, clock, write } = await newList(table, { start: "2024-12-31T12:00:00.000Z" });
  expect(await readHead(table, list.orders.rank)).toEqual({ head: undefined, generation: undefined, records: 0 });
  await write([1, 2, 3]);
  clock.advance(24 * 3_600_000);
  await write([4, 5]);
  clock.advance(24 * 3_600_000);
  await write([1, 4], 1);
  const [last] = await storedRecords(table, list);
  expect(await readHead(table, list.orders.rank)).toEqual({ head: last?.rank, generation: undefined, records: 5 });
});

test("the head names the generation of a list that was rebuilt, and a cursor of another one starts from the beginning", async () => {
  const { list, fence, clock, write } = await newList(table);
  await write([1]);
  await rebuildList(table, list, { fence, clock });
  const { head: rank, generation } = await readHead(table, list.orders.rank);
  expect(generation).toBe(clock.time);
  const changesOf = async (generation: number) => {
    const after = { rank, isCurrent: (current: number | undefined) => current === generation };
    const { places, ...result } = await readChanges(table, list, { after, limit: 1 });
    return { ...result, records: places.length };
  };
  const changes = { generation: clock.time, hasMore: false };
  expect(await changesOf(clock.time)).toEqual({ ...changes, isReset: false, records: 0 });
  expect(await changesOf(clock.time - 1)).toEqual({ ...changes, isReset: true, records: 1 });
});
