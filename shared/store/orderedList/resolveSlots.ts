import type { Table } from "../client.ts";
import type { ListOrder } from "../keys/orderedLists.ts";
import { type PagePart, resolveSegmentSlots, segmentsOf } from "./planPage.ts";
import { loadSlots } from "./slotItems.ts";
import { SlotSet } from "./slotSet.ts";

/**
 * Finds the exact sequence numbers, by day and newest first, of parts of a page on days with empty ones. On a day with
 * several segments, the day's item says which are needed. It is read together with the likely ones, so a second round trip
 * is rare.
 *
 * Also resolves days that the page covers completely: a lagging index may still show a record that has left the day, and
 * lack a new one.
 *
 * @param parts all parts of a page, newest first
 * @throws StaleReadError if the stored items do not fit the day index's counts
 */
export async function resolveSlots(
  table: Table,
  order: ListOrder,
  parts: readonly PagePart[],
  { consistent }: { consistent: boolean },
): Promise<Map<string, number[]>> {
  const { segmentSize } = order;
  const gappy = parts.filter(({ counts }) => counts.active < counts.allocated);
  const [newest, oldest] = [gappy.at(1), gappy.at(-2)];
  // A page covers all its days but the first and the last completely. One query for them costs less than single reads.
  const whole = newest && oldest && gappy.length > 3 ? { from: oldest.day, to: newest.day } : undefined;
  const likely = gappy.map((part) => ({ ...part, segments: likelySegments(part, segmentSize) }));
  const first = await loadSlots(table, order, likely, { consistent, whole });
  const pieces = new Map(
    gappy.map((part) => [part.day, segmentsOf(part, first.get(part.day)?.empty ?? new Map(), segmentSize)]),
  );
  const missing = gappy.map(({ day, counts }) => {
    const { empty, bitmaps = new Map() } = first.get(day) ?? {};
    const segments = new Set(pieces.get(day)?.map(({ segment }) => segment)).difference(bitmaps);
    return { day, counts, segments, empty };
  });
  const others = await loadSlots(table, order, missing, { consistent });
  return new Map(
    gappy.map(({ day, counts }) => {
      const bitmaps = new Map([...(first.get(day)?.bitmaps ?? []), ...(others.get(day)?.bitmaps ?? [])]);
      const ofDay = pieces.get(day) ?? [];
      const empty = SlotSet.empty(segmentSize);
      return [
        day,
        ofDay.flatMap((piece) => resolveSegmentSlots(counts, piece, bitmaps.get(piece.segment) ?? empty, segmentSize)),
      ];
    }),
  );
}

/** The segments that a part of a page would cover if the day's empty sequence numbers were evenly distributed. */
function likelySegments({ counts, skip, take }: PagePart, segmentSize: number): Set<number> {
  const slotOf = (record: number) => counts.allocated - 1 - Math.floor((record * counts.allocated) / counts.active);
  const highest = Math.floor(slotOf(skip) / segmentSize);
  const lowest = Math.floor(slotOf(skip + take - 1) / segmentSize);
  return new Set(Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i));
}
