import { expect, test } from "vitest";
import { chaptersOf, slotsOf } from "../../../../shared/store/orderedList/pagePlan.ts";
import { SlotSet } from "../../../../shared/store/orderedList/slotSet.ts";

const counts = { next: 12, live: 12 };

test("whoever wants more of a day than there is gets what there is", () => {
  expect(chaptersOf({ day: "2026-03-01", counts, skip: 2, take: 100 }, new Map(), 8)).toEqual([
    { chapter: 1, skip: 2, take: 2 },
    { chapter: 0, skip: 0, take: 8 },
  ]);
  expect(slotsOf(counts, { chapter: 1, skip: 2, take: 100 }, SlotSet.empty(8), 8)).toEqual([9, 8]);
});
