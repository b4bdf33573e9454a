import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { followChanges } from "../../../shared/store/followChanges.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { decodeListCursor, encodeListCursor } from "../../../shared/store/orderedList/listCursor.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { costOf } from "../../bench/capacity.ts";
import { createTestTable } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { ListCopy } from "./orderedList/listCopy.ts";
import { newList, newWriter, recordToWrite, TestClock } from "./orderedList/listUnderTest.ts";

const day = 24 * 3_600_000;
const table = useTestTable();

/** A list whose records arrived in the order of their names, and its writer. */
async function createList(names: readonly number[], start = "2026-11-20T05:00:00.000Z") {
  const { list, fence } = await newList(table());
  const clock = new TestClock(start);
  const writer = newWriter(table(), list, { fence, clock });
  for (const name of names) await writer.write([recordToWrite(name, 0)]);
  return { list, clock, writer, fence };
}

async function follow(list: OrderedList, cursor?: string, limit = 1_000, enoughBytes?: number, from = table()) {
  const changes = await followChanges(from, list, { cursor, limit }, enoughBytes);
  const { places, hasMore, isReset, createCursorAfter: cursorBehind } = changes;
  return {
    names: places.map(({ value }) => JSON.parse(value).name as number),
    hasMore,
    isReset,
    cursor: cursorBehind(places.length),
  };
}

test("changes are returned oldest first, page by page, and a record that changes again is returned again", async () => {
  const { list, clock, writer } = await createList([1, 2, 3, 4, 5]);
  const first = await follow(list, undefined, 2);
  expect(first).toMatchObject({ names: [1, 2], hasMore: true, isReset: false });
  clock.advance(day);
  await writer.write([recordToWrite(2, 1)]);
  await writer.write([recordToWrite(4, 1)]);
  const second = await follow(list, first.cursor, 2);
  expect(second).toMatchObject({ names: [3, 5], hasMore: true });
  const third = await follow(list, second.cursor, 2);
  expect(third).toMatchObject({ names: [2, 4], hasMore: false });
  expect(await follow(list, third.cursor)).toEqual({ names: [], hasMore: false, isReset: false, cursor: third.cursor });
});

test("an empty list has a cursor that its first records follow", async () => {
  const { list, writer } = await createList([]);
  const { cursor, ...page } = await follow(list);
  expect(page).toEqual({ names: [], hasMore: false, isReset: false });
  await writer.write([recordToWrite(7, 0)]);
  expect(await follow(list, cursor)).toMatchObject({ names: [7], isReset: false });
});

test("large records end a page early, and the next page continues", async () => {
  const { list, writer } = await createList([]);
  const large = (name: number) => {
    const record = recordToWrite(name, 0);
    return { ...record, content: { ...record.content, text: "x".repeat(300_000) } };
  };
  for (let name = 0; name < 12; name++) await writer.write([large(name)]);
  const seen: number[] = [];
  let page = await follow(list, undefined, 1_000, 1);
  const pages = [page.names.length];
  for (; page.hasMore; pages.push(page.names.length)) {
    seen.push(...page.names);
    page = await follow(list, page.cursor, 1_000, 1);
  }
  expect([...seen, ...page.names]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  // One call finds at most 1 MB. Engines differ in whether they count the record that exceeds it.
  expect(pages.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...pages)).toBeLessThanOrEqual(4);
});

