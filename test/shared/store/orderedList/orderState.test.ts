import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Table } from "../../../../shared/store/client.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import { loadOrderState, StaleRankError } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { costOf } from "../../../bench/capacity.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { TestClock } from "./listUnderTest.ts";

const table = useTestTable();

/** An order of a list with 20 records on a day, in segments of 8. */
async function createOrder() {
  const { rank: order } = recordList(randomUUID(), "customer", 8).orders;
  const moves = Array.from({ length: 20 }, () => ({ to: "2026-03-01" }));
  await table().transact(
    planMoves(table(), await loadOrderState(table(), order), moves, new Date("2026-03-01T10:00:00.000Z")).writes,
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

const unitsOf = async (load: () => Promise<unknown>) => (await costOf(table().client, load)).readUnits;

test("a writer pays only for parts of the state that it does not know yet", async () => {
  const [one, other] = [formatPosition("2026-03-01", 1), formatPosition("2026-03-01", 9)];
  const order = await createOrderWithEmptySlots([one, other]);
  const known = await loadOrderState(table(), order, [formatPosition("2026-03-01", 0)]);
  const again = [formatPosition("2026-03-01", 2)];
  expect(await unitsOf(() => loadOrderState(table(), order, again, known))).toBe(0);
  // The slots of another segment.
  expect(await unitsOf(() => loadOrderState(table(), order, [formatPosition("2026-03-01", 8)], known))).toBe(1);
});

test("days without empty slots cost a writer nothing", async () => {
  const order = await createOrder();
  const ranks = [formatPosition("2026-03-01", 0), formatPosition("2026-03-01", 9)];
  const withoutDays = await unitsOf(() => loadOrderState(table(), order));
  expect(await unitsOf(() => loadOrderState(table(), order, ranks))).toBe(withoutDays);
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
