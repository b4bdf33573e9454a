import { beforeAll, expect, test } from "vitest";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import { rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { readChanges } from "../../../../shared/store/orderedList/readChanges.ts";
import { costOf } from "../../../bench/capacity.ts";
import { testTableOf } from "../../../testTable.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

const table = useTestTable();
const [first, third] = ["2026-03-01", "2026-03-03"];
let list: OrderedList;
/** Oldest first. */
let ranks: string[];
beforeAll(async () => {
  const given = await newList(table());
  list = given.list;
  const clock = new TestClock(`${first}T10:00:00.000Z`);
  const writer = newWriter(table(), list, { fence: given.fence, clock });
  // The first day has three segments. The second is left without records, and the others have lost some.
  await writer.write(Array.from({ length: 20 }, (_, name) => recordToWrite(name, 0)));
  clock.advance(24 * 3_600_000);
  await writer.write([1, 8, 9, 10, 11, 12, 13, 14, 15, 17].map((name) => recordToWrite(name, 1)));
  clock.advance(24 * 3_600_000);
  // The newest day has lost its second record.
  await writer.write([2, 3, 4].map((name) => recordToWrite(name, 1)));
  await writer.write([recordToWrite(3, 2)]);
  ranks = (await storedRecords(table(), list)).map(({ rank }) => rank).reverse();
});

/** The positions of some changes. */
async function follow(after: string | undefined, limit = 1_000, reader = table()) {
  const cursor = after === undefined ? undefined : { rank: after, isCurrent: () => true };
  const { places, generation: _, ...result } = await readChanges(reader, list, { after: cursor, limit });
  return { ranks: places.map(({ rank }) => rank), ...result };
}

test("the changes after any position are the records behind it, whether or not the position is in use", async () => {
  const places = [
    ...ranks,
    ...[1, 7, 8, 12, 15, 16, 17].map((slot) => formatPosition(first, slot)),
    formatPosition(third, 1),
  ];
  for (const after of places) {
    const behind = ranks.filter((rank) => rank > after);
    expect(await follow(after), after).toEqual({ ranks: behind, hasMore: false, isReset: false });
    const some = await follow(after, 3);
    expect([some.ranks, some.hasMore], after).toEqual([behind.slice(0, 3), behind.length > 3]);
  }
});

test("the end of the changes costs no more than the day indexes, and few changes of a long list hardly more", async () => {
  const unitsOf = async (after?: string, limit?: number) =>
    (await costOf(table().client, () => follow(after, limit))).readUnits;
  expect(await unitsOf(ranks.at(-1))).toBe(1);
  expect(await unitsOf(undefined, 2)).toBeLessThanOrEqual(3);
});

test.each([
  ["from the beginning", undefined],
  ["after a position", formatPosition(first, 3)],
])("changes %s are read again consistently if lagging reads hide the empty sequence numbers", async (_, after) => {
  const reader = testTableOf(table());
  hideFromLaggingReads(reader);
  expect((await follow(after, 1_000, reader)).ranks).toEqual(ranks.filter((rank) => !after || rank > after));
});

test("a page that the index does not show yet is empty, and more follow", async () => {
  hideFromIndex(table(), 1);
  expect(await follow(ranks[3])).toMatchObject({ ranks: [], hasMore: true, isReset: false });
});

test("a cursor of another generation starts from the beginning", async () => {
  const { list, fence } = await newList(table());
  const clock = new TestClock(`${first}T10:00:00.000Z`);
  await newWriter(table(), list, { fence, clock }).write([recordToWrite(1, 0)]);
  await rebuildList(table(), list, { fence, clock });
  const rank = (await storedRecords(table(), list))[0]?.rank;
  const changesOf = async (generation: number) => {
    const after = { rank, isCurrent: (current: number | undefined) => current === generation };
    const { places, ...result } = await readChanges(table(), list, { after, limit: 1 });
    return { ...result, records: places.length };
  };
  const changes = { generation: clock.time, hasMore: false };
  expect(await changesOf(clock.time)).toEqual({ ...changes, isReset: false, records: 0 });
  expect(await changesOf(clock.time - 1)).toEqual({ ...changes, isReset: true, records: 1 });
});
