import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListOrder } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import type { DayCounts } from "../../../../shared/store/orderedList/dayIndex.ts";
import {
  currentDay,
  loadOrderState,
  type OrderState,
  StaleRankError,
} from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { SlotSet } from "../../../../shared/store/orderedList/slotItems.ts";
import { createTestTable } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";
import { newList } from "./listUnderTest.ts";

const segmentSize = 8;
const table = await createTestTable();
const { list } = await newList(table);
const { rank: order } = list.orders;

/** An order of a list, with the positions of its records by the plain rules, and its state after each transaction. */
class OrderUnderTest {
  readonly order: ListOrder;
  readonly places = new Map<number, string>();
  state: OrderState;

  constructor(state: OrderState) {
    this.order = state.order;
    this.state = state;
  }

  static async create(name: "rank" | "saleRank" = "rank"): Promise<OrderUnderTest> {
    const { list } = await newList(table, { kind: "sale", segmentSize });
    return new OrderUnderTest(await loadOrderState(table, list.orders[name] ?? expect.fail()));
  }

  /** Moves records to a day and removes others, in one transaction at a time of `day`. */
  async move(moves: { who: number; to?: string }[], day: string): Promise<void> {
    const leaving = moves.flatMap(({ who }) => this.places.get(who) ?? []);
    const loaded = await loadOrderState(table, this.order, leaving, this.state);
    const fromTo = moves.map(({ who, to }) => ({ from: this.places.get(who), ...(to && { to }) }));
    const planned = planMoves(table, loaded, fromTo, new Date(`${day}T10:00:00.000Z`));
    await table.transact(planned.writes);
    for (const [i, { who, to }] of moves.entries()) {
      if (to) this.places.set(who, planned.ranks[i] ?? "");
      else this.places.delete(who);
    }
    this.state = planned.next;
  }

  /** The stored state, as a writer without any state would read it. */
  stored = () => loadOrderState(table, this.order, this.places.values());
}

const counts = ({ dayIndexes }: OrderState) =>
  [...dayIndexes.values()].flatMap(({ days }) => [...days].map(([day, { active }]) => [day, active] as const));

describe("moves of an order", () => {
  const days = ["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02"] as const;
  const step = fc.tuple(
    fc.constantFrom(...days),
    fc.uniqueArray(fc.nat(19), { minLength: 1, maxLength: 12 }),
    fc.nat(9),
  );

  test.each(["rank", "saleRank"] as const)("by %s leave the planned state in the table", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const under = await OrderUnderTest.create(name);
        const { places } = under;
        const slotsUsed = new Set<string>();
        for (const [i, [day, who, fate]] of steps.entries()) {
          const to = name === "rank" ? currentDay(under.state, new Date(day)) : day;
          // Some of the existing records are removed.
          const moves = who.flatMap((one) =>
            fate === 0 ? (places.has(one) ? [{ who: one }] : []) : [{ who: one, to }],
          );
          if (moves.length === 0) continue;
          const { state } = under;
          const before = structuredClone(counts(state));
          await under.move(moves, day);
          expect(counts(state), "a plan changes nothing").toEqual(before);
          for (const { who: one } of moves) {
            const rank = places.get(one);
            if (!rank) continue;
            expect(slotsUsed, "no slot has two owners").not.toContain(rank);
            slotsUsed.add(rank);
          }
          const stored = await under.stored();
          const tally = Map.groupBy(places.values(), (rank) => rank.slice(0, 10));
          expect(stored.dayIndexes).toEqual(under.state.dayIndexes);
          expect(new Map(counts(stored).filter(([, active]) => active > 0))).toEqual(
            new Map([...tally].map(([day, { length }]) => [day, length])),
          );
          for (const [day, slots] of stored.slots) {
            const known = under.state.slots.get(day);
            if (known) expect(slots.empty).toEqual(known.empty);
          }
          if (i % 3 === 0) under.state = await loadOrderState(table, under.order);
        }
      }),
      { numRuns: isThorough ? 40 : 12 },
    );
  });

  test("past days without records leave nothing in the table", async () => {
    const under = await OrderUnderTest.create();
    const { places } = under;
    const moveTo = (day: string, some: readonly number[]) =>
      under.move(
        some.map((who) => ({ who, to: day })),
        day,
      );
    await moveTo("2026-03-01", [...Array(23).keys()]);
    for (const day of ["2026-03-02", "2026-03-03"]) {
      const bySlot = [...places.keys()].sort((a, b) => ((places.get(a) ?? "") < (places.get(b) ?? "") ? -1 : 1));
      // Records first leave the last segment and half of the first, then the rest of the first, then the second.
      for (const some of [[...bySlot.slice(16), ...bySlot.slice(0, 4)], bySlot.slice(4, 8), bySlot.slice(8, 16)]) {
        await moveTo(day, some);
      }
    }
    // The first day was dropped with the second one's last record, the second with the third one's.
    expect(counts(under.state)).toEqual([["2026-03-03", 23]]);
    expect(await table.queryPartition(under.order.slots, { consistent: true })).toEqual([]);
  });

  test("store a day's empty sequence numbers when a single record begins its second segment", async () => {
    const under = await OrderUnderTest.create();
    const day = "2026-03-01";
    const first = [...Array(segmentSize).keys()].map((who) => ({ who, to: day }));
    for (const moves of [first, [{ who: 1 }, { who: 2 }], [{ who: 9, to: day }]]) await under.move(moves, day);
    expect((await under.stored()).slots.get(day)?.empty).toEqual(new Map([[0, 2]]));
  });
});

