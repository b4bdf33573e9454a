import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../../shared/store/client.ts";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import type { DayCounts } from "../../../../shared/store/orderedList/dayIndex.ts";
import {
  createOrderState,
  newestDay,
  type OrderState,
  StaleRankError,
} from "../../../../shared/store/orderedList/orderState.ts";
import { listMoveKeys, type Move, planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { SlotSet } from "../../../../shared/store/orderedList/slotSet.ts";
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

/** The writes of a plan: "put", "delete" or "check", and the range key. */
function writesOf(state: OrderState, moves: readonly Move[]) {
  const { writes } = planMoves(table, state, moves, now);
  const name = ({ Put, Delete, ConditionCheck }: TransactWriteItem): string => {
    if (Put) return `put ${Put.Item?.sk}`;
    return Delete ? `delete ${Delete.Key?.sk}` : `check ${ConditionCheck?.Key?.sk}`;
  };
  return writes.map(name);
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

describe("a plan writes", () => {
  test("the first day index of a list, and checks that the adjacent years have none", () => {
    expect(writesOf(createOrderState(order), [{ to: "2026-03-01" }])).toEqual(["put 2026", "check 2025", "check 2027"]);
    expect(writesOf(createState({ "2026-03-01": full(1) }), [{ to: "2026-03-01" }])).toEqual(["put 2026"]);
  });

  test("day indexes of other years only if a record leaves them or if they were the newest", () => {
    const days = { "2024-03-01": full(2), "2025-03-01": full(2), "2026-03-01": full(2) };
    const state = createState(days, { "2024-03-01": { 0: [] } });
    expect(writesOf(state, [{ to: "2026-03-02" }])).toEqual(["put 2026"]);
    expect(writesOf(state, [{ to: "2027-03-02" }])).toEqual(["put 2026", "put 2027"]);
    expect(writesOf(state, [{ from: formatPosition("2024-03-01", 0), to: "2026-03-02" }])).toEqual([
      "put 2024-03-01#00000",
      "put 2024",
      "put 2026",
    ]);
  });

  test("the empty slots of a day with one segment, and also the counts per segment of a larger day", () => {
    const leave = (next: number, slots: number[], empty: number[] = []) =>
      writesOf(
        createState(
          { "2026-03-01": { allocated: next, active: next - empty.length }, "2026-03-02": full(1) },
          { "2026-03-01": { 0: empty } },
        ),
        slots.map((slot) => ({ from: formatPosition("2026-03-01", slot) })),
      );
    const [day, segment] = ["2026-03-01", "2026-03-01#00000"];
    expect(leave(8, [0, 1])).toEqual([`put ${segment}`, "put 2026"]);
    expect(leave(9, [0, 1])).toEqual([`put ${day}`, `put ${segment}`, "put 2026"]);
    // The last record of a full segment leaves. Its count suffices, so it needs no bitmap.
    expect(leave(9, [7], [0, 1, 2, 3, 4, 5, 6])).toEqual([`put ${day}`, `delete ${segment}`, "put 2026"]);
  });

  test("the place of a day's empty slots when it grows beyond a segment, because the day index does not have it any more", () => {
    expect(writesOf(createState({ "2026-03-01": full(8) }), [{ to: "2026-03-01" }])).toEqual(["put 2026"]);
    expect(writesOf(createState({ "2026-03-01": { allocated: 7, active: 6 } }), [{ to: "2026-03-01" }])).toEqual([
      "put 2026",
    ]);
    expect(writesOf(createState({ "2026-03-01": { allocated: 8, active: 7 } }), [{ to: "2026-03-01" }])).toEqual([
      "put 2026-03-01",
      "put 2026",
    ]);
  });
});

describe("a past day without records", () => {
  const dropped = (next: number, more: Record<string, DayCounts> = {}) => {
    const last = Math.floor((next - 1) / segmentSize);
    const empty = Array.from({ length: (next - 1) % segmentSize }, (_, slot) => slot);
    const state = createState(
      { "2026-03-01": { allocated: next, active: 1 }, ...more, "2026-03-09": full(1) },
      { "2026-03-01": { [last]: empty } },
    );
    const moves = [{ from: formatPosition("2026-03-01", next - 1), to: "2026-03-09" }];
    return { writes: writesOf(state, moves), next: planMoves(table, state, moves, now).next };
  };

  test.each([
    [1, ["2026-03-01#00000"]],
    [8, ["2026-03-01#00000"]],
    [9, ["2026-03-01", "2026-03-01#00001"]],
    [16, ["2026-03-01", "2026-03-01#00001"]],
    [17, ["2026-03-01", "2026-03-01#00002"]],
  ])("with %i slots is removed completely", (slots, keys) => {
    const { writes, next } = dropped(slots);
    expect(writes).toEqual([...keys.map((key) => `delete ${key}`), "put 2026"]);
    expect([...(next.dayIndexes.get("2026")?.days ?? [])]).toEqual([["2026-03-09", { allocated: 2, active: 2 }]]);
    expect(next.slots.has("2026-03-01")).toBe(false);
  });

  test("is removed with each transaction, two at a time", () => {
    const ended = { "2026-03-02": { allocated: 3, active: 0 }, "2026-03-03": { allocated: 3, active: 0 } };
    const { writes, next } = dropped(1, ended);
    expect(writes.filter((write) => write.startsWith("delete"))).toHaveLength(2);
    expect([...(next.dayIndexes.get("2026")?.days.keys() ?? [])]).toEqual(["2026-03-03", "2026-03-09"]);
    expect(writesOf(next, [{ to: "2026-03-09" }])).toEqual(["delete 2026-03-03#00000", "put 2026"]);
  });

  test("stays while it is the newest, so that its sequence numbers are not allocated again", () => {
    const state = createState({ "2026-03-01": full(1), "2026-03-09": full(1) }, { "2026-03-09": { 0: [] } });
    const { next } = planMoves(table, state, [{ from: formatPosition("2026-03-09", 0) }], now);
    expect(next.dayIndexes.get("2026")?.days.get("2026-03-09")).toEqual({ allocated: 1, active: 0 });
    expect(planMoves(table, next, [{ to: "2026-03-09" }], now).ranks).toEqual([formatPosition("2026-03-09", 1)]);
  });
});

test("only the newest year has the versions of the others and the names of dedicated indexes", () => {
  const lists = { dedicatedIndexes: { CUSTOMER: 5 }, unfinishedIndexes: ["PRODUCT"] };
  const before = createState({ "2025-03-01": full(1) });
  const ofYear = before.dayIndexes.get("2025") as NonNullable<ReturnType<OrderState["dayIndexes"]["get"]>>;
  const state = { ...before, dayIndexes: new Map([["2025", { ...ofYear, ...lists }]]) };
  const { dayIndexes } = planMoves(table, state, [{ to: "2026-01-01" }], now).next;
  const fields = [...dayIndexes.values()].map(({ version, others, dedicatedIndexes, unfinishedIndexes }) => ({
    version,
    others,
    dedicatedIndexes,
    unfinishedIndexes,
  }));
  expect(fields).toEqual([
    { version: 4, others: undefined, dedicatedIndexes: undefined, unfinishedIndexes: undefined },
    { version: 1, others: { "2025": 4 }, ...lists },
  ]);
});

test("the newest day is found in whatever order days were added", () => {
  expect(newestDay(createState({ "2026-03-02": full(1), "2026-03-10": full(1), "2026-03-09": full(1) }))).toBe(
    "2026-03-10",
  );
});

test("a move has these items in its transaction", () => {
  const dayIndex = (sk: string) => ({ pk: order.dayIndexPartition, sk });
  const slots = (sk: string) => ({ pk: order.slots, sk });
  const entered = [dayIndex("newest"), dayIndex("2026"), slots("2026-03-09")];
  expect(listMoveKeys(order, { to: "2026-03-09" })).toEqual(entered);
  expect(listMoveKeys(order, { from: formatPosition("2025-03-01", 9), to: "2026-03-09" })).toEqual([
    ...entered,
    dayIndex("2025"),
    slots("2025-03-01"),
    slots("2025-03-01#00001"),
  ]);
});
