import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { RawItem, Table } from "../../../../shared/store/client.ts";
import { type ListOrder, recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { loadDayIndexes } from "../../../../shared/store/orderedList/dayIndex.ts";
import { currentDay, loadOrderState, type OrderState } from "../../../../shared/store/orderedList/orderState.ts";
import { planMoves } from "../../../../shared/store/orderedList/planMoves.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { isThorough } from "../../../thorough.ts";

const segmentSize = 8;
let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const newOrder = (name: "rank" | "saleRank" = "rank"): ListOrder => {
  const order = recordList(randomUUID(), "sale", segmentSize).orders[name];
  if (!order) throw new Error(`sales are not kept by ${name}`);
  return order;
};

/** The positions of records according to the plain rules. */
type Places = Map<number, string>;

/** Moves records to a day and removes others, in one transaction; returns the state after it. */
async function move(
  order: ListOrder,
  places: Places,
  state: OrderState,
  moves: { who: number; to?: string }[],
  at: Date,
) {
  const from = (who: number) => places.get(who);
  const loaded = await loadOrderState(
    table,
    order,
    moves.flatMap(({ who }) => from(who) ?? []),
    state,
  );
  const planned = planMoves(
    table,
    loaded,
    moves.map(({ who, to }) => ({ from: from(who), ...(to && { to }) })),
    at,
  );
  await table.transact(planned.writes);
  for (const [i, { who, to }] of moves.entries()) {
    if (to) places.set(who, planned.ranks[i] ?? "");
    else places.delete(who);
  }
  return planned.next;
}

/** The stored state of an order, as a writer without any state would read it. */
async function storedState(order: ListOrder, places: Places): Promise<OrderState> {
  return loadOrderState(table, order, places.values());
}

const counts = ({ dayIndexes }: OrderState) =>
  [...dayIndexes.values()].flatMap(({ days }) => [...days].map(([day, { active }]) => [day, active] as const));

/** The number of records on each day. */
function tally(places: Places): Map<string, number> {
  const days = new Map<string, number>();
  for (const rank of places.values()) days.set(rank.slice(0, 10), (days.get(rank.slice(0, 10)) ?? 0) + 1);
  return days;
}

describe("moves of an order", () => {
  const days = ["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02"];
  const step = fc.tuple(
    fc.nat(days.length - 1),
    fc.uniqueArray(fc.nat(19), { minLength: 1, maxLength: 12 }),
    fc.nat(9),
  );

  test.each(["rank", "saleRank"] as const)("by %s leave the planned state in the table", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const order = newOrder(name);
        const places: Places = new Map();
        let state = await loadOrderState(table, order);
        const slotsUsed = new Set<string>();
        for (const [i, [dayNumber, who, fate]] of steps.entries()) {
          const at = new Date(`${days[dayNumber]}T10:00:00.000Z`);
          const to = name === "rank" ? currentDay(state, at) : (days[dayNumber] ?? "");
          // Some of the existing records are removed.
          const moves = who.flatMap((one) =>
            fate === 0 ? (places.has(one) ? [{ who: one }] : []) : [{ who: one, to }],
          );
          if (moves.length === 0) continue;
          const before = structuredClone(counts(state));
          const next = await move(order, places, state, moves, at);
          expect(counts(state), "a plan changes nothing").toEqual(before);
          for (const { who: one } of moves) {
            const rank = places.get(one);
            if (!rank) continue;
            expect(slotsUsed, "no slot has two owners").not.toContain(rank);
            slotsUsed.add(rank);
          }
          state = i % 3 ? next : await loadOrderState(table, order);
          const stored = await storedState(order, places);
          expect(stored.dayIndexes).toEqual(next.dayIndexes);
          expect(new Map(counts(stored).filter(([, active]) => active > 0))).toEqual(tally(places));
          for (const [day, slots] of stored.slots) {
            const known = next.slots.get(day);
            if (known) expect(slots.empty).toEqual(known.empty);
          }
        }
      }),
      { numRuns: isThorough ? 40 : 12 },
    );
  });

  test("past days without records leave nothing in the table", async () => {
    const order = newOrder();
    const places: Places = new Map();
    let state = await loadOrderState(table, order);
    const moveTo = async (day: string, some: readonly number[]) => {
      const moves = some.map((who) => ({ who, to: day }));
      state = await move(order, places, state, moves, new Date(`${day}T10:00:00.000Z`));
    };
    await moveTo("2026-03-01", [...Array(23).keys()]);
    for (const day of ["2026-03-02", "2026-03-03"]) {
      const bySlot = [...places.keys()].sort((a, b) => ((places.get(a) ?? "") < (places.get(b) ?? "") ? -1 : 1));
      // Records first leave the last segment and half of the first, then the rest of the first, then the second.
      for (const some of [[...bySlot.slice(16), ...bySlot.slice(0, 4)], bySlot.slice(4, 8), bySlot.slice(8, 16)]) {
        await moveTo(day, some);
      }
    }
    // The first day was dropped with the second one's last record, the second with the third one's.
    expect(counts(state)).toEqual([["2026-03-03", 23]]);
    expect(await table.queryPartition(order.slots, { consistent: true })).toEqual([]);
  });

  test("store a day's empty sequence numbers when a single record begins its second segment", async () => {
    const order = newOrder();
    const places: Places = new Map();
    const day = "2026-03-01";
    let state = await loadOrderState(table, order);
    const first = [...Array(segmentSize).keys()].map((who) => ({ who, to: day }));
    for (const moves of [first, [{ who: 1 }, { who: 2 }], [{ who: 9, to: day }]]) {
      state = await move(order, places, state, moves, new Date(`${day}T10:00:00.000Z`));
    }
    expect((await storedState(order, places)).slots.get(day)?.empty).toEqual(new Map([[0, 2]]));
  });
});

