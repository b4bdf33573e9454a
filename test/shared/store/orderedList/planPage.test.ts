import { expect, test } from "vitest";
import { resolveSegmentSlots, segmentsOf } from "../../../../shared/store/orderedList/planPage.ts";
import { SlotSet } from "../../../../shared/store/orderedList/slotItems.ts";

const counts = { allocated: 12, active: 12 };

test("more records requested of a day than it has return all of them", () => {
  expect(segmentsOf({ day: "2026-03-01", counts, skip: 2, take: 100 }, new Map(), 8)).toEqual([
    { segment: 1, skip: 2, take: 2 },
    { segment: 0, skip: 0, take: 8 },
  ]);
  expect(resolveSegmentSlots(counts, { segment: 1, skip: 2, take: 100 }, SlotSet.empty(8), 8)).toEqual([9, 8]);
});
