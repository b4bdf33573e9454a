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

/** Writes and their events, for one transaction. */
export interface ChangeWithEvents {
  writes: readonly TransactWriteItem[];
  events: readonly NewEvent[];
}

/**
 * Maximum time (milliseconds) for which a writer tries to sequence its events. If the writer fails, the next reader of
 * the log sequences them.
 */
const maxSequencingMs = 1_000;

/**
 * Stores a change and its events in one transaction, so that an event exists exactly if its change is stored. If
 * DynamoDB rejects the transaction, the caller must retry (`retryOnConflict`), even if the writes have no condition:
 * another transaction may lock the item of waiting events.
 *
 * Then tries for a second to sequence the events. If sequencing fails, logs a warning; the next reader sequences them.
 *
 * @throws TransactionCanceledException if a condition of the writes does not hold
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
      log.warn("events not sequenced; the next reader sequences them", { partition: pk, error: describeError(error) }),
    );
  }
}

/**
 * The write that appends events to the waiting events. Either all `events` belong to the same CRB, or none belongs to a
 * CRB. The write needs no read and no condition, and the waiting events stay in the order of their commits.
 */
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