test.each([
  ["an empty list", []],
  ["a list of that year", [0]],
])("a writer puts no record before the newest day, not even in another year: %s", async (_, names) => {
  const order = newOrder();
  const places: Places = new Map();
  const behind = new Date("2026-12-31T23:59:58.000Z");
  const first = names.map((who) => ({ who, to: "2026-12-31" }));
  const begun = first.length
    ? await move(order, places, await loadOrderState(table, order), first, behind)
    : await loadOrderState(table, order);
  await move(order, places, begun, [{ who: 1, to: "2027-01-01" }], new Date("2027-01-01T00:00:01.000Z"));
  expect(currentDay(await loadOrderState(table, order), behind)).toBe("2027-01-01");
  // A plan that has read nothing of the index is rejected.
  const late = planMoves(table, begun, [{ to: currentDay(begun, behind) }], behind);
  await expect(table.transact(late.writes)).rejects.toThrow(/ConditionalCheckFailed/);
});

test("years read before and after a transaction are read again", async () => {
  const order = newOrder();
  const places: Places = new Map();
  let state = await loadOrderState(table, order);
  for (const [who, day] of ["2025-06-01", "2026-06-01"].entries()) {
    state = await move(order, places, state, [{ who, to: day }], new Date(`${day}T10:00:00.000Z`));
  }
  const reader = testTableOf(table);
  const before: RawItem[] = [];
  let queries = 0;
  // DynamoDB may return the older year as before a transaction of both, and the newer one as after it.
  reader.client.middlewareStack.add(
    (next, context) => async (request) => {
      const response = await next(request);
      const output = response.output as { Items?: RawItem[] };
      if (context.commandName !== "QueryCommand" || !output.Items) return response;
      queries++;
      if (queries === 1) {
        before.push(...output.Items);
        await move(order, places, state, [{ who: 0, to: "2026-06-01" }], new Date("2026-06-01T11:00:00.000Z"));
        const after = await table.queryRaw(order.dayIndexPartition, { consistent: true });
        output.Items = [before[0] as RawItem, after[1] as RawItem];
      }
      return response;
    },
    { step: "initialize" },
  );
  const dayIndexes = await loadDayIndexes(reader, order);
  expect(queries).toBe(2);
  expect(dayIndexes.map(({ days }) => [...days.values()].map(({ active }) => active))).toEqual([[], [2]]);
});
