import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { parsePosition } from "../../../../shared/store/keys/positions.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { type PageWindow, planPage, resolveSlots } from "../../../../shared/store/orderedList/planPage.ts";
import { createTestTable } from "../../../testTable.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const day = 24 * 3_600_000;

/**
 * A list with this number of records on each day, from 2026-03-01 on. On the day after the last one, the records of
 * `leaving` change.
 */
async function createList(days: readonly number[], leaving: readonly { day: number; slots: readonly number[] }[]) {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table, list, { fence, clock });
  const name = (ofDay: number, slot: number) => ofDay * 1_000 + slot;
  for (const [ofDay, count] of days.entries()) {
    await writer.write(Array.from({ length: count }, (_, slot) => recordToWrite(name(ofDay, slot), 0)));
    clock.advance(day);
  }
  await writer.write(leaving.flatMap(({ day, slots }) => slots.map((slot) => recordToWrite(name(day, slot), 1))));
  return list;
}

/** The slots of a page's records in the base table, on the named days. */
async function stored(list: OrderedList, { offset, limit }: PageWindow, days: Iterable<string>) {
  const places = (await storedRecords(table, list))
    .slice(offset, offset + limit)
    .map(({ rank }) => parsePosition(rank));
  const slotsOf = (wanted: string) => places.filter(({ day }) => day === wanted).map(({ slot }) => slot);
  return new Map([...days].map((wanted) => [wanted, slotsOf(wanted)]));
}

const fiveSegments = Array.from({ length: 5 }, (_, segment) => [segment * 8 + 3, segment * 8 + 7]).flat();

test.each<[string, number[], { day: number; slots: number[] }[]]>([
  ["each of five segments lacks two of eight records", [40], [{ day: 0, slots: fiveSegments }]],
  ["the newest of five segments has one record left", [40], [{ day: 0, slots: [30, 32, 33, 34, 35, 36, 37, 38] }]],
  ["five of six days lack a record", [4, 4, 4, 4, 4, 4], [0, 2, 3, 4, 5].map((day) => ({ day, slots: [1] }))],
])("a page has the slots of its records on days with empty slots: %s", async (_, days, leaving) => {
  const list = await createList(days, leaving);
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  const gappy = new Set<string>();
  for (const limit of [1, 3, 7, 100]) {
    for (let offset = 0; offset < 40; offset += 1 + (limit >> 1)) {
      const { parts } = planPage(dayIndexes, { offset, limit });
      const found = await resolveSlots(table, order, parts, { consistent: true });
      expect(found, `${offset} ${limit}`).toEqual(await stored(list, { offset, limit }, found.keys()));
      for (const day of found.keys()) gappy.add(day);
    }
  }
  expect(gappy.size).toBe(leaving.length);
});
