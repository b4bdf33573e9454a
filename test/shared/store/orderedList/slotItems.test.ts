import { describe, expect, test } from "vitest";
import { recordList } from "../../../../shared/store/keys/orderedLists.ts";
import { formatPosition } from "../../../../shared/store/keys/positions.ts";
import {
  emptySlotsFromCounts,
  hasInlineCounts,
  isTaken,
  loadSlots,
  SlotSet,
  segmentItem,
} from "../../../../shared/store/orderedList/slotItems.ts";
import { StaleReadError } from "../../../../shared/store/retryOnConflict.ts";
import { createTestTable, testTableOf } from "../../../testTable.ts";
import { hideFromLaggingReads } from "./laggingReads.ts";
import { newOrder } from "./listUnderTest.ts";

const table = await createTestTable();
const day = "2026-03-01";

function setOf(segmentSize: number, ...slots: number[]): SlotSet {
  const set = SlotSet.empty(segmentSize);
  for (const slot of slots) set.add(slot);
  return set;
}

test("a set has the slots that were added, and a copy does not change the original", () => {
  const set = setOf(20, 0, 7, 8, 19, 19);
  const copy = set.copy();
  copy.add(1);
  const slots = (some: SlotSet) => Array.from({ length: 24 }, (_, slot) => slot).filter((slot) => some.has(slot));
  expect([slots(set), set.count()]).toEqual([[0, 7, 8, 19], 4]);
  expect([slots(copy), copy.count()]).toEqual([[0, 1, 7, 8, 19], 5]);
});

test("the counts of a day index show the empty slots if the day has one segment or no empty slot", () => {
  const of = (allocated: number, active: number) => hasInlineCounts({ allocated, active }, 8);
  expect([of(8, 3), of(9, 9), of(9, 8)]).toEqual([true, true, false]);
  expect([...emptySlotsFromCounts({ allocated: 9, active: 9 })]).toEqual([]);
  expect([...emptySlotsFromCounts({ allocated: 8, active: 5 })]).toEqual([[0, 3]]);
});

test("a position is taken if its slot is not empty, and no slots are stored for an empty segment", () => {
  // By segment.
  const [empty, bitmaps] = [new Map([1, 8].entries()), new Map([setOf(8, 1), setOf(8)].entries())];
  const slots = new Map([[day, { empty, bitmaps }]]);
  const taken = [0, 1, 8].map((slot) => isTaken(formatPosition(day, slot), slots, 8));
  expect([...taken, isTaken(formatPosition("2026-03-02", 0), slots, 8)]).toEqual([true, false, false, false]);
});

test("of a segment's bits, only those up to the last set one are stored", () => {
  const { rank: order } = recordList("a CRB", "customer", 2_048).orders;
  expect(segmentItem(order, day, 0, setOf(2_048, 19)).slots).toEqual(Uint8Array.of(0, 0, 8));
});

describe("slots that may not match the day index", () => {
  const load = async (next: number, left: readonly number[], active: number, empty?: ReadonlyMap<number, number>) => {
    const order = await newOrder(table, next, left);
    const wanted = { day, counts: { allocated: next, active }, segments: new Set([0]), empty };
    return loadSlots(table, order, [wanted], { consistent: true });
  };

  test("are returned if they match", async () => {
    expect([...((await load(20, [1, 9], 18)).get(day)?.empty ?? [])].flat()).toEqual([0, 1, 1, 1]);
    expect((await load(8, [1, 2], 6)).get(day)?.bitmaps.get(0)?.count()).toBe(2);
    // Its slots are no longer stored.
    expect((await load(20, [0, 1, 2, 3, 4, 5, 6, 7], 12)).get(day)?.bitmaps.get(0)?.count()).toBe(0);
  });

  test("are read consistently on request, by a query of whole days and by key", async () => {
    const order = await newOrder(table, 8, [1, 2]);
    const reader = hideFromLaggingReads(testTableOf(table));
    const wanted = { day, counts: { allocated: 8, active: 6 }, segments: new Set([0]) };
    // A long day between costs a query more than the single read.
    for (const days of [undefined, [[day, { allocated: 99_999, active: 1 }]] as const]) {
      const slots = await loadSlots(reader, order, [wanted], { consistent: true, ...(days && { days }) });
      expect(slots.get(day)?.bitmaps.get(0)?.count()).toBe(2);
    }
  });

  test.each([
    ["a day's own item counts other empty slots", 20, [1, 9], 17, undefined],
    ["there is no such item", 20, [], 18, undefined],
    ["a segment has another number of empty slots than reported", 20, [1, 9], 18, new Map([[0, 2]])],
    ["a segment has unreported empty slots", 20, [1, 9], 18, new Map([[1, 2]])],
    ["the only segment has fewer than are missing", 8, [1], 6, undefined],
  ])("must be read again: %s", async (_, next, left, active, empty) => {
    await expect(load(next, left, active, empty)).rejects.toThrow(StaleReadError);
  });
});
