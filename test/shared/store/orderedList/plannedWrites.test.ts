import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import type { DayCounts } from "../../../../shared/store/orderedList/dayIndex.ts";
import { type OrderState, StaleRankError } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { SlotSet } from "../../../../shared/store/orderedList/slotItems.ts";
import { createTestTable } from "../../../testTable.ts";

const segmentSize = 8;
const { rank: order } = recordList("f6a3d1de-8f3a-4a52-9b57-0d2d3c2f4f11", "customer", segmentSize).orders;
const now = new Date("2026-03-09T10:00:00.000Z");

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** A state of days within their years. The given segments are loaded, by their empty slots. */
function createState(
  days: Record<string, DayCounts>,
  known: Record<string, Record<number, number[]>> = {},
): OrderState {
  const years = Map.groupBy(Object.entries(days), ([day]) => day.slice(0, 4));
  const slots = Object.entries(known).map(([day, segments]) => {
    const sets = Object.entries(segments).map(([segment, empty]) => {
      const set = SlotSet.empty(segmentSize);
      for (const slot of empty) set.add(slot);
      return [Number(segment), set] as const;
    });
    const empty = sets.map(([segment, set]) => [segment, set.count()] as const).filter(([, count]) => count > 0);
    return [day, { empty: new Map(empty), bitmaps: new Map(sets) }] as const;
  });
  const dayIndexes = [...years].map(
    ([year, ofYear]) => [year, { year, version: 3, changedAt: 0, days: new Map(ofYear), others: undefined }] as const,
  );
  return { order, dayIndexes: new Map(dayIndexes), slots: new Map(slots) };
}

const full = (slots: number): DayCounts => ({ allocated: slots, active: slots });

describe("a record that is not at its expected position", () => {
  const leaves = (state: OrderState) => () => planMoves(table, state, [{ from: formatPosition("2026-03-01", 1) }], now);

  test.each<[string, OrderState]>([
    ["a day that is not in the day index", createState({ "2026-03-02": full(2) }, { "2026-03-01": { 0: [] } })],
    ["a segment that was not loaded", createState({ "2026-03-01": full(2) })],
    ["a slot that is empty", createState({ "2026-03-01": { allocated: 2, active: 1 } }, { "2026-03-01": { 0: [1] } })],
  ])("makes the plan fail: %s", (_, state) => {
    expect(leaves(state)).toThrow(StaleRankError);
    expect(leaves(state)).toThrow(expect.objectContaining({ name: "StaleRankError" }));
  });

  test("can leave if the state is right", () => {
    expect(leaves(createState({ "2026-03-01": full(2) }, { "2026-03-01": { 0: [] } }))().ranks).toEqual([""]);
  });
});

describe("a past day without records", () => {
  test("is removed with each transaction, two at a time", () => {
    const ended = { allocated: 3, active: 0 };
    const days = { "2026-03-01": ended, "2026-03-02": ended, "2026-03-03": ended, "2026-03-09": full(1) };
    const daysAfter = (state: OrderState) => {
      const { next } = planMoves(table, state, [{ to: "2026-03-09" }], now);
      return { next, days: [...(next.dayIndexes.get("2026")?.days.keys() ?? [])] };
    };
    const { next, days: remaining } = daysAfter(createState(days));
    expect(remaining).toEqual(["2026-03-03", "2026-03-09"]);
    expect(daysAfter(next).days).toEqual(["2026-03-09"]);
  });

  test("stays while it is the newest, so that its sequence numbers are not allocated again", () => {
    const state = createState({ "2026-03-01": full(1), "2026-03-09": full(1) }, { "2026-03-09": { 0: [] } });
    const { next } = planMoves(table, state, [{ from: formatPosition("2026-03-09", 0) }], now);
    expect(next.dayIndexes.get("2026")?.days.get("2026-03-09")).toEqual({ allocated: 1, active: 0 });
    expect(planMoves(table, next, [{ to: "2026-03-09" }], now).ranks).toEqual([formatPosition("2026-03-09", 1)]);
  });
});

test("only the newest year has the versions of the others and the generation", () => {
  const before = createState({ "2025-03-01": full(1) });
  const ofYear = before.dayIndexes.get("2025") as NonNullable<ReturnType<OrderState["dayIndexes"]["get"]>>;
  const state = { ...before, dayIndexes: new Map([["2025", { ...ofYear, generation: 5 }]]) };
  const { dayIndexes } = planMoves(table, state, [{ to: "2026-01-01" }], now).next;
  const fields = [...dayIndexes.values()].map(({ version, others, generation }) => ({ version, others, generation }));
  expect(fields).toEqual([
    { version: 4, others: undefined, generation: undefined },
    { version: 1, others: { "2025": 4 }, generation: 5 },
  ]);
});
