import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Clock } from "../../time/clock.ts";
import type { Table } from "../client.ts";
import { eventsPartition, waitingEventsKey } from "../keys/events.ts";
import type { Key } from "../keys/key.ts";
import type { NewEvent } from "./newEvent.ts";
import { sequenceEvents } from "./sequenceEvents.ts";
import { shardOf } from "./shards.ts";

/** What is stored together, and the events that tell of it. */
export interface ChangeWithEvents {
  writes: readonly TransactWriteItem[];
  events: readonly NewEvent[];
}

/** How long (milliseconds) somebody who has stored an event tries to give it its place; whoever reads the log does, too. */
const maxSequencingMs = 1_000;

/**
 * Stores a change and its events in one transaction, so that an event exists exactly when what it tells is stored. To be
 * tried again where it is refused (`retryOnConflict`): appending an event has no condition, but its item may be held by
 * another transaction.
 *
 * Then the events get their places in the log, if that can be done at once.
 *
 * @throws TransactionCanceledException when a condition of the writes does not hold
 */
export async function commitWithEvents(
  table: Table,
  { writes, events }: ChangeWithEvents,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const byItem = [...Map.groupBy(events, ({ spId, crbId }) => `${spId} ${crbId}`).values()];
  await table.transact([...writes, ...byItem.map((some) => appendWrite(table, some, now))]);
  const deadline = new Date(now.getTime() + maxSequencingMs);
  const partitions = new Set(events.map(partitionOf));
  for (const pk of partitions) {
    await sequenceEvents(table, pk, clock, { deadline }).catch((error) =>
      log.warn("events wait for the next reader", { partition: pk, error: describeError(error) }),
    );
  }
}

/** What appends events of one CRB, or without one, to those that wait: neither read nor condition, in the order of commits. */
function appendWrite(table: Table, events: readonly NewEvent[], now: Date): TransactWriteItem {
  const texts = events.map(({ type, spId, crbId, data }) =>
    JSON.stringify({ id: randomUUID(), type, date: now.toISOString(), sp_id: spId, crb_id: crbId, data }),
  );
  return table.updateWrite(keyOf(events[0] as NewEvent), {
    expression: "SET waiting = list_append(if_not_exists(waiting, :none), :events)",
    values: { ":none": [], ":events": texts },
  });
}

const partitionOf = ({ spId, crbId }: NewEvent): string => eventsPartition(spId, shardOf(crbId));
const keyOf = (event: NewEvent): Key => waitingEventsKey(partitionOf(event), event.crbId);
