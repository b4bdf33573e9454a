import type { QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { readPlaces } from "../../../../shared/store/orderedList/readPlaces.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromIndex, hideFromLaggingReads } from "./laggingReads.ts";
import { interceptCalls, newList, recordId, TestClock } from "./listUnderTest.ts";

const table = await createTestTable();
const start = "2026-03-05T10:00:00.000Z";

/** Reads the places of a list. The index shows no record to the first queries. @param options.hidden the number of these queries */
async function readHidden({ records, hidden }: { records: number; hidden: number }) {
  const { list, write } = await newList(table, { segmentSize: 4_096 });
  await write([...Array(records).keys()]);
  const clock = new TestClock(start);
  const reader = hideFromIndex(testTableOf(table, clock), hidden);
  const queries: { indexed: number; waited: number }[] = [];
  interceptCalls(reader).before = (command, input) => {
    if (command !== "QueryCommand" || !(input as QueryCommandInput).IndexName) return;
    const waited = clock.time - Date.parse(start);
    const last = queries.at(-1);
    if (last?.waited === waited) last.indexed++;
    else queries.push({ indexed: 1, waited });
  };
  const places = readPlaces(reader, list, list.orders.rank, {}, () => true);
  return { queries, places, ids: [...Array(records).keys()].map(recordId).sort() };
}

test("a few records that the index does not show are read one by one, after a pause", async () => {
  const { queries, places, ids } = await readHidden({ records: 5, hidden: 1 });
  const found = await places;
  expect([...found.keys()].sort()).toEqual(ids);
  expect(queries).toEqual([
    { indexed: 1, waited: 0 },
    { indexed: 5, waited: 100 },
  ]);
});

test.each([
  [100, 100],
  [101, 1],
])("of %i records that the index does not show, all are read with %i queries", async (records, indexed) => {
  const { queries, places, ids } = await readHidden({ records, hidden: 1 });
  expect([...(await places).keys()].sort()).toEqual(ids);
  expect(queries).toEqual([
    { indexed: 1, waited: 0 },
    { indexed, waited: 100 },
  ]);
});

test("after four reads the positions are found again, and only records that were not shown are read", async () => {
  const { queries, places } = await readHidden({ records: 1, hidden: 4 });
  expect((await places).size).toBe(1);
  expect(queries.slice(0, 4).map(({ waited }) => waited)).toEqual([0, 100, 200, 300]);
  expect(queries).toHaveLength(5);
  // A new plan follows a random pause.
  expect(queries[4]?.waited).not.toBe(400);
});

test("positions that lagging reads hide are found, and unwanted places are left out", async () => {
  const { list, write } = await newList(table);
  await write([1, 2, 3]);
  const reader = hideFromLaggingReads(testTableOf(table, new TestClock(start)), { command: "BatchGetItemCommand" });
  const ranks: (string | null | undefined)[] = [];
  const places = await readPlaces(reader, list, list.orders.rank, {}, ({ rank }) => ranks.push(rank) !== 2);
  expect([ranks.length, places.size]).toEqual([3, 2]);
});
