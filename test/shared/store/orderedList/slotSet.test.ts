import { expect, test } from "vitest";
import { SlotSet } from "../../../../shared/store/orderedList/slotItems.ts";

test("a set has one bit per slot", () => {
  expect([8, 20, 2_048].map((segmentSize) => SlotSet.empty(segmentSize).bytes.length)).toEqual([1, 3, 256]);
});

test("slots are added one by one, and a copy does not change the original", () => {
  const set = SlotSet.empty(20);
  for (const slot of [0, 7, 8, 19, 19]) set.add(slot);
  const copy = set.copy();
  copy.add(1);
  const slots = (some: SlotSet) => Array.from({ length: 24 }, (_, slot) => slot).filter((slot) => some.has(slot));
  expect([slots(set), set.count()]).toEqual([[0, 7, 8, 19], 4]);
  expect([slots(copy), copy.count()]).toEqual([[0, 1, 7, 8, 19], 5]);
});
