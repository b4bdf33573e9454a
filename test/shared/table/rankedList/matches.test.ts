import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../../../shared/table/client.ts";
import { openMatches } from "../../../../shared/table/rankedList/matches.ts";
import { systemClock } from "../../../../shared/time/clock.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { interceptCalls, newList, newWriter, recordId, recordToWrite } from "./listUnderTest.ts";

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

test("a page of which every record ceases to match while it is read is read again: only one behind the last match is empty", async () => {
  const { list, fence } = await newList(table);
  const termsOf = ({ content }: Record<string, unknown>) => [{ field: "content", value: String(content) }];
  const writer = newWriter(table, list, { fence, clock: systemClock, termsOf });
  await writer.write([recordToWrite(1, 0), recordToWrite(2, 0)]);
  const page = async (reader: Table, offset: number) =>
    (await openMatches(reader, list, [{ field: "content", value: "0" }], { offset, limit: 1 }, termsOf)).read();

  const first = JSON.parse((await page(table, 0)).records[0] ?? "");
  const reader = testTableOf(table);
  let reads = 0;
  interceptCalls(reader).before = async (command) => {
    if (command === "BatchGetItemCommand" && reads++ === 0) await writer.write([recordToWrite(first.name, 1)]);
  };
  const other = first.name === 1 ? 2 : 1;
  const { total, records } = await page(reader, 0);
  expect([total, records.map((record) => JSON.parse(record).id)]).toEqual([1, [recordId(other)]]);
  expect(reads).toBe(2);
  expect(await page(reader, 1)).toEqual({ total: 1, records: [] });
});
