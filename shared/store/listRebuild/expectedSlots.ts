import type { Item, RawItem } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { formatPosition, positionToNumber } from "../keys/positions.ts";
import type { DayCounts } from "../orderedList/dayIndex.ts";
import { allocatedSlots, dayItem, emptyBySegment, hasInlineCounts, segmentItem } from "../orderedList/slotItems.ts";
import { SlotSet } from "../orderedList/slotSet.ts";
import { lowerBound } from "./numberColumn.ts";

/**
 * Computes the items of empty sequence numbers that an order should have, in the order of their range keys.
 *
 * @param sorted all positions as numbers, ascending
 */
export function* expectedSlots(
  order: ListOrder,
  sorted: Float64Array,
  days: ReadonlyMap<string, DayCounts>,
): Generator<Item> {
  const { segmentSize } = order;
  for (const [day, counts] of [...days].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (counts.active === counts.allocated) continue;
    const first = positionToNumber(formatPosition(day, 0));
    const taken = sorted.subarray(lowerBound(sorted, first), lowerBound(sorted, first + counts.allocated));
    const empty = new Map<number, number>();
    const segments: Item[] = [];
    for (let segment = 0; segment * segmentSize < counts.allocated; segment++) {
      const start = first + segment * segmentSize;
      const ofSegment = taken.subarray(lowerBound(taken, start), lowerBound(taken, start + segmentSize));
      const allocated = allocatedSlots(counts, segment, segmentSize);
      const missing = allocated - ofSegment.length;
      if (missing === 0) continue;
      empty.set(segment, missing);
      // A segment that is completely allocated and has no records needs no bitmap: its count shows that all its
      // sequence numbers are empty.
      if (missing === segmentSize) continue;
      segments.push(segmentItem(order, day, segment, emptySlots(ofSegment, start, allocated, segmentSize)));
    }
    if (!hasInlineCounts(counts, segmentSize)) yield dayItem(order, day, { empty, bitmaps: new Map() });
    yield* segments;
  }
}

function emptySlots(taken: Float64Array, start: number, allocated: number, segmentSize: number): SlotSet {
  const slots = SlotSet.empty(segmentSize);
  let at = 0;
  for (let slot = 0; slot < allocated; slot++) {
    if (taken[at] === start + slot) at++;
    else slots.add(slot);
  }
  return slots;
}

/** Whether a stored item has the same content as an expected one. */
export function hasSameContent(stored: RawItem, expected: Item): boolean {
  if (expected.empty) {
    const counts = (item: RawItem) => JSON.stringify([...emptyBySegment(item)].sort(([a], [b]) => a - b));
    try {
      return counts(stored) === counts({ empty: { B: expected.empty as Uint8Array } });
    } catch {
      // The stored value cannot be inflated, so it differs from the expected value.
      return false;
    }
  }
  return Buffer.compare(stored.slots?.B ?? Buffer.alloc(0), expected.slots as Uint8Array) === 0;
}
