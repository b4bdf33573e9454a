import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { describeError, log } from "../../platform/aws/log.ts";
import type { Clock } from "../../time/clock.ts";
import type { Table } from "../client.ts";
import { eventsPartition, waitingEventsKey } from "../keys/events.ts";
import { isUnmet } from "../retryOnConflict.ts";
import type { NewEvent } from "./newEvent.ts";
import { bytesOf, sequenceEvents } from "./sequenceEvents.ts";
import { shardOf } from "./shards.ts";

export interface ChangeWithEvents {
  writes: readonly TransactWriteItem[];
  events: readonly NewEvent[];
}

/** Maximum time in milliseconds for which a writer sequences its events. If it fails, the next reader does. */
const maxSequencingMs = 1_000;

/** Maximum bytes of the events in an item of waiting events (64 KB): each append costs the units of the whole item. */
const maxWaitingBytes = 63 * 1024;

/**
 * Stores a change and its events in one transaction, then tries for a second to sequence the events. If DynamoDB rejects
 * it, the caller must retry (`retryOnConflict`), even without conditions: another transaction may lock the item of waiting
 * events. If this item is full, its events get their places first.
 *
 * @throws TransactionCanceledException if a condition of the writes does not hold; ServiceError "unavailable" if the item
 *   of waiting events stays full
 */
export async function commitWithEvents(
  table: Table,
  { writes, events }: ChangeWithEvents,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const byItem = [...Map.groupBy(events, ({ spId, crbId }) => `${spId} ${crbId}`).values()];
  const all = [...writes, ...byItem.map((some) => appendWrite(table, some, now))];
  try {
    await table.transact(all);
  } catch (error) {
    const full = byItem.flatMap(([event], i) =>
      event && isUnmet(error, writes.length + i) ? [partitionOf(event)] : [],
    );
    if (full.length === 0) throw error;
    for (const pk of new Set(full)) await sequenceEvents(table, pk, clock);
    await table.transact(all);
  }
  const deadline = new Date(now.getTime() + maxSequencingMs);
  for (const pk of new Set(events.map(partitionOf))) {
    await sequenceEvents(table, pk, clock, { deadline }).catch((error) =>
      log.warn("events not sequenced; the next reader sequences them", { partition: pk, error: describeError(error) }),
    );
  }
}

/** The write that appends events of one CRB, or of none, in the order of commits, if the item has room. */
function appendWrite(table: Table, events: readonly NewEvent[], now: Date): TransactWriteItem {
  const texts = events.map(({ type, spId, crbId, data }) =>
    JSON.stringify({ id: randomUUID(), type, date: now.toISOString(), sp_id: spId, crb_id: crbId, data }),
  );
  const bytes = bytesOf(texts);
  const update = {
    expression: "SET waiting = list_append(if_not_exists(waiting, :none), :events) ADD waiting_bytes :bytes",
    values: { ":none": [], ":events": texts, ":bytes": bytes, ":room": maxWaitingBytes - bytes },
  };
  const hasRoom = "attribute_not_exists(waiting_bytes) OR waiting_bytes <= :room";
  const [first] = events as readonly [NewEvent];
  return table.updateWrite(waitingEventsKey(partitionOf(first), first.crbId), update, hasRoom);
}

const partitionOf = ({ spId, crbId }: NewEvent): string => eventsPartition(spId, shardOf(crbId));
