import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { loadOrderState } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { useTestTable } from "../../../useTestTable.ts";

const table = useTestTable();

/** An order with one record on a day in each of three years. */
async function createOrder() {
  const { rank: order } = recordList(randomUUID(), "customer", 8).orders;
  let state = await loadOrderState(table(), order);
  for (const day of ["2024-03-01", "2025-03-01", "2026-03-01"]) {
    const { writes, next } = planMoves(table(), state, [{ to: day }], new Date(`${day}T10:00:00.000Z`));
    await table().transact(writes);
    state = next;
  }
  return order;
}

test.each([true, false])("a window has the day indexes of its years, consistent or not: %s", async (consistent) => {
  const order = await createOrder();
  const yearsOf = async (window: { from?: string; to?: string }) =>
    (await loadDayIndexes(table(), order, window, { consistent })).map(({ year }) => year);
  expect(await yearsOf({})).toEqual(["2024", "2025", "2026"]);
  expect(await yearsOf({ from: "2024-05-01", to: "2025-05-01" })).toEqual(["2024", "2025"]);
  expect(await yearsOf({ from: "2025-01-01", to: "2025-12-31" })).toEqual(["2025"]);
});
