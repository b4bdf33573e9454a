import type { ReceivedEvent } from "../../shared/store/eventLog/eventsUnderTest.ts";

/**
 * Faults in the deliveries to a receiver. Every wanted event must arrive, alone or merged into a later one of its CRB
 * and kind with no other one between them. First deliveries of a CRB's events must keep their order.
 *
 * @param wanted the events, in the order of each CRB
 * @param taken in the order of arrival
 * @param skipped ids of events that need not arrive
 * @returns also the number of events that arrived only merged into others
 */
export function findDeliveryFaults(
  wanted: readonly ReceivedEvent[],
  taken: readonly ReceivedEvent[],
  skipped: ReadonlySet<string>,
): { faults: string[]; merged: number } {
  const faults: string[] = [];
  let merged = 0;
  const known = new Set(wanted.map(({ id }) => id));
  for (const { id, type } of taken) if (!known.has(id)) faults.push(`never requested: ${type} ${id}`);
  for (const events of Map.groupBy(wanted, ({ crb_id }) => crb_id).values()) {
    /** the first arrival of each */
    const came = new Map<number, number>();
    const alone = new Set<number>();
    for (const [turn, event] of taken.entries()) {
      const last = events.findIndex(({ id }) => id === event.id);
      if (last < 0) continue;
      const first = firstOf(events, event, last);
      if (first === undefined) {
        faults.push(`is not as it was stored, or merged over others: ${JSON.stringify(event)}`);
        continue;
      }
      if (first === last) alone.add(last);
      for (let place = first; place <= last; place++) if (!came.has(place)) came.set(place, turn);
    }
    const order = events.flatMap((event, place) => {
      const turn = came.get(place);
      if (turn === undefined && !skipped.has(event.id)) faults.push(`never came: ${JSON.stringify(event)}`);
      if (turn !== undefined && !alone.has(place)) merged++;
      // A skipped event has no first delivery: it may have been on its way.
      return turn === undefined || skipped.has(event.id) ? [] : [turn];
    });
    if (order.some((turn, i) => turn < (order[i - 1] ?? 0))) faults.push(`out of order: ${order}`);
  }
  return { faults, merged };
}

/** The first of the events merged into one; undefined if the merge is not allowed or the content differs. */
function firstOf(events: readonly ReceivedEvent[], event: ReceivedEvent, last: number): number | undefined {
  const stored = events[last] as ReceivedEvent;
  const { cursor_before: before, ...data } = event.data;
  const { cursor_before: storedBefore, ...storedData } = stored.data;
  const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
  if (!isSame({ ...event, data }, { ...stored, data: storedData })) return undefined;
  if (before === storedBefore) return last;
  const first = events.findIndex((one) => one.data.cursor_before === before);
  const between = events.slice(first, last + 1);
  const mayMerge = between.every(({ type, data: { kind } }) => type === "records.changed" && kind === data.kind);
  return first >= 0 && first < last && mayMerge ? first : undefined;
}
