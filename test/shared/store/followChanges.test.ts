import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "../../../shared/store/client.ts";
import { followChanges } from "../../../shared/store/followChanges.ts";
import { type OrderedList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { decodeListCursor, encodeListCursor } from "../../../shared/store/orderedList/listCursor.ts";
import { createTestTable } from "../../testTable.ts";
import { namesOf, newList, recordToWrite } from "./orderedList/listUnderTest.ts";

const day = 24 * 3_600_000;
const table = await createTestTable();

/** A list whose records arrived in the order of their names. */
async function createList(names: readonly number[]) {
  const given = await newList(table, { start: "2026-11-20T05:00:00.000Z" });
  for (const name of names) await given.write([name]);
  return given;
}

async function follow(list: OrderedList, cursor?: string, limit = 1_000, targetBytes?: number) {
  const changes = await followChanges(table, list, { cursor, limit }, targetBytes);
  const { places, generation: _, createCursorAfter, ...page } = changes;
  const names = namesOf(places.map(({ value }) => value));
  return { names, ...page, cursor: createCursorAfter(places.length) };
}

test("changes are returned oldest first, page by page, and a record that changes again is returned again", async () => {
  const { list, clock, write } = await createList([1, 2, 3, 4, 5]);
  const first = await follow(list, undefined, 2);
  expect(first).toMatchObject({ names: [1, 2], hasMore: true, isReset: false });
  clock.advance(day);
  await write([2], 1);
  await write([4], 1);
  const second = await follow(list, first.cursor, 2);
  expect(second).toMatchObject({ names: [3, 5], hasMore: true });
  const third = await follow(list, second.cursor, 2);
  expect(third).toMatchObject({ names: [2, 4], hasMore: false });
  expect(await follow(list, third.cursor)).toEqual({ names: [], hasMore: false, isReset: false, cursor: third.cursor });
});

test("an empty list has a cursor that its first records follow", async () => {
  const { list, write } = await createList([]);
  const { cursor, ...page } = await follow(list);
  expect(page).toEqual({ names: [], hasMore: false, isReset: false });
  await write([7]);
  expect(await follow(list, cursor)).toMatchObject({ names: [7], isReset: false });
});

test("large records end a page early, and the next page continues", async () => {
  const { list, writer } = await createList([]);
  const text = "x".repeat(300_000);
  for (let name = 0; name < 12; name++) await writer().write([recordToWrite(name, 0, { text })]);
  // One call finds at most 1 MB. Engines differ in whether they count the record that exceeds it.
  const { names, cursor, hasMore } = await follow(list, undefined, 1_000, 1);
  expect([names.length <= 4, hasMore]).toEqual([true, true]);
  expect([...names, ...(await follow(list, cursor)).names]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("a cursor of another list or with an error is rejected, and nothing is read for it", async () => {
  const { list } = await createList([1, 2]);
  const { cursor } = await follow(list, undefined, 1);
  const others = [recordList("someone-else", "customer"), { ...list, pk: list.pk.replace("CUSTOMER", "SALE") }];
  const foreign = others.map((other) => encodeListCursor(table, other, "2026-11-20#00000000", undefined));
  const nowhere = encodeListCursor(table, list, "0000-00-00#00000001", undefined);
  const wrong = [nowhere, "", "x", "A".repeat(36), `${cursor}A`, cursor.slice(1), cursor.toLowerCase(), `${cursor} `];
  const message = "must be a cursor from this list of changes; without one, the list begins with the oldest change";
  const invalid = { kind: "invalid", details: { fields: { "query.cursor": { message } } } };
  for (const one of [...foreign, ...wrong]) await expect(follow(list, one)).rejects.toMatchObject(invalid);
  const changed = fc.tuple(fc.nat(35), fc.constantFrom(..."Ab0_-z"));
  await fc.assert(
    fc.asyncProperty(changed, async ([at, character]) => {
      const other = cursor.slice(0, at) + character + cursor.slice(at + 1);
      expect(decodeListCursor(table, list, other) === undefined).toBe(other !== cursor);
    }),
  );
});

test("a made-up cursor for any position of the list reads from that position", async () => {
  const { list } = await createList([1, 2, 3]);
  const from = (rank: string) => follow(list, encodeListCursor(table, list, rank, undefined));
  expect((await from("2026-11-20#00000000")).names).toEqual([2, 3]);
  expect((await from("1000-01-01#00000000")).names).toEqual([1, 2, 3]);
  expect((await from("2026-11-19#99999999")).names).toEqual([1, 2, 3]);
  // No record ever had these positions, as in a list that was removed and started again.
  for (const rank of ["2026-11-20#00000003", "2026-11-21#00000000", "2026-99-99#00000000", "9000-12-31#99999999"]) {
    expect(await from(rank)).toMatchObject({ names: [1, 2, 3], isReset: true });
  }
});

test("a cursor of another table starts again, because a backup is restored under a new name", async () => {
  const { list } = await createList([1, 2, 3]);
  const { cursor } = await follow(list, undefined, 2);
  const original = { ...table, name: "original" } as Table;
  const before = encodeListCursor(original, list, "2026-11-20#00000001", undefined);
  expect(await follow(list, before)).toMatchObject({ names: [1, 2, 3], isReset: true });
  expect(await follow(list, cursor)).toMatchObject({ names: [3], isReset: false });
});
