import type { DeliveryError, WebhookStatus } from "../../api/enumerations.ts";
import type { Table } from "../../store/client.ts";
import { readShards, type ShardState } from "../../store/eventLog/sequenceEvents.ts";
import { eventsPartition } from "../../store/keys/events.ts";
import { webhookPositionKey } from "../../store/keys/webhooks.ts";
import { type DeliveryPosition, findCurrentFailures, toPosition } from "./deliveryLease.ts";
import type { Endpoint } from "./endpoint.ts";
import { isWanted, readNextEvents } from "./readNextEvents.ts";

/** The state of deliveries to an endpoint, as the API returns it (docs/spec.md#webhooks). */
export interface DeliveryProgress {
  status: WebhookStatus;
  undelivered: number;
  last_delivered_date: string | null;
  last_error: DeliveryError | null;
}

/** Maximum value of `undelivered` (docs/spec.md#webhooks). */
const maxUndelivered = 1_000;

/** Number of events from which on no more are read to compute `undelivered`: the endpoint may want only a few of them. */
const maxReadEvents = 10_000;

/** Reads the positions of an endpoint, in the order of the shards. Reads are consistent by default. */
export async function readPositions(table: Table, endpointId: string, consistent = true): Promise<DeliveryPosition[]> {
  const { pk, sk } = webhookPositionKey(endpointId, 0);
  const prefix = sk.slice(0, -2);
  return (await table.queryPartition(pk, { prefix, consistent })).map(toPosition);
}

/**
 * Reads the delivery progress of an endpoint. Costs two read units for the shards, one for the positions, and the reads of pending
 * events.
 *
 * @param heads the shards of the service provider. Callers that read several endpoints read the shards once and pass them here
 * @param maxRead the number of pending events from which on no more are read; `undelivered` is then a lower bound
 */
export async function readProgress(
  table: Table,
  endpoint: Endpoint,
  heads?: readonly ShardState[],
  maxRead = maxReadEvents,
): Promise<DeliveryProgress> {
  const [positions, shardStates] = await Promise.all([
    readPositions(table, endpoint.id),
    heads ?? readShards(table, endpoint.spId),
  ]);
  const { undelivered, isLowerBound } = await countUndelivered(table, endpoint, positions, shardStates, maxRead);
  const failures = positions.flatMap((position) => findCurrentFailures(position, endpoint) ?? []);
  const [newest] = failures.toSorted((one, other) => (one.lastAt < other.lastAt ? 1 : -1));
  const delivered = positions.flatMap(({ lastDeliveredAt }) => lastDeliveredAt ?? []).sort();
  return {
    status: statusOf(endpoint, failures.length > 0, undelivered > 0 || isLowerBound),
    undelivered,
    last_delivered_date: delivered.at(-1) ?? null,
    last_error: newest?.error ?? null,
  };
}

function statusOf({ enabled }: Endpoint, isFailing: boolean, mayWait: boolean): WebhookStatus {
  if (!enabled) return "disabled";
  if (isFailing) return "failing";
  return mayWait ? "delivering" : "current";
}

async function countUndelivered(
  table: Table,
  { spId, eventTypes }: Endpoint,
  positions: readonly DeliveryPosition[],
  heads: readonly ShardState[],
  maxRead: number,
): Promise<{ undelivered: number; isLowerBound: boolean }> {
  const now = table.clock.now();
  let [count, read] = [0, 0];
  for (const [shard, { seq, done }] of positions.entries()) {
    const head = heads[shard];
    const waiting = head?.waiting.flatMap(({ waiting: texts }) => texts.map((text) => JSON.parse(text))) ?? [];
    const expires = Number.POSITIVE_INFINITY;
    count += waiting.filter(({ type }) => isWanted({ type, expires }, eventTypes, now)).length;
    for (let place = seq; place < (head?.seq ?? 0); ) {
      if (count >= maxUndelivered || read >= maxRead)
        return { undelivered: Math.min(count, maxUndelivered), isLowerBound: true };
      const { seq: from, events } = await readNextEvents(table, eventsPartition(spId, shard), place);
      count += events.filter((event) => !done.includes(event.place) && isWanted(event, eventTypes, now)).length;
      read += events.length;
      place = Math.max(events.at(-1)?.place ?? from, place + 1);
    }
  }
  return { undelivered: Math.min(count, maxUndelivered), isLowerBound: false };
}
