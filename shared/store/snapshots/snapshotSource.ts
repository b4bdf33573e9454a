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
/** Nobody waits for an answer. */
const maxPauseMs = 5_000;

/** A list that nobody writes to now, and where its daily snapshots are. */
export interface SnapshotSource {
  table: Table;
  list: OrderedList;
  items: SnapshotItems;
  dayIndexes: readonly DayIndex[];
  clock: Clock;
  /** After this whatever is under way is cut off. */
  deadline: Date | undefined;
}

/** Makes a call for a daily snapshot, however long the table throttles: one of a large list takes more than a partition gives. */
export function retryUntilDeadline<T>({ clock, deadline }: SnapshotSource, call: () => Promise<T>): Promise<T> {
  return retryOnOutage(clock, call, { maxPauseMs, deadline });
}

/**
 * The records of a list, newest first, down to a rank that is known.
 *
 * @param start how many of them to leave out
 */
export async function* recordsSince(source: SnapshotSource, known: string, start: number) {
  const { table, list, dayIndexes, clock, deadline } = source;
  const most = countRecords(selectDays(dayIndexes, { from: known.slice(0, 10) }));
  for (let offset = start; offset < most; offset += recordsPerRead) {
    checkDeadline(clock, deadline);
    const limit = Math.min(recordsPerRead, most - offset);
    const read = () => retryUntilDeadline(source, () => readPositionedPage(table, list, { offset, limit }));
    // Nobody writes to the list, so it is read again until the index shows all of it.
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

/** The records of chunks that stand where they stood, and which do not; by the chunk's name. */
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
