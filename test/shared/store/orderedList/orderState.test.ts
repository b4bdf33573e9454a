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
async function givenOrder() {
  const { rank: order } = recordList(randomUUID(), "customer", 8).orders;
  const moves = Array.from({ length: 20 }, () => ({ to: "2026-03-01" }));
  await table().transact(
    planMoves(table(), createOrderState(order), moves, new Date("2026-03-01T10:00:00.000Z")).writes,
  );
  return order;
}

const leave = async (ranks: string[]) => {
  const order = await givenOrder();
  const state = await loadOrderState(table(), order, ranks);
  const moves = ranks.map((from) => ({ from, to: "2026-03-02" }));
  await table().transact(planMoves(table(), state, moves, new Date("2026-03-02T10:00:00.000Z")).writes);
  return order;
};

test("everything is read consistently, and what is known already is not read again", async () => {
  const order = await leave([formatPosition("2026-03-01", 1), formatPosition("2026-03-01", 9)]);
  const reads = recordReads(table());
  const asked = () => reads.splice(0).map(({ asks, consistent }) => [consistent, ...asks]);
  const known = await loadOrderState(table(), order, [formatPosition("2026-03-01", 0)]);
  expect(asked()).toEqual([
    [true, "0000..9999"],
    [true, "2026-03-01", "2026-03-01#00000"],
  ]);
  expect(await loadOrderState(table(), order, [formatPosition("2026-03-01", 2)], known)).toEqual(known);
  expect(asked()).toEqual([]);
  await loadOrderState(table(), order, [formatPosition("2026-03-01", 2), formatPosition("2026-03-01", 8)], known);
  expect(asked()).toEqual([[true, "2026-03-01#00001"]]);
});

test("of a day that has no empty slot nothing is read", async () => {
  const order = await givenOrder();
  const reads = recordReads(table());
  await loadOrderState(table(), order, [formatPosition("2026-03-01", 0), formatPosition("2026-03-01", 9)]);
  expect(reads.map(({ asks }) => asks)).toEqual([["0000..9999"]]);
});

test.each(["2026-03-02", "2025-03-01"])(
  "a place on %s, of which the list knows nothing, is none any more",
  async (day) => {
    await expect(loadOrderState(table(), await givenOrder(), [formatPosition(day, 0)])).rejects.toThrow(StaleRankError);
  },
);

test("nobody writes by a clock that is wrong", async () => {
  const order = await givenOrder();
  const behind = new Table(table().name, table().client, new TestClock("2026-03-01T10:00:00.000Z"));
  await expect(loadOrderState(behind, order)).rejects.toMatchObject({ kind: "unavailable" });
});
