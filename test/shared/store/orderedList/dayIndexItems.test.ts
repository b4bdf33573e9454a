import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { loadDayIndexes, loadDedicatedIndexNames } from "../../../../shared/store/orderedList/dayIndexItems.ts";
import { createOrderState } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { useTestTable } from "../../../useTestTable.ts";
import { recordReads } from "./recordReads.ts";

const table = useTestTable();

/** An order with one record on a day in each of three years. */
async function createOrder() {
  const { rank: order } = recordList(randomUUID(), "customer", 8).orders;
  let state = createOrderState(order);
  for (const day of ["2024-03-01", "2025-03-01", "2026-03-01"]) {
    const { writes, next } = planMoves(table(), state, [{ to: day }], new Date(`${day}T10:00:00.000Z`));
    await table().transact(writes);
    state = next;
  }
  return order;
}

test.each([
  ["all years", {}, "0000..9999", ["2024", "2025", "2026"]],
  // Also reads the newest year, which lists the others.
  ["the years of a window", { from: "2024-05-01", to: "2025-05-01" }, "2024..9999", ["2024", "2025"]],
  ["the one year of a window", { from: "2025-01-01", to: "2025-12-31" }, "2025..2025", ["2025"]],
])("%s are read consistently", async (_, window, asks, years) => {
  const order = await createOrder();
  const reads = recordReads(table());
  expect((await loadDayIndexes(table(), order, window)).map(({ year }) => year)).toEqual(years);
  expect(reads).toEqual([{ asks: [asks], consistent: true }]);
});

test("an eventually consistent read reads only the years of the window, and they may not match", async () => {
  const order = await createOrder();
  const reads = recordReads(table());
  const window = { from: "2024-05-01", to: "2025-05-01" };
  const dayIndexes = await loadDayIndexes(table(), order, window, { consistent: false });
  expect(dayIndexes.map(({ year }) => year)).toEqual(["2024", "2025"]);
  expect(reads).toEqual([{ asks: ["2024..2025"], consistent: false }]);
});

test("the names of dedicated indexes are read consistently", async () => {
  const order = await createOrder();
  const reads = recordReads(table());
  await loadDedicatedIndexNames(table(), order);
  expect(reads.map(({ consistent }) => consistent)).toEqual([true]);
});
