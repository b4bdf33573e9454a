import { expect, test } from "vitest";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import { loadOrderState, StaleRankError } from "../../../../shared/store/orderedList/orderState.ts";
import { costOf } from "../../../bench/capacity.ts";
import { createTestTable } from "../../../testTable.ts";
import { newOrder } from "./listUnderTest.ts";

const table = await createTestTable();
const at = (slot: number) => formatPosition("2026-03-01", slot);
const unitsOf = async (load: () => Promise<unknown>) => (await costOf(table.client, load)).readUnits;

test("a writer pays only for parts of the state that it does not know yet", async () => {
  const order = await newOrder(table, 20, [1, 9]);
  const known = await loadOrderState(table, order, [at(0)]);
  expect(await unitsOf(() => loadOrderState(table, order, [at(2)], known))).toBe(0);
  // The slots of another segment.
  expect(await unitsOf(() => loadOrderState(table, order, [at(8)], known))).toBe(1);
});

test("days without empty slots cost a writer nothing", async () => {
  const order = await newOrder(table, 20, []);
  const withoutDays = await unitsOf(() => loadOrderState(table, order));
  expect(await unitsOf(() => loadOrderState(table, order, [at(0), at(9)]))).toBe(withoutDays);
});

test.each(["2026-03-02", "2025-03-01"])("a position on %s, a day that the list lacks, is stale", async (day) => {
  const order = await newOrder(table, 20, []);
  await expect(loadOrderState(table, order, [formatPosition(day, 0)])).rejects.toThrow(StaleRankError);
});
