import type { Clock } from "../../time/clock.ts";
import { checkDeadline } from "../../time/deadline.ts";
import { maxLagMs, type Table } from "../client.ts";
import type { OrderedList } from "../keys/orderedLists.ts";
import { type DayIndex, yearOf } from "../orderedList/dayIndex.ts";
import { countRecords, selectDays } from "../orderedList/planPage.ts";
import { type PositionedRecord, readPositionedPage } from "../orderedList/readPage.ts";
import { isTaken, loadSlots, segmentsByDay, type WantedDay } from "../orderedList/slotItems.ts";
import { SlotSet } from "../orderedList/slotSet.ts";
import { RetryPolicy, retryOnOutage } from "../retryOnConflict.ts";
import type { ChunkReference, SnapshotItems } from "./snapshotItems.ts";

const recordsPerRead = 250;
/** No caller waits for a response, so pauses can be longer. */
const maxPauseMs = 5_000;

/** A list without concurrent writers, and the items of its daily snapshots. */
export interface SnapshotSource {
  table: Table;
  list: OrderedList;
  items: SnapshotItems;
  dayIndexes: readonly DayIndex[];
  clock: Clock;
  /** Work in progress is interrupted after this time. */
  deadline: Date | undefined;
}

/**
 * Retries a call while the table throttles, until the deadline. Throttling is normal here, because a snapshot of a
 * large list needs more than the throughput of a partition.
 */
export function retryUntilDeadline<T>({ clock, deadline }: SnapshotSource, call: () => Promise<T>): Promise<T> {
  return retryOnOutage(clock, call, { maxPauseMs, deadline });
}

/**
 * Reads the records of a list that are newer than a known position, newest first.
 *
 * @param start number of records to skip
 */
export async function* recordsSince(source: SnapshotSource, known: string, start: number) {
  const { table, list, dayIndexes, clock, deadline } = source;
  const most = countRecords(selectDays(dayIndexes, { from: known.slice(0, 10) }));
  for (let offset = start; offset < most; offset += recordsPerRead) {
    checkDeadline(clock, deadline);
    const limit = Math.min(recordsPerRead, most - offset);
    const read = () => retryUntilDeadline(source, () => readPositionedPage(table, list, { offset, limit }));
    // If the index does not show all records yet, the page is read again. The records cannot have moved, because the
    // list has no concurrent writers.
    const tries = new RetryPolicy(clock, { maxPauseMs, minTotalMs: maxLagMs, deadline });
    let { places } = await read();
    while (places.length < limit) {
      await tries.pause();
      ({ places } = await read());
    }
    for (const place of places) {
      if (place.rank <= known) return;
      yield place;
    }
  }
}

/**
 * Reads chunks. Returns, by the name of each chunk, the records that still have their positions, and the indexes of the
 * records that have lost their positions (`gone`).
 */
export async function presentRecords(
  source: SnapshotSource,
  entries: readonly ChunkReference[],
): Promise<Map<string, { gone: SlotSet | undefined; records: PositionedRecord[] }>> {
  const { table, list, items, dayIndexes } = source;
  const order = list.orders.rank;
  const chunks = await retryUntilDeadline(source, () => items.chunks(entries.map(({ id }) => id)));
  const ranks = chunks.flat().map(({ rank }) => rank);
  const wanted = [...segmentsByDay(ranks, order.segmentSize)].flatMap(([day, segments]): WantedDay[] => {
    const counts = dayIndexes.find(({ year }) => year === yearOf(day))?.days.get(day);
    return counts ? [{ day, counts, segments }] : [];
  });
  const slots = await retryUntilDeadline(source, () => loadSlots(table, order, wanted, { consistent: true }));
  return new Map(
    entries.map((entry, i) => {
      const all = chunks[i] ?? [];
      const gone = SlotSet.empty(all.length);
      for (const [place, { rank }] of all.entries()) if (!isTaken(rank, slots, order.segmentSize)) gone.add(place);
      const records = all.filter((_, place) => !gone.has(place));
      return [entry.id, { gone: records.length < all.length ? gone : undefined, records }];
    }),
  );
}
