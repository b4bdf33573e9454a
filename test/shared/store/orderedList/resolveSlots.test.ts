import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import type { OrderedList } from "../../../../shared/store/keys/orderedLists.ts";
import { parsePosition } from "../../../../shared/store/keys/positions.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndexItems.ts";
import { type PageWindow, planPage } from "../../../../shared/store/orderedList/planPage.ts";
import { resolveSlots } from "../../../../shared/store/orderedList/resolveSlots.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";
import { recordReads } from "./recordReads.ts";

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

/** The slots found for a page, and the requested keys of each call: range keys, or `from..to` of a query. */
async function find(list: OrderedList, window: PageWindow, consistent = true) {
  const own = testTableOf(table);
  const reads = recordReads(own);
  const order = list.orders.rank;
  const { parts } = planPage(await loadDayIndexes(table, order), window);
  const slots = await resolveSlots(own, order, parts, { consistent });
  return {
    slots,
    read: reads.map(({ asks }) => asks),
    consistency: new Set(reads.map(({ consistent }) => consistent)),
  };
}

/** The slots of a page's records in the base table, on the named days. */
async function stored(list: OrderedList, { offset, limit }: PageWindow, days: Iterable<string>) {
  const places = (await storedRecords(table, list))
    .slice(offset, offset + limit)
    .map(({ rank }) => parsePosition(rank));
  const slotsOf = (wanted: string) => places.filter(({ day }) => day === wanted).map(({ slot }) => slot);
  return new Map([...days].map((wanted) => [wanted, slotsOf(wanted)]));
}

const first = "2026-03-01";

describe("a day of five segments, each with two of eight slots empty", () => {
  let list: OrderedList;
  beforeAll(async () => {
    const slots = Array.from({ length: 5 }, (_, segment) => [segment * 8 + 3, segment * 8 + 7]).flat();
    list = await createList([40], [{ day: 0, slots }]);
  });

  // Ten records are on the next day, which has no empty slot.
  test.each([
    [{ offset: 10, limit: 6 }, [4]],
    [{ offset: 14, limit: 6 }, [3, 4]],
    [{ offset: 16, limit: 6 }, [3]],
    [{ offset: 21, limit: 1 }, [3]],
    [{ offset: 16, limit: 7 }, [2, 3]],
    [{ offset: 33, limit: 7 }, [0, 1]],
    [{ offset: 34, limit: 100 }, [0]],
    [{ offset: 0, limit: 100 }, [0, 1, 2, 3, 4]],
  ])("%o takes one call, for the day's item and the segments that it covers", async (window, segments) => {
    const { slots, read } = await find(list, window);
    expect(read).toEqual([[first, ...segments.map((segment) => `${first}#0000${segment}`)]]);
    expect(slots).toEqual(await stored(list, window, [first]));
  });

  test.each([true, false])("is read consistently as requested: %s", async (consistent) => {
    expect((await find(list, { offset: 10, limit: 6 }, consistent)).consistency).toEqual(new Set([consistent]));
  });
});

describe("a day whose newest segment has one record left", () => {
  let list: OrderedList;
  beforeAll(async () => {
    list = await createList([40], [{ day: 0, slots: [32, 33, 34, 35, 36, 37, 38] }]);
  });

  test("a second call reads only slots that are not where expected", async () => {
    const window = { offset: 7, limit: 3 };
    const { slots, read, consistency } = await find(list, window, true);
    expect(read).toEqual([[first, `${first}#00004`], [`${first}#00003`]]);
    expect(consistency).toEqual(new Set([true]));
    expect(slots).toEqual(await stored(list, window, [first]));
    expect((await find(list, window, false)).consistency).toEqual(new Set([false]));
  });
});

describe("six days of one segment, all with an empty slot except the second", () => {
  const dayOf = (number: number) => `2026-03-0${number}`;
  const segmentsOf = (...numbers: number[]) => numbers.map((number) => `${dayOf(number)}#00000`);
  let list: OrderedList;
  beforeAll(async () => {
    list = await createList(
      [4, 4, 4, 4, 4, 4],
      [0, 2, 3, 4, 5].map((day) => ({ day, slots: [1] })),
    );
  });

  test("a full day is not read", async () => {
    // After the five changed records, three of each of the last two days.
    const window = { offset: 11, limit: 9 };
    const { slots, read } = await find(list, window);
    expect(read).toEqual([segmentsOf(3, 4)]);
    expect(slots).toEqual(await stored(list, window, [4, 3].map(dayOf)));
    expect((await find(list, { offset: 0, limit: 5 })).read).toEqual([]);
  });

  test("of four or more days, those between the first and the last are read with one query", async () => {
    const window = { offset: 5, limit: 18 };
    const { slots, read, consistency } = await find(list, window);
    expect(consistency).toEqual(new Set([true]));
    expect(read.sort()).toEqual([segmentsOf(1, 6), [`${dayOf(3)}..${dayOf(5)}#99999`]]);
    expect(slots).toEqual(await stored(list, window, [6, 5, 4, 3, 1].map(dayOf)));
  });
});
