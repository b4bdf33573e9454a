import { expect, test } from "vitest";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import { readRanks } from "../../../../shared/store/orderedList/readRanks.ts";
import { createTestTable } from "../../../testTable.ts";
import { newList, recordToWrite } from "./listUnderTest.ts";

const table = await createTestTable();
const { list, writer } = await newList(table);
const text = "x".repeat(300_000);
/** Twelve records of 300 kB, with room for three or four per response. */
for (let name = 0; name < 12; name++) await writer().write([recordToWrite(name, 0, { text })]);

/** Reads the records of some sequence numbers, oldest first, with this number per query. */
const read = async (slots: readonly number[], perQuery: number, targetBytes = Number.POSITIVE_INFINITY) => {
  const ranks = slots.map((slot) => formatPosition("2026-03-01", slot)).reverse();
  const reading = { table, list, order: list.orders.rank, attributes: ["body"], perQuery, targetBytes };
  return (await readRanks(reading, ranks)).map(({ rank }) => Number(rank.slice(11))).reverse();
};
const all = Array.from({ length: 12 }, (_, slot) => slot);

test.each([250, 5, 4])("only records at the requested positions are read, %i per query at most", async (perQuery) => {
  expect(await read(all, perQuery)).toEqual(all);
  expect(await read([0, 3, 7, 8, 11], perQuery)).toEqual([0, 3, 7, 8, 11]);
});

test("the oldest are read until they are enough, whatever newer ones are read", async () => {
  const found = await read(all, 250, 1_500_000);
  expect(found).toEqual(all.slice(0, found.length));
  expect([6, 7, 8]).toContain(found.length);
  expect((await read(all, 4, 1_500_000)).slice(0, 4)).toEqual([0, 1, 2, 3]);
});
