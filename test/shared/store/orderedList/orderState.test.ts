import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Table } from "../../../../shared/store/client.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import { createOrderState, loadOrderState, StaleRankError } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "./listUnderTest.ts";
import { recordReads } from "./recordReads.ts";

const table = useTestTable();

/** An order of a list with 20 records on a day, in segments of 8. */
async function createOrder() {
  const { rank: order } = recordList(randomUUID(), "customer", 8).orders;
  const moves = Array.from({ length: 20 }, () => ({ to: "2026-03-01" }));
  await table().transact(
    planMoves(table(), createOrderState(order), moves, new Date("2026-03-01T10:00:00.000Z")).writes,
  );
  return order;
}

const createOrderWithEmptySlots = async (ranks: string[]) => {
  const order = await createOrder();
  const state = await loadOrderState(table(), order, ranks);
  const moves = ranks.map((from) => ({ from, to: "2026-03-02" }));
  await table().transact(planMoves(table(), state, moves, new Date("2026-03-02T10:00:00.000Z")).writes);
  return order;
};

test("everything is read consistently, and loaded parts are not read again", async () => {
  const order = await createOrderWithEmptySlots([formatPosition("2026-03-01", 1), formatPosition("2026-03-01", 9)]);
  const reads = recordReads(table());
  const takeReads = () => reads.splice(0).map(({ asks, consistent }) => [consistent, ...asks]);
  const known = await loadOrderState(table(), order, [formatPosition("2026-03-01", 0)]);
  expect(takeReads()).toEqual([
    [true, "0000..9999"],
    [true, "2026-03-01", "2026-03-01#00000"],
  ]);
  expect(await loadOrderState(table(), order, [formatPosition("2026-03-01", 2)], known)).toEqual(known);
  expect(takeReads()).toEqual([]);
  await loadOrderState(table(), order, [formatPosition("2026-03-01", 2), formatPosition("2026-03-01", 8)], known);
  expect(takeReads()).toEqual([[true, "2026-03-01#00001"]]);
});

test("nothing is read of a day without empty slots", async () => {
  const order = await createOrder();
  const reads = recordReads(table());
  await loadOrderState(table(), order, [formatPosition("2026-03-01", 0), formatPosition("2026-03-01", 9)]);
  expect(reads.map(({ asks }) => asks)).toEqual([["0000..9999"]]);
});

test.each(["2026-03-02", "2025-03-01"])(
  "a position on %s, a day that the list does not have, is stale",
  async (day) => {
    await expect(loadOrderState(table(), await createOrder(), [formatPosition(day, 0)])).rejects.toThrow(
      StaleRankError,
    );
  },
);

test("a writer with a wrong clock cannot write", async () => {
  const order = await createOrder();
  const behind = new Table(table().name, table().client, new TestClock("2026-03-01T10:00:00.000Z"));
  await expect(loadOrderState(behind, order)).rejects.toMatchObject({ kind: "unavailable" });
});
