import { expect, test } from "vitest";
import { rebuildList } from "../../../../shared/store/listRebuild/rebuildList.ts";
import { readHead } from "../../../../shared/store/orderedList/readChanges.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { newList, newWriter, recordToWrite, storedRecords, TestClock } from "./listUnderTest.ts";

const table = useTestTable();

test("the head is the position of the last change, and the number of records includes all years", async () => {
  const { list, fence } = await newList(table());
  expect(await readHead(table(), list.orders.rank)).toEqual({ head: undefined, generation: undefined, records: 0 });
  const write = (day: string, names: number[], content: number) => {
    const clock = new TestClock(`${day}T12:00:00.000Z`);
    return newWriter(table(), list, { fence, clock }).write(names.map((name) => recordToWrite(name, content)));
  };
  await write("2024-12-31", [1, 2, 3], 0);
  await write("2025-01-01", [4, 5], 0);
  await write("2025-01-02", [1, 4], 1);
  const last = (await storedRecords(table(), list)).map(({ rank }) => rank).sort();
  expect(await readHead(table(), list.orders.rank)).toEqual({ head: last.at(-1), generation: undefined, records: 5 });
});

test("the head names the generation of a list that was rebuilt", async () => {
  const { list, fence } = await newList(table());
  const clock = new TestClock("2025-01-01T12:00:00.000Z");
  await newWriter(table(), list, { fence, clock }).write([recordToWrite(1, 0)]);
  await rebuildList(table(), list, { fence, clock });
  expect(await readHead(table(), list.orders.rank)).toMatchObject({ generation: clock.time, records: 1 });
});