test("a cursor of another list or with an error is rejected, and nothing is read for it", async () => {
  const { list } = await createList([1, 2]);
  const { cursor } = await follow(list, undefined, 1);
  const others = [recordList("someone-else", "customer"), { ...list, pk: list.pk.replace("CUSTOMER", "SALE") }];
  const foreign = others.map((other) => encodeListCursor(table(), other, "2026-11-20#00000000", undefined));
  const nowhere = encodeListCursor(table(), list, "0000-00-00#00000001", undefined);
  const wrong = [nowhere, "", "x", "A".repeat(36), `${cursor}A`, cursor.slice(1), cursor.toLowerCase(), `${cursor} `];
  for (const one of [...foreign, ...wrong]) {
    await expect(follow(list, one)).rejects.toMatchObject({
      kind: "invalid",
      details: {
        fields: {
          "query.cursor": {
            message: "must be a cursor from this list of changes; without one, the list begins with the oldest change",
          },
        },
      },
    });
  }
  const changed = fc.tuple(fc.nat(35), fc.constantFrom(..."Ab0_-z"));
  await fc.assert(
    fc.asyncProperty(changed, async ([at, character]) => {
      const other = cursor.slice(0, at) + character + cursor.slice(at + 1);
      expect(decodeListCursor(table(), list, other) === undefined).toBe(other !== cursor);
    }),
  );
});

test("a made-up cursor for any position of the list reads from that position", async () => {
  const { list } = await createList([1, 2, 3]);
  const from = async (rank: string) => (await follow(list, encodeListCursor(table(), list, rank, undefined))).names;
  expect(await from("2026-11-20#00000000")).toEqual([2, 3]);
  expect(await from("1000-01-01#00000000")).toEqual([1, 2, 3]);
  expect(await from("2026-11-19#99999999")).toEqual([1, 2, 3]);
  // No record ever had these positions, as in a list that was removed and started again.
  for (const rank of ["2026-11-20#00000003", "2026-11-21#00000000", "2026-99-99#00000000", "9000-12-31#99999999"]) {
    expect(await follow(list, encodeListCursor(table(), list, rank, undefined))).toMatchObject({
      names: [1, 2, 3],
      isReset: true,
    });
  }
});

/** A restored table: a new table with the items of a backup. */
async function createRestoredTable(items: Awaited<ReturnType<Table["queryPartition"]>>): Promise<Table> {
  const other = await createTestTable();
  for (const item of items) await other.put(item);
  return other;
}

test("after a restore to an earlier state a copy starts again once, whatever was written before and after the restore", async () => {
  const { list, clock, writer, fence } = await createList([1, 2, 3]);
  const copies = [new ListCopy(), new ListCopy()];
  const [ahead, behind] = copies as [ListCopy, ListCopy];
  await behind.toTheEnd(table(), list, 2);
  const { dayIndexPartition: dayIndex, slots } = list.orders.rank;
  const partitions = [list.pk, dayIndex, slots, fence.key.pk];
  const backup = (await Promise.all(partitions.map((pk) => table().queryPartition(pk, { consistent: true })))).flat();
  await writer.write([recordToWrite(2, 1), recordToWrite(4, 0)]);
  await ahead.toTheEnd(table(), list, 2);
  const other = await createRestoredTable(backup);
  // It allocates the same positions again that the lost changes had.
  const newWriterOfOther = newWriter(other, list, { fence, clock });
  await newWriterOfOther.write([recordToWrite(3, 7), recordToWrite(5, 0)]);
  for (const copy of copies) {
    await copy.toTheEnd(other, list, 2);
    expect(copy.resets).toBe(1);
    await copy.toTheEnd(other, list, 2);
    expect(copy.resets).toBe(1);
    const stored = await other.queryPartition(list.pk, { consistent: true });
    expect(copy.records).toEqual(new Map(stored.map(({ sk, body }) => [sk, body])));
  }
});

test("a page over many days with empty slots costs hardly more than that of the list", async () => {
  const { list, clock, writer } = await createList([]);
  for (let days = 0; days < 30; days++) {
    // One of three records changes again on the next day.
    await writer.write([0, 1, 2].map((more) => recordToWrite(2 * days + more, days)));
    clock.advance(day);
  }
  const limit = 1_000;
  const page = await costOf(table().client, () => readPage(table(), list, { offset: 0, limit }));
  const followed = await costOf(table().client, () => followChanges(table(), list, { limit }));
  expect(followed.result.places.map(({ value }) => value)).toEqual(page.result.records.toReversed());
  expect(page.result.records).toHaveLength(61);
  expect(followed.readUnits - page.readUnits).toBeLessThanOrEqual(2);
});