test.each([
  ["an empty list", []],
  ["a list of that year", [0]],
])("a writer puts no record before the newest day, not even in another year: %s", async (_, names) => {
  const under = await OrderUnderTest.create();
  const behind = new Date("2026-12-31T23:59:58.000Z");
  for (const who of names) await under.move([{ who, to: "2026-12-31" }], "2026-12-31");
  const begun = under.state;
  await under.move([{ who: 1, to: "2027-01-01" }], "2027-01-01");
  expect(currentDay(await loadOrderState(table, under.order), behind)).toBe("2027-01-01");
  // A plan that has read nothing of the index is rejected.
  const late = planMoves(table, begun, [{ to: currentDay(begun, behind) }], behind);
  await expect(table.transact(late.writes)).rejects.toThrow(/ConditionalCheckFailed/);
});

const now = new Date("2026-03-09T10:00:00.000Z");

/** A state of days in one year. Of the given days, the first segment is loaded, by its empty slots. */
function createState(days: Record<string, DayCounts>, known: Record<string, number[]> = {}): OrderState {
  const [year = ""] = Object.keys(days).map((day) => day.slice(0, 4));
  const dayIndex = { year, version: 3, changedAt: 0, days: new Map(Object.entries(days)), others: undefined };
  const slots = Object.entries(known).map(([day, slots]) => {
    const set = SlotSet.empty(segmentSize);
    for (const slot of slots) set.add(slot);
    const empty = new Map(slots.length > 0 ? [[0, slots.length]] : []);
    return [day, { empty, bitmaps: new Map([[0, set]]) }] as const;
  });
  return { order, dayIndexes: new Map([[year, dayIndex]]), slots: new Map(slots) };
}

const full = (slots: number): DayCounts => ({ allocated: slots, active: slots });

describe("a record that is not at its expected position", () => {
  const leaves = (state: OrderState) => () => planMoves(table, state, [{ from: formatPosition("2026-03-01", 1) }], now);

  test.each<[string, OrderState]>([
    ["a day that is not in the day index", createState({ "2026-03-02": full(2) }, { "2026-03-01": [] })],
    ["a segment that was not loaded", createState({ "2026-03-01": full(2) })],
    ["a slot that is empty", createState({ "2026-03-01": { allocated: 2, active: 1 } }, { "2026-03-01": [1] })],
  ])("makes the plan fail: %s", (_, state) => {
    expect(leaves(state)).toThrow(StaleRankError);
    expect(leaves(state)).toThrow(expect.objectContaining({ name: "StaleRankError" }));
  });
});

describe("a past day without records", () => {
  test("is removed with each transaction, two at a time", () => {
    const ended = { allocated: 3, active: 0 };
    const days = { "2026-03-01": ended, "2026-03-02": ended, "2026-03-03": ended, "2026-03-09": full(1) };
    const { next } = planMoves(table, createState(days), [{ to: "2026-03-09" }], now);
    const { next: last } = planMoves(table, next, [{ to: "2026-03-09" }], now);
    const remaining = [next, last].map((state) => counts(state).map(([day]) => day));
    expect(remaining).toEqual([["2026-03-03", "2026-03-09"], ["2026-03-09"]]);
  });

  test("stays while it is the newest, so that its sequence numbers are not allocated again", () => {
    const state = createState({ "2026-03-01": full(1), "2026-03-09": full(1) }, { "2026-03-09": [] });
    const { next } = planMoves(table, state, [{ from: formatPosition("2026-03-09", 0) }], now);
    expect(next.dayIndexes.get("2026")?.days.get("2026-03-09")).toEqual({ allocated: 1, active: 0 });
    expect(planMoves(table, next, [{ to: "2026-03-09" }], now).ranks).toEqual([formatPosition("2026-03-09", 1)]);
  });
});

test("only the newest year has the versions of the others and the generation", () => {
  const state = createState({ "2025-03-01": full(1) });
  const [dayIndex = expect.fail()] = state.dayIndexes.values();
  const rebuilt = { ...state, dayIndexes: new Map([["2025", { ...dayIndex, generation: 5 }]]) };
  const { dayIndexes } = planMoves(table, rebuilt, [{ to: "2026-01-01" }], now).next;
  const fields = [...dayIndexes.values()].map(({ version, others, generation }) => ({ version, others, generation }));
  expect(fields).toEqual([
    { version: 4, others: undefined, generation: undefined },
    { version: 1, others: { "2025": 4 }, generation: 5 },
  ]);
});
