import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { findRanks, planPage } from "../../../../shared/store/orderedList/planPage.ts";
import { createTestTable } from "../../../testTable.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const fiveSegments = Array.from({ length: 5 }, (_, segment) => [segment * 8 + 3, segment * 8 + 7]).flat();

/** The number of records on each day from 2026-03-01 on, and those of each day that change on the day after the last one. */
test.each<[string, days: number[], leaving: number[][]]>([
  ["each of five segments lacks two of eight records", [40], [fiveSegments]],
  ["the newest of five segments has one record left", [40], [[30, 32, 33, 34, 35, 36, 37, 38]]],
  ["five of six days lack a record", [4, 4, 4, 4, 4, 4], [[1], [], [1], [1], [1], [1]]],
])("a page has the positions of its records on days with empty sequence numbers: %s", async (_, days, leaving) => {
  const { list, fence } = await newList(table);
  const clock = new TestClock("2026-03-01T10:00:00.000Z");
  const writer = newWriter(table, list, { fence, clock });
  const record = (day: number, slot: number, content: number) => recordToWrite(day * 1_000 + slot, content);
  for (const [day, count] of days.entries()) {
    await writer.write(Array.from({ length: count }, (_, slot) => record(day, slot, 0)));
    clock.advance(24 * 3_600_000);
  }
  await writer.write(leaving.flatMap((slots, day) => slots.map((slot) => record(day, slot, 1))));
  const stored = (await storedRecords(table, list)).map(({ rank }) => rank);
  const order = list.orders.rank;
  const dayIndexes = await loadDayIndexes(table, order);
  for (const limit of [1, 3, 7, 100]) {
    for (let offset = 0; offset < 40; offset += 1 + (limit >> 1)) {
      const { parts } = planPage(dayIndexes, { offset, limit });
      const found = await findRanks(table, order, parts, { consistent: true });
      expect(found, `${offset} ${limit}`).toEqual(stored.slice(offset, offset + limit));
    }
  }
});
